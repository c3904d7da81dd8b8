"""Throws with mutual dice that were taken back, and whether the player agreed.

Whoever has a player's token can agree to an undo in the player's name, and a partner throws again. So the client keeps
beside the chain which undos its player asked for, or agreed to.
"""

from __future__ import annotations

from typing import Any, Callable, Mapping

from .errors import LogInconsistent, ThrowTakenBack
from .proof import KIND_REDO, KIND_TABLE, KIND_UNDO, Proved

# A part of the log, by version.
Log = dict[int, Proved]


# A consent is a dict that JSON can hold, of the same shape as the Go client's:
#
# version  how far the player knew the game: what came later may not be taken back with it; the record that asked, if
#          the player agreed
# hash     that of the record; older programs did not keep it, and their consent fits any undo to the target
# target   the version that shall be the head again; without it, as older programs kept it, it fits nothing
# request  the id of the request in which the player asked; missing if the player agreed
# undo     the version of the undo for which it has served; missing before
Consent = dict[str, Any]


def moves(proved: Proved) -> bool:
    """Whether a record moves the head along the line of play: an undo or a redo."""
    return proved.kind in (KIND_UNDO, KIND_REDO)


class Judge:
    """Looks at the undos of a part of the log, in order, for a seat.

    log       that part, as far back as its undos reach
    left      whether the player had given the seat up at first, and had no say: the server asks such a player nothing.
              It does ask one whom the owner put out
    comeback  the anchors of chains with which the player, who had left, was to take the seat again
    own       the anchors of all chains that were sent from here

    The kept "leaves" are the ids of the player's own requests to leave, and to have another take the seat. Whoever has
    the seat's token can leave it in the player's name, so no other leaving counts.
    """

    def __init__(self, log: Log, kept: dict[str, Any], seat: str, left: bool, comeback: set[bytes],
        own: set[bytes] | None = None) -> None:
        self._log, self._seat, self._since, self._comeback = log, seat, kept.get("since", 0), comeback
        self._own, self._leaves = own or comeback, kept.get("leaves", ())
        self.left = left
        # Whether the owner has put the player out, and whether the player has agreed since that another sits down.
        self._out = self._yields = False
        # Questions that did not ask the player, who had left. An undo that follows from one asked the player nothing,
        # even if the player took the seat again meanwhile.
        self._spared: set[int] = set()
        self.agreed: list[Consent] = [dict(one) for one in kept.get("agreed", ())]
        # The first undo since the seat was left that took back a throw of the player's. It counts if the seat turns out
        # not to have been taken again: then the record in which it was left is a forgery.
        self.unasked: ThrowTakenBack | None = None

    def look(self, proved: Proved) -> None:
        """Takes the next record. Raises LogInconsistent if it moves the head where it cannot go, and ThrowTakenBack if
        it takes back a throw of the seat's without consent."""
        self.note(proved)
        if not moves(proved):
            return
        back = _between(self._log, proved)
        throw = _newest_throw(self._log, back, self._since, self._seat) if proved.kind == KIND_UNDO else 0
        if not throw or self._consented(proved, throw) or self._spares(proved):
            return
        alarm = ThrowTakenBack(self._seat, proved.version, throw)
        if not self.left:
            raise alarm
        self.unasked = self.unasked or alarm

    def note(self, proved: Proved) -> None:
        """Follows who holds the seat, and which questions ask the player."""
        sent = bool(proved.request) and proved.request in self._leaves
        for seat, what, anchor in proved.sits:
            if seat != self._seat:
                continue
            if what == "left":
                self.left = self.left or sent
            elif what == "freed":
                self._out, self._yields = True, False
            elif what == "yields":
                self._yields = self._out and sent
            else:
                self._taken(anchor)
        if proved.undo_asked and self.left and self._seat not in proved.needed:
            self._spared.add(proved.version)

    def _taken(self, anchor: bytes) -> None:
        if anchor in self._comeback:
            self.left, self.unasked = False, None
        elif anchor not in self._own:
            self.left = self.left or (self._out and self._yields)
        self._out = self._yields = False

    def _spares(self, undo: Proved) -> bool:
        """Whether an undo follows from a question that did not ask the player."""
        asked = None if undo.request else _question(self._log, undo)
        return asked is not None and asked.undo_asked == undo.head and asked.version in self._spared

    def _consented(self, undo: Proved, throw: int) -> bool:
        """Whether the player agreed to an undo, knowing the newest throw that it takes back. Notes that the consent has
        served."""
        for one in self.agreed:
            if _fits(one, self._log, undo, throw):
                one["undo"] = undo.version
                return True
        return False


