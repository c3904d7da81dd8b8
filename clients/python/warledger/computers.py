"""Computer players: giving seats to them, and offering a bot of one's own as one."""

from __future__ import annotations

import base64
import os
import random
import threading
import time
from typing import Any, Callable, Mapping, Sequence

from .client import Client
from .errors import WarledgerError
from .game import Game

# Errors that mean that the computer no longer holds a seat.
_GONE = ("TOKEN_REVOKED", "TOKEN_UNKNOWN", "TOKEN_EXPIRED", "NOT_YOUR_SEAT", "GAME_NOT_FOUND", "GAME_OVER")

# How often in a row a bot may fail before its seat plays random moves.
_FAILURES = 3

# A bot chooses one of the actions that `Game.legal` lists, and sees the game through the seat's own tokens.
Bot = Callable[[Game, str, Sequence[Mapping[str, Any]]], Mapping[str, Any]]


def new_account() -> str:
    """Draws the token of an account for a computer. Whoever has it is that computer, at every server: keep it as a
    secret."""
    return "wl_b_" + base64.b32encode(os.urandom(32)).decode().rstrip("=").lower()


class Crew:
    """Offers a bot at a server as a computer player, and plays the seats that it is given, each in a thread of its own.

    account    the token of the computer's account; see `new_account`
    title      what it is called at the table
    rulesets   what it plays, such as ["toy"]
    choose     the bot: it gets the game, the seat and the legal actions, and returns one of them
    max_seats  how many seats it plays at once, 1 to 64
    failed     is told the seat and the error when something goes wrong with a seat; it goes on

    It agrees to whatever it is asked, since it is there for the people at the table. After three failures in a row its
    seat plays random moves.
    """

    def __init__(
        self,
        client: Client,
        account: str,
        title: str,
        rulesets: Sequence[str],
        choose: Bot,
        max_seats: int = 4,
        description: str = "",
        failed: Callable[[Mapping[str, Any], Exception], None] | None = None,
    ):
        self.client = client
        self.account = account
        self.offer = {
            "title": title,
            "description": description,
            "repertoire": [{"ruleset": f"rulesets/{name}"} for name in rulesets],
            "maxSeats": max_seats,
            "heartbeat": "2s",
        }
        self.choose = choose
        self.name = ""  # "computers/…" once the bot is on offer
        self._failed = failed or (lambda seat, error: None)
        self._playing: set[str] = set()
        self._stopping = threading.Event()

    def run(self) -> None:
        """Offers the bot and plays until `stop`. Raises the error that waiting does not mend, such as a name that is
        taken."""
        pause = 0.1
        while not self._stopping.is_set():
            try:
                for message in self.client.stream("ComputerService/OfferComputer", self.offer, [self.account],
                    timeout=10.0):
                    pause = 0.1
                    self.name = message.get("offered", {}).get("name", self.name)
                    if "seat" in message:
                        self._begin(message["seat"])
                    if self._stopping.is_set():
                        return
            except WarledgerError as err:
                if err.code not in ("unavailable", "resource_exhausted"):
                    raise
            self._stopping.wait(pause)
            pause = min(5.0, 2 * pause)

    def stop(self) -> None:
        """Ends `run` at the next message of the server, two seconds later at most. The seats wait for the next
        `run`."""
        self._stopping.set()

    def _begin(self, seat: Mapping[str, Any]) -> None:
        if seat["token"] not in self._playing:
            self._playing.add(seat["token"])
            threading.Thread(target=self._thread, args=(seat,), daemon=True).start()

    def _thread(self, seat: Mapping[str, Any]) -> None:
        try:
            self._play(seat)
        finally:
            self._playing.discard(seat["token"])
            self.client.close()  # the connection of this thread

    def _play(self, seat: Mapping[str, Any]) -> None:
        """Plays a seat until the game is over or the seat is taken back. What fails is tried again."""
        game = Game(self.client, seat["name"], {seat["seat"]: seat["token"]})
        failures, pause = 0, 0.1
        while not self._stopping.is_set():
            try:
                for message in game.watch(after=game.get()["version"]):
                    if "record" in message or "caughtUp" in message:
                        if self._act(game, seat["seat"], chance=failures >= _FAILURES):
                            return
                        pause = 0.1
                    if self._stopping.is_set():
                        return
            except WarledgerError as err:
                if err.reason in _GONE:
                    return
                failures += err.code != "unavailable"
                self._failed(seat, err)
            except Exception as err:  # whatever a bot raises is its seat's trouble alone
                failures += 1
                self._failed(seat, err)
            time.sleep(pause)
            pause = min(60.0, 2 * pause)

    def _act(self, game: Game, seat: str, chance: bool) -> bool:
        """Decides for as long as the game waits for the seat. Returns whether the game is over."""
        while not self._stopping.is_set():
            now = game.get()
            if now.get("over"):
                return True
            _agree(game, seat, now)
            if "pendingDice" in now or seat not in now.get("waitingFor", ()):
                return False
            actions = game.legal(seat)
            if not actions:  # the game has moved on
                continue
            action = random.choice(actions) if chance else self.choose(game, seat, actions)
            try:
                game.submit(seat, action["command"], expected=now["version"])
            except WarledgerError as err:
                if err.reason != "VERSION_CONFLICT":
                    raise
        return False


def _agree(game: Game, seat: str, now: Mapping[str, Any]) -> None:
    for pending, answer, asked in (
        ("pendingUndo", game.answer_undo, ""),
        ("pendingDeadlines", game.answer_deadlines, "proposed"),
        ("pendingSeat", game.answer_seat, ""),
    ):
        question = now.get(pending, {})
        if seat in question.get("missing", ()):
            try:
                answer(seat, question[asked] if asked else question, agree=True)
            except WarledgerError as err:
                if not err.reason.endswith("_NOT_ASKED") and err.reason != "SEAT_NOT_OFFERED":
                    raise
