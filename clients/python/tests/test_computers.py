"""Computer players: those of the server, and bots of ours that are offered as such. On a real server."""

from __future__ import annotations

import random
import threading
import unittest
from typing import Any

from warledger import Client, Crew, Game, WarledgerError, new_account

from .server import Server


class ComputersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server("--with-toy")
        cls.addClassCleanup(cls.server.close)
        cls.client = Client(cls.server.address)
        cls.addClassCleanup(cls.client.close)

    def crew(self, title: str, choose: Any, **more: Any) -> Crew:
        """A crew that is on offer until the test ends."""
        crew = Crew(Client(self.server.address), new_account(), title, ["toy"], choose, **more)
        thread = threading.Thread(target=crew.run)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(crew.stop)
        while not crew.name:
            self.assertTrue(thread.is_alive(), "the crew has ended")
        return crew

    def over(self, game: Game) -> dict[str, Any]:
        for message in game.watch():
            if "record" in message or "caughtUp" in message:
                now = game.get()
                if now.get("over"):
                    return now
        raise AssertionError("unreachable")

    def test_a_bot_of_ours_plays_the_servers_own(self) -> None:
        decided: list[str] = []

        def choose(game: Game, seat: str, actions: Any) -> Any:
            decided.append(seat)
            return random.choice(actions)

        crew = self.crew("Ours", choose)
        listed = {c["name"]: c for c in self.client.computers("toy", "ridge")}
        self.assertEqual(("Ours", False), (listed[crew.name]["title"], listed[crew.name].get("house", False)))
        self.assertTrue(listed["computers/greedy"]["house"])
        game = Game.create(self.client, "toy", "ridge")
        game.seat_computer("red", crew.name)
        seats = game.seat_computer("blue", "computers/greedy")["seats"]
        self.assertEqual([crew.name, "computers/greedy"], [seat["computer"] for seat in seats])
        self.assertNotIn("red", game.tokens)
        self.over(game)
        self.assertEqual({"red"}, set(decided))

    def test_chance_stands_in_for_a_bot_that_fails(self) -> None:
        failures: list[Exception] = []

        def choose(game: Game, seat: str, actions: Any) -> Any:
            raise KeyError("a defect")

        crew = self.crew("Broken", choose, failed=lambda seat, err: failures.append(err))
        game = Game.create(self.client, "toy", "ridge")
        game.seat_computer("red", crew.name)
        game.seat_computer("blue", "computers/random")
        self.over(game)
        self.assertEqual([KeyError] * 3, [type(err) for err in failures])

    def test_a_seat_is_taken_back_and_a_name_is_ones_own(self) -> None:
        crew = self.crew("Mine", lambda game, seat, actions: actions[0])
        game = Game.create(self.client, "toy", "ridge")
        game.seat_computer("red", crew.name)
        self.assertFalse(game.unseat_computer("red")["seats"][0].get("taken", False))
        with self.assertRaises(WarledgerError) as caught:
            Crew(self.client, new_account(), "mine", ["toy"], crew.choose).run()
        self.assertEqual("COMPUTER_NAME_TAKEN", caught.exception.reason)


if __name__ == "__main__":
    unittest.main()
