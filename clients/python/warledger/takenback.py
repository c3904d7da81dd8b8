"""Throws with mutual dice that were taken back, and whether the player agreed.

Whoever has a player's token can agree to an undo in the player's name, and a partner throws again. So the client keeps
beside the chain which undos its player asked for, or agreed to.
"""

from __future__ import annotations

from typing import Any

from .errors import LogInconsistent, ThrowTakenBack
from .proof import KIND_REDO, KIND_UNDO, Proved

# A part of the log, by version.
Log = dict[int, Proved]


def with_consent(kept: dict[str, Any], version: int, target: int) -> dict[str, Any]:
    """What is kept of a seat, with an undo that its player agrees to or asks for.

    version  how far the player knows the game: what comes later may not be taken back with this consent
    target   the version that shall be the head again; 0 for that before the last command
    """
    consent = {"version": version, "target": target} if target else {"version": version}
    return {**kept, "agreed": [*kept.get("agreed", ()), consent]}


def moves(proved: Proved) -> bool:
    """Whether a record moves the head along the line of play: an undo or a redo."""
    return proved.kind in (KIND_UNDO, KIND_REDO)


def check(log: Log, proved: Proved, kept: dict[str, Any], seat: str) -> None:
    """Looks at one move of the head, if the record is one.

    Raises LogInconsistent if the head cannot go there, and ThrowTakenBack if it takes back a throw of the seat's
    without consent.
    """
    if not moves(proved):
        return
    back = _between(log, proved)
    if proved.kind != KIND_UNDO:
        return
    throw = _newest_throw(log, back, kept.get("since", 0), seat)
    if throw and not _agreed(kept, proved, throw, len(back)):
        raise ThrowTakenBack(seat, proved.version, throw)


def _between(log: Log, move: Proved) -> list[Proved]:
    """The commands between the two ends of a move along the line, latest first, asides excepted."""
    at, end = max(move.parent, move.head), min(move.parent, move.head)
    wrong = (move.kind == KIND_UNDO) != (at == move.parent)
    commands = []
    while at != end:
        one = log.get(at)
        if one is None or at < end or wrong or one.parent >= at:
            raise LogInconsistent(
                f"record {move.version} moves the head from {move.parent} to {move.head}, which are not on one line")
        if not one.aside:
            commands.append(one)
        at = one.parent
    return commands


def _newest_throw(log: Log, commands: list[Proved], since: int, seat: str) -> int:
    """The first of some commands whose dice a link of the seat went into, asked for after a record; 0 if none exists.

    Throws that were asked for before the player's first chain are not the player's. Chains that older programs kept do
    not say when that was; there all of the seat's count.
    """
    for one in commands:
        if one.asked > since and one.asked in log and seat in (log[one.asked].owed or {}):
            return one.version
    return 0


def _agreed(kept: dict[str, Any], undo: Proved, throw: int, commands: int) -> bool:
    """Whether the player agreed to an undo, knowing the newest throw that it takes back."""
    for one in kept.get("agreed", ()):
        target = one.get("target", 0)
        if throw <= one["version"] <= undo.version and (target == undo.head or (target == 0 and commands == 1)):
            return True
    return False
