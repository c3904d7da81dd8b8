"""Seats that show something: guarded, offered, refused, handed over, taken again. On a real server."""

from __future__ import annotations

import unittest

from warledger import Client, Game, SeatGuarded, WarledgerError

from .server import Server


class HandoverTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server("--with-toy")
        cls.addClassCleanup(cls.server.close)
        cls.client = Client(cls.server.address)
        cls.addClassCleanup(cls.client.close)

    def guarded(self, dice: str = "DICE_KIND_COMMITTED") -> tuple[Game, Game, Game]:
        """An owner who plays nothing, and two players. Blue has hidden something when the owner frees its seat."""
        owner = Game.create(self.client, "toy", "ridge", dice=dice)
        red, blue = Game(self.client, owner.name), Game(self.client, owner.name)
        red.take("red", "red")
        blue.take("blue", "blue")
        red.submit("red", "plan 0303")
        blue.submit("blue", "plan 0503")
        owner.leave("blue")
        return owner, red, blue

    def seat(self, game: Game) -> dict:
        return next(seat for seat in Game(self.client, game.name).get()["seats"] if seat["id"] == "blue")

    def test_a_guarded_seat_is_handed_over_once_all_agree(self) -> None:
        owner, red, blue = self.guarded()
        self.assertEqual("SEAT_GUARD_ALL", self.seat(owner)["guard"])
        self.assertRegex(self.seat(owner)["leaveTime"], r"^\d{4}-\d\d-\d\dT")
        for game in (owner, red, Game(self.client, owner.name)):
            with self.assertRaises(SeatGuarded) as caught:
                game.take("blue", "somebody")
            self.assertEqual(("blue", "all"), (caught.exception.seat, caught.exception.guard))
        offered = owner.offer_seat("blue")["pendingSeat"]
        self.assertEqual(("blue", {"red", "blue"}), (offered["seat"], set(offered["missing"])))
        answer = red.answer_seat("red", offered, agree=False)
        self.assertFalse(answer.get("done", False))
        self.assertNotIn("pendingSeat", answer["game"])
        offered = owner.offer_seat("blue")["pendingSeat"]
        self.assertFalse(red.answer_seat("red", offered, agree=True).get("done", False))
        with self.assertRaises(WarledgerError) as caught:
            blue.get()  # the token of the last holder shows nothing
        self.assertEqual("TOKEN_REVOKED", caught.exception.reason)
        blue.put_aside("blue")
        self.assertEqual(["blue"], blue.get()["pendingSeat"]["missing"])
        self.assertTrue(blue.answer_seat("blue", offered, agree=True)["done"])
        self.assertNotIn("guard", self.seat(owner))
        owner.take("blue", "owner")
        self.assertNotIn("leaveTime", self.seat(owner))
        with self.assertRaises(WarledgerError) as caught:
            red.answer_seat("red", offered, agree=True)
        self.assertEqual("SEAT_NOT_OFFERED", caught.exception.reason)

    def test_whoever_was_put_out_is_asked_about_an_undo(self) -> None:
        _, red, blue = self.guarded()
        with self.assertRaises(WarledgerError) as caught:
            red.undo("red", target=1)
        self.assertEqual("UNDO_BARRIER", caught.exception.reason)
        asked = red.undo("red", target=1, ask=True)["game"]["pendingUndo"]
        self.assertEqual(["blue"], asked["missing"])
        blue.put_aside("blue")
        self.assertTrue(blue.answer_undo("blue", asked, agree=True)["done"])

    def test_the_last_holder_takes_the_seat_again(self) -> None:
        for dice in ("DICE_KIND_COMMITTED", "DICE_KIND_MUTUAL"):
            with self.subTest(dice):
                owner, red, blue = self.guarded(dice)
                blue.put_aside("blue")
                blue.take("blue", "blue")
                self.assertEqual({}, blue.former)
                blue.leave("blue")
                self.assertEqual("SEAT_GUARD_OWNER", self.seat(owner)["guard"])
                red.leave("red")
                with self.assertRaises(SeatGuarded):
                    owner.offer_seat("blue")  # nobody is there who could agree
                Game(self.client, owner.name).take("blue", "somebody")
                owner.leave("blue")
                with self.assertRaises(SeatGuarded):
                    blue.take("blue", "blue")  # the token of then is void since somebody else sat there


if __name__ == "__main__":
    unittest.main()
