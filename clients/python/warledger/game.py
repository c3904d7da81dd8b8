"""One game, as one seat, several or nobody sees it."""

from __future__ import annotations

import time
from typing import Any, Iterator, Mapping

from .client import Client, fresh_id
from .errors import WarledgerError


class Game:
    """A game of a server and the tokens that open it.

    name    such as "games/34nol3k4obdtavdlayh3bowx7y"
    tokens  the token of each seat that is held, by its id; "" is the owner's
    """

    def __init__(self, client: Client, name: str, tokens: Mapping[str, str] | None = None):
        self.client = client
        self.name = name if name.startswith("games/") else "games/" + name
        self.tokens = dict(tokens or {})

    @classmethod
    def create(
        cls,
        client: Client,
        ruleset: str,
        scenario: str,
        title: str = "",
        options: Mapping[str, str] | None = None,
        dice: str = "DICE_KIND_COMMITTED",
    ) -> Game:
        """Creates a game; who does is its owner. Seats are taken with `take`."""
        request = {
            "requestId": fresh_id(),
            "ruleset": f"rulesets/{ruleset}",
            "scenario": scenario,
            "title": title,
            "options": dict(options or {}),
            "dice": dice,
        }
        answer = client.call("GameService/CreateGame", request)
        return cls(client, answer["game"]["name"], {"": answer["ownerToken"]})

    def take(self, seat: str, holder: str) -> dict[str, Any]:
        """Takes a free seat in the name of `holder` and keeps its token. Returns the game."""
        answer = self._call("GameService/TakeSeat", seat=seat, holder=holder, requestId=fresh_id())
        self.tokens[seat] = answer["seatToken"]
        return answer["game"]

    def get(self) -> dict[str, Any]:
        """The game: seats, version, turn, for whom it waits, whether it is over and how it ended."""
        return self._call("GameService/GetGame")["game"]

    def legal(self, seat: str, **query: Any) -> list[dict[str, Any]]:
        """All that the seat may do now, offers included; `query` narrows it by kind, piece or space.

        An action's "command" is what `submit` takes. All pages are of one version; when the game moves on meanwhile, the list is asked for again.
        """
        while True:
            actions: list[dict[str, Any]] = []
            version, token = None, ""
            while True:
                answer = self._call("GameService/ListLegalActions", seat, seat=seat, pageToken=token, **query)
                if version not in (None, answer.get("version")):
                    break
                version = answer.get("version")
                actions += answer.get("actions", ())
                token = answer.get("nextPageToken", "")
                if not token:
                    return actions

    def submit(self, seat: str, command: str, expected: int | str | None = None, dice: list[int] | None = None, check_only: bool = False) -> dict[str, Any]:
        """Sends a command in notation. Returns the record and the game; raises Refused if the rules forbid it.

        expected    the version that it was made for; VersionConflict if the game has moved on
        dice        what the players threw, in a game with manual dice
        check_only  only asks whether it would be accepted
        """
        request: dict[str, Any] = {"seat": seat, "notation": command, "commandId": fresh_id(), "validateOnly": check_only}
        if expected is not None:
            request["expectedVersion"] = expected
        if dice:
            request["manualDice"] = dice
        return self._call("GameService/SubmitCommand", seat, **request)

    def preview(self, seat: str, command: str, policies: Mapping[str, str] | None = None) -> dict[str, Any]:
        """What the command would do: its costs, certain events and the chances of what is not certain. Nothing happens."""
        return self._call("GameService/PreviewCommand", seat, seat=seat, notation=command, policies=dict(policies or {}))

    def undo(self, seat: str, target: int | str = 0, ask: bool = False) -> dict[str, Any]:
        """Takes back the last command, or all after version `target`; `ask` asks the others where that needs them."""
        return self._call("GameService/Undo", seat, seat=seat, target=target, ask=ask, requestId=fresh_id())

    def redo(self, seat: str) -> dict[str, Any]:
        """Does again what was taken back."""
        return self._call("GameService/Redo", seat, seat=seat, requestId=fresh_id())

    def board(self, viewer: str = "", version: int | str = 0, with_map: bool = False) -> dict[str, Any]:
        """The board as `viewer` may see it ("" for all seats that are held), now or at a version."""
        return self._call("GameService/GetBoard", viewer=viewer, version=version, includeMap=with_map)["board"]

    def records(self, after: int | str = 0, viewer: str = "", language: str = "", whole_tree: bool = False) -> Iterator[dict[str, Any]]:
        """The records that lead to the head, or all of them."""
        token = ""
        while True:
            answer = self._call(
                "GameService/ListRecords", afterVersion=after, viewer=viewer, languageCode=language, wholeTree=whole_tree, pageToken=token
            )
            yield from answer.get("records", ())
            token = answer.get("nextPageToken", "")
            if not token:
                return

    def watch(self, after: int | str = 0, viewer: str = "", language: str = "", resume: str = "") -> Iterator[dict[str, Any]]:
        """What happens, as it happens, after version `after`: messages with one of board, record, caughtUp, heartbeat.

        It goes on after a lost connection or a restart of the server without losing or doubling a record, until it is closed.
        """
        attempt = 0
        while True:
            request = {"name": self.name, "viewer": viewer, "languageCode": language, "heartbeat": "5s"}
            request.update({"resumeToken": resume} if resume else {"afterVersion": after})
            try:
                for message in self.client.stream("GameService/WatchGame", request, self._held(), timeout=20.0):
                    attempt = 0
                    if "goingAway" in message:
                        break
                    yield message
                    # Only what was handed on is behind us.
                    resume = message.get("resumeToken") or resume
            except WarledgerError as err:
                if err.code != "unavailable":
                    raise
            attempt += 1
            time.sleep(min(5.0, 0.05 * 2 ** min(attempt, 10)))

    def fork(self, version: int | str = 0, private: bool = False, title: str = "") -> Game:
        """A game that begins at a version of this one, 0 for the head. A private one is the caller's alone, with every seat."""
        answer = self._call("HistoryService/ForkGame", version=version, private=private, title=title, requestId=fresh_id())
        tokens = {"": answer["ownerToken"], **answer.get("seatTokens", {})}
        return Game(self.client, answer["game"]["name"], tokens)

    def close(self, reason: str = "") -> dict[str, Any]:
        """Ends the game for good, as its owner may."""
        return self._call("GameService/CloseGame", "", reason=reason, requestId=fresh_id())["game"]

    def resign(self, seat: str) -> dict[str, Any]:
        """Gives up for the seat."""
        return self._call("GameService/Resign", seat, seat=seat, requestId=fresh_id())["game"]

    def _held(self) -> list[str]:
        return [token for seat, token in sorted(self.tokens.items()) if token]

    def _call(self, method: str, as_seat: str | None = None, **request: Any) -> dict[str, Any]:
        """Makes a call with the token of one seat, or with all where none is named."""
        tokens = self._held() if as_seat is None else [self.tokens[as_seat]] if as_seat in self.tokens else []
        return self.client.call(method, {"name": self.name, **request}, tokens)