def _fits(one: Consent, log: Log, undo: Proved, throw: int) -> bool:
    version = one["version"]
    if one.get("target", 0) != undo.head or not throw <= version <= undo.version:
        return False
    if one.get("undo", undo.version) != undo.version:
        return False
    if "hash" not in one:
        return True
    if version not in log or log[version].hash.hex() != one["hash"]:
        return False
    if version == undo.version:  # accepted afterwards
        return True
    if undo.request:  # a seat did it alone
        return one.get("request") == undo.request
    asked = _question(log, undo)
    if asked is None or asked.undo_asked != undo.head:
        return False
    return asked.request == one["request"] if "request" in one else asked.version == version


def _question(log: Log, undo: Proved) -> Proved | None:
    """The record that asked for an undo that follows from consent. A command, a move of the head, dice that are asked
    for, and a refusal end a question, and an aside does not."""
    at = undo.version - 1
    while (one := log.get(at)) is not None and (one.kind == KIND_TABLE or one.aside):
        if one.undo_asked:
            return one
        if one.undo_refused:
            return None
        at -= 1
    return None


def _line(log: Log, at: int, end: int) -> list[Proved] | None:
    """The commands from a version of the line of play back to an older one, latest first; None if the older one is not
    on that line."""
    commands = []
    while at != end:
        one = log.get(at)
        if one is None or at < end or one.parent >= at:
            return None
        commands.append(one)
        at = one.parent
    return commands


def _between(log: Log, move: Proved) -> list[Proved]:
    """The commands between the two ends of a move of the head, latest first."""
    commands = _line(log, max(move.parent, move.head), min(move.parent, move.head))
    if commands is None or (move.kind == KIND_UNDO) != (move.head < move.parent):
        raise LogInconsistent(
            f"record {move.version} moves the head from {move.parent} to {move.head}, which are not on one line")
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


def consent(
    kept: dict[str, Any], seat: str, last: Proved, log: Log, reach: Callable[[int], None], acts: Callable[[str], bool],
    target: int, shown: Mapping[str, Any] | None, request: str,
) -> Consent | None:
    """What must be kept for a seat before its player asks for an undo, or agrees to one: None if what it takes back has
    no throw of the seat's.

    last     the newest record of the log, which `log` holds in part
    reach    reads the log from an older record on into `log`
    acts     tells whether the player speaks for a seat
    target   where the head shall go; 0 for before the last command, asides of others passed over
    shown    the question as the player was shown it, if the player agrees; None for a player who asks with `request`

    Raises LogInconsistent if the log does not ask what was shown: a server could show a small undo, ask for a large one
    in the log, and have the player agree to that.
    """
    one: Consent = {"version": last.version, "hash": last.hash.hex(), "target": target, "request": request}
    if shown:
        asked, was = int(shown["asked"]), (shown.get("seat", ""), int(shown.get("target", 0)))
        reach(asked)
        question = log.get(asked)
        if question is None or not question.undo_asked:
            raise LogInconsistent(f"record {asked} asks for no undo")
        if (says := (question.seat, question.undo_asked)) != was:
            raise LogInconsistent(
                f"in record {asked} {says[0]} asks to go back to {says[1]}, and shown was that {was[0]} asks to go "
                f"back to {was[1]}")
        one = {"version": asked, "hash": question.hash.hex(), "target": question.undo_asked}
    elif not target:
        one["target"] = _before_last(last.head, log, reach, acts)
    if not 0 < one["target"] < last.head:
        return None  # the server refuses
    reach(one["target"])
    back = _line(log, last.head, one["target"])
    return one if back and _newest_throw(log, back, kept.get("since", 0), seat) else None


def _before_last(head: int, log: Log, reach: Callable[[int], None], acts: Callable[[str], bool]) -> int:
    while True:
        reach(head)
        last = log.get(head)
        if last is None or last.parent >= head:
            raise LogInconsistent(f"the head is at {head}, which is no command")
        if not last.aside or acts(last.seat):
            return last.parent
        head = last.parent
