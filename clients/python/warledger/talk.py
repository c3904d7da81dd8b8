"""What people say to each other in a game: at the table, to their side, and in notes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from .client import Client, fresh_id
from .errors import WarledgerError


class Talk:
    """The part of a game that is about talk."""

    client: Client
    name: str

    def _held(self) -> list[str]:
        raise NotImplementedError

    def say(self, text: str, seat: str = "", audience: str = "AUDIENCE_TABLE", space: str = "",
        record: int = 0, request_id: str = "") -> dict[str, Any]:
        """Says something: at the table, to the side (AUDIENCE_SIDE) or as a note (AUDIENCE_SELF).

        It may be pinned to a space of the map or to a record. The same `request_id` says something once.
        """
        message: dict[str, Any] = {"seat": seat, "audience": audience, "text": text}
        if space:
            message["space"] = space
        elif record:
            message["record"] = record
        request = {"parent": self.name, "message": message, "requestId": request_id or fresh_id()}
        return self._talk("CreateMessage", request)["message"]

    def messages(self, viewer: str = "", audience: str = "AUDIENCE_UNSPECIFIED",
        page_size: int = 0) -> Iterator[dict[str, Any]]:
        """What was said and may be read, newest first."""
        request = {"parent": self.name, "viewer": viewer, "audience": audience, "pageSize": page_size}
        while True:
            page = self._talk("ListMessages", request)
            yield from page.get("messages", [])
            if not page.get("nextPageToken"):
                return
            request["pageToken"] = page["nextPageToken"]

    def delete_message(self, name: str) -> None:
        """Deletes a message for everybody. One that is gone is no error."""
        self._talk("DeleteMessage", {"name": name})

    def talk(self) -> dict[str, Any]:
        """The settings of the talk: who is muted, who may write, and whether spectators read."""
        return self._talk("GetTalk", {"name": self.name + "/talk"})["talk"]

    def let_spectators_read(self, read: bool) -> dict[str, Any]:
        """Says whether spectators may read what is said at the table; for the owner."""
        return self._talk("UpdateTalk", {"name": self.name + "/talk", "spectatorsRead": read})["talk"]

    def mute(self, muted: str, seat: str = "", for_all: bool = False) -> dict[str, Any]:
        """Hides from `seat` what another seat writes. With `for_all` the owner mutes that seat for everybody."""
        request = {"name": self.name, "muted": muted, "seat": seat, "forAll": for_all}
        return self._talk("MuteSeat", request)["talk"]

    def unmute(self, muted: str, seat: str = "", for_all: bool = False) -> dict[str, Any]:
        """Takes a `mute` back."""
        request = {"name": self.name, "muted": muted, "seat": seat, "forAll": for_all}
        return self._talk("UnmuteSeat", request)["talk"]

    def report(self, message: str, reason: str, seat: str = "") -> None:
        """Reports a message of somebody else to the owner, by its name."""
        self._talk("ReportMessage", {"name": message, "reason": reason, "seat": seat})

    def reports(self) -> list[dict[str, Any]]:
        """What was reported, oldest first; for the owner."""
        return self._talk("ListReports", {"parent": self.name}).get("reports", [])

    def listen(self, viewer: str = "", backlog: int = 100) -> Iterator[dict[str, Any]]:
        """What is said, as it is said: messages with one of message, deleted, talk, caughtUp, heartbeat.

        After a lost connection it begins anew: what was heard before comes again, and has the same name.
        """
        attempt = 0
        while True:
            request = {"parent": self.name, "viewer": viewer, "backlog": backlog, "heartbeat": "5s"}
            try:
                for message in self.client.stream("TalkService/WatchMessages", request, self._held(), timeout=20.0):
                    attempt = 0
                    if "goingAway" in message:
                        break
                    yield message
            except WarledgerError as err:
                if err.code != "unavailable":
                    raise
            attempt += 1
            time.sleep(min(5.0, 0.05 * 2 ** min(attempt, 10)))

    def _talk(self, method: str, request: dict[str, Any]) -> dict[str, Any]:
        return self.client.call("TalkService/" + method, request, self._held())
