"""Games on a real server."""

from __future__ import annotations

import pathlib
import random
import re
import subprocess
import sys
import unittest
import unittest.mock

from warledger import Client, Env, Game, Refused, VersionConflict, WarledgerError

from .server import ROOT, Server

EXAMPLE = pathlib.Path(__file__).resolve().parents[1] / "examples" / "play.py"


class ServerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server("--with-toy")
        cls.addClassCleanup(cls.server.close)
        cls.client = Client(cls.server.address)
        cls.addClassCleanup(cls.client.close)

    def env(self, **settings: object) -> Env:
        env = Env(self.client, "downfall", "olympic", **settings)
        self.addCleanup(env.close)
        return env

    def test_the_catalog_lists_what_can_be_played(self) -> None:
        self.assertIn("rulesets/downfall", [ruleset["name"] for ruleset in self.client.rulesets()])
        self.assertIn("rulesets/downfall/scenarios/olympic",
            [scenario["name"] for scenario in self.client.scenarios("downfall")])

    def test_the_rulebook_can_be_read_in_a_language(self) -> None:
        rules = {rule["id"]: rule for rule in self.client.rules("toy", "ja")}
        self.assertEqual("移動", rules["TY 4.1"]["title"])
        self.assertEqual(rules["TY 4.1"], self.client.rule("toy", "TY 4.1", "ja"))
        self.assertEqual("Movement", self.client.rule("toy", "TY 4.1")["title"])

    def test_what_is_said_is_read_by_whom_it_is_meant_for(self) -> None:
        game = Game.create(self.client, "downfall", "olympic")
        game.take("us", "ann")
        game.take("japan", "ben")
        guest = Game(self.client, game.name)
        said = game.say("hello", "us", record=1)
        note = game.say("a note", "us", audience="AUDIENCE_SELF")
        self.assertEqual(["a note", "hello"], [m["text"] for m in game.messages(page_size=1)])
        self.assertEqual(["hello"], [m["text"] for m in game.messages(viewer="japan")])
        with self.assertRaises(WarledgerError) as refused:
            list(guest.messages())
        self.assertEqual("TALK_HIDDEN", refused.exception.reason)
        self.assertTrue(game.let_spectators_read(True)["spectatorsRead"])
        for heard in guest.listen():
            if "message" in heard:
                self.assertEqual(said["name"], heard["message"]["name"])
                break
        ben = Game(self.client, game.name, {"japan": game.tokens["japan"]})
        ben.report(said["name"], "rude", "japan")
        self.assertEqual(["rude"], [r["reason"] for r in game.reports()])
        self.assertEqual(["us"], game.mute("us", for_all=True)["mutedSeats"])
        with self.assertRaises(WarledgerError) as refused:
            game.say("more", "us")
        self.assertEqual("SEAT_MUTED", refused.exception.reason)
        game.delete_message(note["name"])
        self.assertNotIn("mutedSeats", game.unmute("us", for_all=True))
        self.assertEqual(["hello"], [m["text"] for m in game.messages()])

    def test_a_whole_game_ends_with_rewards(self) -> None:
        env, chance = self.env(observe=False), random.Random(7)
        _, info = env.reset()
        while not env.over:
            step = env.step(chance.choice(env.legal()))
            self.assertEqual(env.over, step.terminated)
            self.assertFalse(step.truncated)
            if not env.over:
                self.assertEqual({"japan": 0.0, "us": 0.0}, step.rewards)
        self.assertEqual([], env.legal())
        self.assertEqual(env.version, int(env.game.get()["version"]))
        winners = step.info["ending"].get("winners", [])
        want = {seat: (1.0 if seat in winners else -1.0) if winners else 0.0 for seat in env.seats}
        self.assertEqual(want, step.rewards)
        with self.assertRaises(RuntimeError):
            env.step("pass")

    def test_a_decision_of_a_seat_that_goes_on_takes_one_call(self) -> None:
        env = self.env(observe=False)
        env.reset()
        for _ in range(12):
            made: list[str] = []
            call, seat = self.client.call, env.seat

            def count(method: str, *rest: object) -> dict:
                made.append(method)
                return call(method, *rest)

            with unittest.mock.patch.object(self.client, "call", count):
                env.step(env.legal()[0])
            pages = -(-len(env.legal()) // 1000)  # the first of them comes with the answer
            lists = pages - 1 if env.seat == seat else pages
            self.assertEqual(["GameService/SubmitCommand"] + ["GameService/ListLegalActions"] * lists, made)
            self.assertEqual(env.game.legal(env.seat), env.legal())

    def test_an_observation_is_the_board_of_the_deciding_seat(self) -> None:
        env = self.env()
        observation, info = env.reset()
        self.assertEqual(env.seat, info["seat"])
        self.assertTrue(observation["pieces"])
        self.assertEqual(observation, env.board(env.seat))

    def test_an_episode_is_truncated_at_its_limit(self) -> None:
        env = self.env(max_steps=3, observe=False)
        env.reset()
        flags = [env.step(env.legal()[0])[2:4] for _ in range(3)]
        self.assertEqual([(False, False), (False, False), (False, True)], flags)

    def test_a_clone_goes_on_without_touching_the_original(self) -> None:
        env = self.env()
        env.reset()
        env.step(env.legal()[0])
        before, actions = env.board(), env.legal()
        with env.clone() as clone:
            self.assertEqual((env.seat, env.steps), (clone.seat, clone.steps))
            self.assertEqual([action["command"] for action in actions], [action["command"] for action in clone.legal()])
            clone.step(clone.legal()[0])
            self.assertEqual(env.steps + 1, clone.steps)
        self.assertEqual(before, env.board())
        env.step(actions[0])

    def test_a_refusal_names_its_rule_and_changes_nothing(self) -> None:
        env = self.env(observe=False)
        env.reset()
        place = env.legal()[0]
        version = env.version
        with self.assertRaises(Refused) as caught:
            env.step("move us-i-25 2620")
        self.assertTrue(caught.exception.rule.startswith("DF "), caught.exception.rule)
        self.assertEqual(version, int(env.game.get()["version"]))
        env.step(place)

    def test_a_command_made_for_an_older_version_is_a_conflict(self) -> None:
        env = self.env(observe=False)
        env.reset()
        game, seat, actions = env.game, env.seat, env.legal()
        game.submit(seat, actions[0]["command"], check_only=True)
        stale = env.version
        env.step(actions[0])
        with self.assertRaises(VersionConflict):
            game.submit(seat, actions[1]["command"], expected=stale)
        # Somebody else with the seat's token acts behind the environment's back.
        seat, actions = env.seat, env.legal()
        game.submit(seat, actions[0]["command"])
        with self.assertRaises(VersionConflict):
            env.step(actions[1])

    def test_what_is_undone_can_be_done_again(self) -> None:
        env = self.env(observe=False)
        env.reset()
        seat = env.seat
        env.step(env.legal()[0])
        done = env.board(seat)
        self.assertTrue(env.game.undo(seat)["done"])
        self.assertNotEqual(done, env.game.board(seat))
        env.game.redo(seat)
        self.assertEqual(done, env.game.board(seat))

    def test_a_preview_changes_nothing(self) -> None:
        env = self.env(observe=False)
        env.reset()
        command = env.legal()[0]["command"]
        preview = env.game.preview(env.seat, command)
        self.assertEqual(command, preview["action"]["command"])
        self.assertEqual(env.version, int(env.game.get()["version"]))

    def test_a_battle_is_weighed_as_it_is_entered(self) -> None:
        game = Game.create(self.client, "anniversary", "1941")
        shown = game.battle("east-poland")
        self.assertEqual("germany", shown["form"]["attacker"]["party"])
        one = {"entered": True, "numbers": {"infantry": 1}}
        odds = game.battle("east-poland", attacker=one, defender=one)
        chances = {o["id"]: round(o["chance"]["value"], 9) for o in odds["forecast"]["outcomes"]}
        self.assertEqual({"win": 0.25, "draw": 0.125, "loss": 0.625}, chances)

    def test_the_orders_of_the_page_are_given(self) -> None:
        page = (ROOT / "docs" / "howto" / "bots.md").read_text("utf-8")
        (shown,) = re.findall(r"^```python\n(from warledger import orders\n.*?)^```$", page, re.M | re.S)
        game = Game.create(self.client, "ocs", "proving-ground")
        game.take("blue", "bot:blue")
        exec(shown, {"game": game})  # noqa: S102
        commands = [order["command"] for order in game.board("blue")["standingOrders"]]
        self.assertEqual(["orders order=defence-supply value=6 at=11.07 once=true",
            "orders bl-1-inf,bl-2-mtn order=loses value=2"], commands)

    def test_a_stranger_may_watch_and_not_act(self) -> None:
        env = self.env(observe=False)
        env.reset()
        stranger = Game(self.client, env.game.name)
        self.assertEqual(env.version, int(stranger.get()["version"]))
        with self.assertRaises(WarledgerError) as caught:
            stranger.submit(env.seat, env.legal()[0]["command"])
        self.assertEqual("TOKEN_REQUIRED", caught.exception.reason)

    def test_the_example_plays(self) -> None:
        command = [sys.executable, str(EXAMPLE), "--address", self.server.address, "--steps", "12", "--look", "5",
            "--games", "2"]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        self.assertEqual(["game 1: 12 decisions", "game 2: 12 decisions"], [line.split(",")[0] for line in out])


class RestartTest(unittest.TestCase):
    def test_a_watch_survives_a_restart_of_the_server(self) -> None:
        server = Server()
        self.addCleanup(server.close)
        client = Client(server.address)
        self.addCleanup(client.close)
        env = Env(client, "downfall", "olympic", observe=False)
        env.reset()
        watch = env.game.watch()
        seen = []

        def until(version: int) -> None:
            while not seen or seen[-1] < version:
                message = next(watch)
                if "record" in message:
                    seen.append(int(message["record"]["version"]))

        env.step(env.legal()[0])
        until(env.version)
        server.stop()
        server.start()
        env.step(env.legal()[0])
        until(env.version)
        self.assertEqual(list(range(1, env.version + 1)), seen)
        watch.close()


if __name__ == "__main__":
    unittest.main()
