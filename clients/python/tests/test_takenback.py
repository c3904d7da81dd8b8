"""Throws with mutual dice that are taken back, with and without the player's consent. On a real server."""

from __future__ import annotations

import unittest
import unittest.mock
from typing import Any, Callable

from warledger import Client, Game, LogInconsistent, NoChain, ThrowTakenBack, WarledgerError
from warledger.dice import _follow as follow
from warledger.dice import promise
from warledger.proof import prove as plain_prove

from .server import Server


class TakenBackTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server("--with-toy")
        cls.addClassCleanup(cls.server.close)
        cls.client = Client(cls.server.address)
        cls.addClassCleanup(cls.client.close)

    def partners(self) -> tuple[Game, Game]:
        """Two players, each with a chain of their own."""
        owner = Game.create(self.client, "toy", "ridge", dice="DICE_KIND_MUTUAL")
        red, blue = Game(self.client, owner.name), Game(self.client, owner.name)
        red.take("red", "red")
        blue.take("blue", "blue")
        return red, blue

    def forger(self, game: Game) -> Game:
        """Somebody who has seen the tokens of a player, but not the chain."""
        return Game(self.client, game.name, game.tokens)

    def throw(self, seat: str, command: str, red: Game, blue: Game) -> dict[str, Any]:
        """Has a seat send a command, for whose dice both answer. Returns the record that carries it out."""
        player = red if seat == "red" else blue
        answer = player.submit(seat, command, pending=True)
        if not answer.get("pending"):
            return answer["record"]
        red.answer_dice()
        blue.answer_dice()
        return next(r for r in red.records() if r.get("asked") == answer["record"]["version"])

    def throws(self, red: Game, blue: Game) -> dict[str, Any] | None:
        """Plays until dice have fallen; None if the game ends before."""
        for number in range(200):
            now = red.get()
            if now.get("over"):
                return None
            seat = now["waitingFor"][0]
            actions = (red if seat == "red" else blue).legal(seat)
            record = self.throw(seat, actions[number % len(actions)]["command"], red, blue)
            if record.get("asked"):
                return record
        self.fail("no command needed dice")

    def thrown_twice(self) -> tuple[Game, Game, dict[str, Any], dict[str, Any]]:
        while True:
            red, blue = self.partners()
            if (one := self.throws(red, blue)) and (two := self.throws(red, blue)):
                return red, blue, one, two

    def back(self, asker: Game, seat: str, other: Game, target: int | str) -> int:
        """Has one player ask to go back to a version, and the other agree. Returns the version of the undo."""
        answer = asker.undo(seat, target, ask=True)
        if not answer.get("done"):
            other_seat = "blue" if seat == "red" else "red"
            answer = other.answer_undo(other_seat, answer["game"]["pendingUndo"], agree=True)
        self.assertTrue(answer["done"])
        return int(answer["game"]["version"])

    def again(self, command: dict[str, Any], red: Game, blue: Game) -> None:
        """Has a command that needs dice sent once more, which red answers for."""
        seat = command["seat"]
        player = red if seat == "red" else self.forger(blue)  # blue does not answer yet
        self.assertTrue(player.submit(seat, command["notation"], pending=True)["pending"])
        red.answer_dice()

    def test_an_operator_cannot_throw_again(self) -> None:
        """Red is in league with the operator, who agrees to undos in blue's name. A die of red's that is no six is
        taken back, and red throws again. Blue's client gives no link for that."""
        seen = 0
        for _ in range(6):
            red, blue = self.partners()
            thrown = self.throws(red, blue)
            while thrown and (thrown["seat"] == "blue" or thrown["rolls"][0]["value"] == 6):
                thrown = self.throws(red, blue)
            if not thrown:
                continue  # red had nothing but sixes
            seen += 1
            undo = self.back(red, "red", self.forger(blue), thrown["parent"])
            kept = blue.chains.chain(blue.name, "blue")
            red.submit("red", thrown["notation"], pending=True)
            with self.assertRaises(ThrowTakenBack) as caught:
                blue.answer_dice()
            alarm = caught.exception
            self.assertEqual(("blue", undo, int(thrown["version"])), (alarm.seat, alarm.undo, alarm.throw))
            self.assertEqual(["blue"], red.get()["pendingDice"]["missing"])
            self.assertEqual(kept, blue.chains.chain(blue.name, "blue"))
            with self.assertRaises(ThrowTakenBack):
                for _ in blue.watch():
                    pass
        self.assertGreater(seen, 0)

    def test_undos_by_consent(self) -> None:
        """Blue's client goes on where blue agreed with it or asked with it, and nowhere else."""

        def refused(red: Game, blue: Game, _: dict, two: dict) -> dict:
            asked = red.undo("red", two["parent"], ask=True)["game"]["pendingUndo"]
            blue.answer_undo("blue", asked, agree=False)
            self.back(red, "red", self.forger(blue), two["parent"])
            return two

        def twice(red: Game, blue: Game, one: dict, two: dict) -> dict:
            self.back(red, "red", blue, two["parent"])
            self.back(red, "red", self.forger(blue), one["parent"])
            return one

        def next_throw(red: Game, blue: Game, _: dict, two: dict) -> dict:
            self.back(red, "red", blue, two["parent"])
            self.throw(two["seat"], two["notation"], red, blue)
            self.back(red, "red", self.forger(blue), two["parent"])
            return two

        def to(asker: Callable, agreeing: Callable, first: bool = False, renew: bool = False, seat: str = "red",
            last: bool = False) -> Callable:
            def act(red: Game, blue: Game, one: dict, two: dict) -> dict:
                if renew:
                    blue.renew_chain("blue")
                gone = one if first else two
                self.back(asker(red, blue), seat, agreeing(red, blue), 0 if last else gone["parent"])
                return gone
            return act

        def renewed_after(red: Game, blue: Game, _: dict, two: dict) -> dict:
            self.back(red, "red", blue, two["parent"])
            blue.renew_chain("blue")
            return two

        def redone(red: Game, blue: Game, _: dict, two: dict) -> dict:
            self.back(red, "red", blue, two["parent"])
            red.redo("red")
            self.back(red, "red", blue, two["parent"])
            return two

        def redone_in_name(red: Game, blue: Game, _: dict, two: dict) -> dict:
            self.back(red, "red", blue, two["parent"])
            red.redo("red")
            self.back(red, "red", self.forger(blue), two["parent"])
            return two

        def renewed_in_name(red: Game, blue: Game, _: dict, two: dict) -> dict:
            self.back(red, "red", blue, two["parent"])
            blue.renew_chain("blue")
            red.redo("red")
            self.back(red, "red", self.forger(blue), two["parent"])
            return two

        def fulfilled_later(red: Game, blue: Game, _: dict, two: dict) -> dict:
            asked = blue.undo("blue", two["parent"], ask=True)["game"]["pendingUndo"]
            red.answer_undo("red", asked, agree=False)
            self.back(red, "red", self.forger(blue), two["parent"])
            return two

        def barred(red: Game, blue: Game, _: dict, two: dict) -> dict:
            with self.assertRaises(WarledgerError) as caught:
                blue.undo("blue")
            self.assertEqual("UNDO_BARRIER", caught.exception.reason)
            self.assertFalse(blue.chains.chain(blue.name, "blue").get("agreed"))
            self.back(red, "red", self.forger(blue), two["parent"])
            return two

        reds, blues, forged = (lambda red, _: red), (lambda _, blue: blue), (lambda _, blue: self.forger(blue))
        for name, act, alarm in (
            ("blue agrees", to(reds, blues), False),
            ("blue asks", to(blues, reds, seat="blue"), False),
            ("blue asks for the last command", to(blues, reds, seat="blue", last=True), False),
            ("blue agrees to take back both", to(reds, blues, first=True), False),
            ("both are taken back in blue's name", to(reds, forged, first=True), True),
            ("it is asked in blue's name", to(forged, reds, seat="blue"), True),
            ("one after the other, the older in blue's name", twice, True),
            ("blue refuses, and it is asked again in blue's name", refused, True),
            ("blue agrees once, and the next throw is taken back in blue's name", next_throw, True),
            ("blue takes the chain anew", renewed_after, False),
            ("blue takes the chain anew and then agrees", to(reds, blues, first=True, renew=True), False),
            ("blue takes the chain anew, and then in blue's name", to(reds, forged, first=True, renew=True), True),
            ("it is done again", redone, False),
            ("it is done again, and taken back in blue's name", redone_in_name, True),
            ("the same, and blue takes the chain anew in between", renewed_in_name, True),
            ("red refuses blue's wish, and fulfils it later in blue's name", fulfilled_later, True),
            ("blue is told that red must agree, and leaves it at that", barred, True),
        ):
            with self.subTest(name):
                red, blue, *thrown = self.thrown_twice()
                self.again(act(red, blue, *thrown), red, blue)
                if alarm:
                    with self.assertRaises(ThrowTakenBack):
                        blue.answer_dice()
                    self.assertEqual(["blue"], red.get()["pendingDice"]["missing"])
                else:
                    self.assertNotIn("pendingDice", blue.answer_dice())
                    self.assertNotIn("agreed", blue.chains.chain(blue.name, "blue"))

    def test_a_harmless_undo_is_no_consent(self) -> None:
        """Blue takes back a command of its own, without dice. Then the throws before it are taken back in blue's
        name."""
        while True:
            red, blue, one, _ = self.thrown_twice()
            last: dict[str, Any] | None = None
            while not (now := red.get()).get("over"):
                seat = now["waitingFor"][0]
                command = (red if seat == "red" else blue).legal(seat)[0]["command"]
                last = self.throw(seat, command, red, blue)
                if seat == "blue" and not last.get("asked"):
                    break
            if not now.get("over"):
                break
        self.assertTrue(blue.undo("blue")["done"])
        self.assertFalse(blue.chains.chain(blue.name, "blue").get("agreed"))
        while int(red.get()["head"]) > int(one["parent"]):
            self.back(red, "red", self.forger(blue), 0)
        self.again(one, red, blue)
        with self.assertRaises(ThrowTakenBack):
            blue.answer_dice()

    def test_a_player_agrees_to_what_was_shown(self) -> None:
        """A server shows another undo than the log asks for. The client compares them, and does not agree."""
        red, blue, one, two = self.thrown_twice()
        asked = red.undo("red", one["parent"], ask=True)["game"]
        for lie in ({"target": two["parent"]}, {"target": "1"}, {"seat": "blue"}):
            shown = {**asked["pendingUndo"], **lie}
            with self.subTest(lie), self.assertRaises(LogInconsistent):
                blue.answer_undo("blue", shown, agree=True)
        self.assertFalse(blue.chains.chain(blue.name, "blue").get("agreed"))
        self.assertEqual(asked["version"], red.get()["version"])

    def test_no_consent_to_the_future(self) -> None:
        """A server shows a game that is further on than it is, and could take back later what is thrown until then. The
        client believes the log alone, and sends nothing."""
        red, blue, _, _ = self.thrown_twice()
        asked = red.undo("red", ask=True)["game"]
        call = self.client.call
        for lie in ({"version": str(int(asked["version"]) + 18)}, {"lastHash": "00"}):
            def lying(method: str, *args: Any, **more: Any) -> dict[str, Any]:
                answer = call(method, *args, **more)
                return {"game": {**answer["game"], **lie}} if method == "GameService/GetGame" else answer

            with self.subTest(lie), unittest.mock.patch.object(self.client, "call", lying):
                with self.assertRaises(LogInconsistent):
                    blue.answer_undo("blue", asked["pendingUndo"], agree=True)
                with self.assertRaises(LogInconsistent):
                    blue.undo("blue", ask=True)
        self.assertFalse(blue.chains.chain(blue.name, "blue").get("agreed"))
        self.assertEqual(asked["version"], red.get()["version"])

    def test_whoever_left_has_no_say(self) -> None:
        """Blue leaves, and red takes the throw back alone, as it may. Blue sits down again and plays on."""
        red, blue, _, two = self.thrown_twice()
        blue.leave("blue")
        self.back(red, "red", blue, two["parent"])
        blue.take("blue", "blue")
        self.throw(two["seat"], two["notation"], red, blue)
        self.back(red, "red", self.forger(blue), two["parent"])
        self.again(two, red, blue)
        with self.assertRaises(ThrowTakenBack):
            blue.answer_dice()

    def test_a_forged_leaving_waives_nothing(self) -> None:
        """The operator leaves the seat in blue's name, so red may take the throw back alone. Blue's client says so
        before blue sits down again."""
        red, blue, _, two = self.thrown_twice()
        self.forger(blue).leave("blue")
        undo = self.back(red, "red", blue, two["parent"])
        blue.put_aside("blue")
        with self.assertRaises(ThrowTakenBack) as caught:
            blue.take("blue", "blue")
        self.assertEqual(undo, caught.exception.undo)

    def test_throws_are_no_asides(self) -> None:
        """A changed server calls the throw an aside."""
        red, blue, _, two = self.thrown_twice()
        chain = blue.chains.chain(blue.name, "blue")
        proved = plain_prove(next(blue.records(after=int(two["version"]) - 1, proofs=True)))
        with unittest.mock.patch("warledger.dice.prove", lambda r: plain_prove(r)._replace(aside=True)):
            with self.assertRaises(LogInconsistent) as caught:
                list(follow(blue.name, chain, proved.version, blue._tree(chain["version"])))
        self.assertIn("is an aside and throws dice", str(caught.exception))

    def test_an_undo_is_accepted(self) -> None:
        """Blue agreed with another program, which has no chain. The one that has it waits until blue says so, and makes
        no new chain until then."""
        red, blue, one, two = self.thrown_twice()
        other = self.forger(blue)
        undo = self.back(red, "red", other, two["parent"])
        with self.assertRaises(ThrowTakenBack):
            blue.renew_chain("blue")
        for version in (two["version"], undo + 1000):
            with self.assertRaises(WarledgerError) as caught:
                blue.accept_undo("blue", version)
            self.assertEqual("VERSION_NOT_FOUND", caught.exception.reason)
        with self.assertRaises(NoChain):
            other.accept_undo("blue", undo)
        blue.accept_undo("blue", undo)
        self.throw(two["seat"], two["notation"], red, blue)
        self.back(red, "red", other, one["parent"])  # that was not accepted
        self.again(one, red, blue)
        with self.assertRaises(ThrowTakenBack):
            blue.answer_dice()

    def test_several_seats_of_one_player_agree_together(self) -> None:
        red, blue, _, two = self.thrown_twice()
        red.chains.keep(red.name, "blue", None, blue.chains.chain(blue.name, "blue"))
        both = Game(self.client, red.name, {**red.tokens, **blue.tokens}, red.chains)
        self.back(both, "red", self.forger(blue), two["parent"])
        self.throw(two["seat"], two["notation"], both, both)

    def test_what_an_older_program_kept_counts_all_throws_of_the_seat(self) -> None:
        red, blue, _, two = self.thrown_twice()
        kept = blue.chains.chain(blue.name, "blue")
        older = {key: value for key, value in kept.items() if key != "since"}
        blue.chains.keep(blue.name, "blue", kept, older)
        self.back(red, "red", blue, two["parent"])
        self.throw(two["seat"], two["notation"], red, blue)
        self.back(red, "red", self.forger(blue), two["parent"])
        self.again(two, red, blue)
        with self.assertRaises(ThrowTakenBack):
            blue.answer_dice()

    def test_throws_before_the_first_chain_are_another_players(self) -> None:
        red, blue, _, two = self.thrown_twice()
        self.back(red, "red", self.forger(blue), two["parent"])
        blue.forget_chain("blue")
        blue.renew_chain("blue")  # knows the game from here on
        self.throw(two["seat"], two["notation"], red, blue)
        self.back(red, "red", blue, two["parent"])
        one = next(r for r in red.records() if r.get("asked"))
        self.back(red, "red", self.forger(blue), one["parent"])
        self.again(one, red, blue)
        self.assertNotIn("pendingDice", blue.answer_dice())

    def test_older_records_must_be_shown(self) -> None:
        red, blue, one, _ = self.thrown_twice()
        self.back(red, "red", blue, one["parent"])
        self.again(one, red, blue)
        chain = blue.chains.chain(blue.name, "blue")
        asked = int(blue.get()["pendingDice"]["asked"])

        def answer(tree: Callable | None) -> None:
            promise(blue.name, "blue", chain, asked, blue._tree(chain["version"]), chain, tree)

        answer(blue._tree)
        for name, tree in (
            ("nothing", None),
            ("no older ones", lambda version: iter(())),
            ("the first is left out", lambda version: blue._tree(version + 1)),
            ("one is left out", lambda version: (r for r in blue._tree(version) if int(r["version"]) != version + 1)),
            ("too few", lambda version: (r for r in blue._tree(version) if int(r["version"]) < chain["version"])),
        ):
            with self.subTest(name), self.assertRaises(LogInconsistent):
                answer(tree)


if __name__ == "__main__":
    unittest.main()
