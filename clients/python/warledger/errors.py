"""What goes wrong, as the server says it."""

from __future__ import annotations

from typing import Any, Mapping

# HTTP answers that do not come from the server itself but from something between, by the table of the Connect protocol.
_HTTP_CODES = {
    400: "internal",
    401: "unauthenticated",
    403: "permission_denied",
    404: "unimplemented",
    429: "unavailable",
    502: "unavailable",
    503: "unavailable",
    504: "unavailable",
}


class WarledgerError(Exception):
    """A call that the server did not carry out.

    code      the gRPC code in lower case, such as "not_found"
    reason    why, one of docs/reference/errors.md, such as "GAME_NOT_FOUND"; empty if the server did not say
    metadata  what the error is about: pieces, spaces, numbers, all as text
    retry     seconds after which the same call may be made again, None if the server named no time
    """

    def __init__(self, code: str, message: str, reason: str = "", metadata: Mapping[str, str] | None = None,
        retry: float | None = None):
        super().__init__(f"{code}: {message}" if message else code)
        self.code = code
        self.message = message
        self.reason = reason
        self.metadata = dict(metadata or {})
        self.retry = retry


class Refused(WarledgerError):
    """A command that the rules do not allow; `rule` is the paragraph that says so, such as "DF 6.1-b"."""

    @property
    def rule(self) -> str:
        return self.metadata.get("rule", "")


class VersionConflict(WarledgerError):
    """The game has moved on since the version that the command was made for: look again."""


class SeatGuarded(WarledgerError):
    """A free seat shows what was hidden, so the others must agree before it is taken: `Game.offer_seat` asks them.

    `Game.offer_seat` raises it too, if nobody is there who could agree.
    """

    @property
    def seat(self) -> str:
        """The seat."""
        return self.metadata.get("seat", "")

    @property
    def guard(self) -> str:
        """Who may not take it: "owner" (the owner and those invited) or "all" (everyone but its last holder)."""
        return self.metadata.get("guard", "")


def from_answer(body: Any, status: int = 0) -> WarledgerError:
    """The error in the body of an answer; `status` is HTTP's, for bodies that something between has written."""
    if not isinstance(body, dict):
        body = {}
    code = body.get("code") or _HTTP_CODES.get(status, "unknown")
    reason, metadata, retry = "", {}, None
    for detail in body.get("details", ()):
        said = detail.get("debug") or {}
        kind = detail.get("type", "")
        if kind == "google.rpc.ErrorInfo":
            reason, metadata = said.get("reason", ""), said.get("metadata", {})
        elif kind == "google.rpc.RetryInfo":
            retry = _seconds(said.get("retryDelay"))
    kind = WarledgerError
    if code == "failed_precondition" and metadata.get("rule"):
        kind = Refused
    elif reason == "VERSION_CONFLICT":
        kind = VersionConflict
    elif reason == "SEAT_GUARDED":
        kind = SeatGuarded
    return kind(code, body.get("message", "" if body else f"HTTP {status}"), reason, metadata, retry)


def _seconds(duration: str | None) -> float | None:
    """Seconds of a protobuf Duration in JSON, such as "1.500s"."""
    try:
        return float((duration or "").removesuffix("s"))
    except ValueError:
        return None


class LogInconsistent(WarledgerError):
    """The server's log contradicts what it showed before, or the server asks for a link twice: it may be choosing the
    dice.

    Nothing was revealed. Do not play on before you know why; a server that was restored from a backup does so too.
    """

    def __init__(self, message: str):
        super().__init__("data_loss",
            "the server's log contradicts what it showed before, so no link is revealed for its dice: " + message,
            "LOG_INCONSISTENT")


class ThrowTakenBack(WarledgerError):
    """An undo took back a throw that a link of the seat went into, and the player neither asked for the undo nor agreed
    to it from here.

    Whoever has the seat's token can agree in the player's name, and throw again until the dice are better. Nothing was
    revealed. If it was the player, with another program, `Game.accept_undo` goes on.

    seat   whose link went into the throw
    undo   version of the record that took it back
    throw  version of the newest command among those whose dice were taken back
    """

    def __init__(self, seat: str, undo: int, throw: int):
        super().__init__("data_loss",
            f"a throw that the seat had a part in was taken back: record {undo} takes back the dice of record {throw}, "
            f"and nobody agreed to that for {seat} from here; if no other program of yours did, somebody throws again "
            "in your name",
            "THROW_TAKEN_BACK")
        self.seat, self.undo, self.throw = seat, undo, throw
