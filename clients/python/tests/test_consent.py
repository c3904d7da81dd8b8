"""What a consent to an undo is good for, on logs made up here."""

from __future__ import annotations

import unittest
from typing import Any

from warledger import LogInconsistent, ThrowTakenBack
from warledger.proof import KIND_REDO, KIND_TABLE, KIND_UNDO, Proved
from warledger.takenback import Judge, Log, consent

COMMAND, ASK = 2, 6
ANCHOR, OTHER, OWN = b"a" * 32, b"b" * 32, b"o" * 32


def log(*records: dict[str, Any]) -> Log:
    """A log: each record goes on from the head unless it says otherwise."""
    out: Log = {}
    head = 0
    for version, one in enumerate(records, 1):
        kind = one.get("kind", COMMAND)
        parent = one.get("parent", head)
        head = one.get("head", version if kind == COMMAND else parent)
        out[version] = Proved("game", version, kind == COMMAND, one.get("asked", 0), b"", bytes([version]) * 32,
            one.get("owed"), [], kind, parent, head, one.get("aside", False), one.get("seat", "red"),
            one.get("request", ""), one.get("undo_asked", 0), one.get("undo_refused", False), one.get("sits", []),
            one.get("needed", ()))
    return out


def digest(version: int) -> str:
    return (bytes([version]) * 32).hex()


FIRST: dict[str, Any] = {}
ASKS: dict[str, Any] = {"kind": ASK, "owed": {"blue": 1, "red": 1}}
PLAY = [FIRST, ASKS, {"asked": 2}]  # record 3 throws


def wants(target: int, request: str = "q") -> dict[str, Any]:
    return {"kind": KIND_TABLE, "undo_asked": target, "request": request}


def undo(target: int, request: str = "") -> dict[str, Any]:
    return {"kind": KIND_UNDO, "head": target, "request": request}


REFUSED: dict[str, Any] = {"kind": KIND_TABLE, "undo_refused": True}
AGREED = {"version": 4, "hash": digest(4), "target": 1}


def judge(records: list[dict[str, Any]], *agreed: dict[str, Any], since: int = 0, left: bool = False,
    comeback: tuple[bytes, ...] = ()) -> Judge:
    """Looks at a log for blue, and raises what is found."""
    full = log(*records)
    kept = {"since": since, "agreed": list(agreed), "leaves": ["mine"]}
    found = Judge(full, kept, "blue", left, set(comeback), {*comeback, OWN})
    for one in full.values():
        found.look(one)
    if found.unasked:
        raise found.unasked
    return found


class ConsentTest(unittest.TestCase):
    def test_what_a_consent_fits(self) -> None:
        by_question = [*PLAY, wants(1), undo(1)]
        alone = [*PLAY, undo(1, "r")]
        asked = {"version": 3, "hash": digest(3), "target": 1, "request": "r"}
        own_question = [*PLAY, wants(1, "r"), undo(1)]
        later = [*PLAY, wants(1), ASKS, {"asked": 5}, wants(1), undo(1)]  # record 6 throws again
        redone = {"kind": KIND_REDO, "parent": 1, "head": 3}
        for name, records, agreed, good in (
            ("no consent", by_question, [], False),
            ("blue agreed", by_question, [AGREED], True),
            ("to another target", by_question, [{**AGREED, "target": 2}], False),
            ("to none", by_question, [{**AGREED, "target": 0}], False),
            ("in another log", by_question, [{**AGREED, "hash": digest(9)}], False),
            ("to a record that is not in the log", by_question, [{**AGREED, "version": 9, "hash": digest(9)}], False),
            ("to a record that asks for nothing", by_question, [{**AGREED, "version": 3, "hash": digest(3)}], False),
            ("to the first of two questions", [*PLAY, wants(1), REFUSED, wants(1), undo(1)], [AGREED], False),
            ("to the second of two questions", [*PLAY, wants(1), REFUSED, wants(1), undo(1)],
                [{"version": 6, "hash": digest(6), "target": 1}], True),
            ("to a question that was refused", [*PLAY, wants(1), REFUSED, undo(1)], [AGREED], False),
            ("to a question before a throw", later, [AGREED], False),
            ("to the question after that throw", later, [{"version": 7, "hash": digest(7), "target": 1}], True),
            ("to a question that a command ended", [*PLAY, wants(1), {}, undo(1)], [AGREED], False),
            ("to a question with an aside after it", [*PLAY, wants(1), {"aside": True}, undo(1)], [AGREED], True),
            ("to a question for less", [*PLAY, wants(2), undo(1)], [AGREED], False),
            ("before the throw was known", by_question, [{**AGREED, "version": 2, "hash": digest(2)}], False),
            ("an older program's", by_question, [{"version": 4, "target": 1}], True),
            ("an older program's, before the throw", by_question, [{"version": 2, "target": 1}], False),
            ("an older program's, after the undo", by_question, [{"version": 6, "target": 1}], False),
            ("blue asked, and it was done at once", alone, [asked], True),
            ("blue asked with another request", alone, [{**asked, "request": "s"}], False),
            ("blue agreed, and it was done without a question", alone, [{**asked, "request": None}], False),
            ("blue asked, and red agreed", own_question, [asked], True),
            ("blue asked, and red agreed to another question", by_question, [asked], False),
            ("blue asked before a throw that red made", [*PLAY, ASKS, {"asked": 4}, undo(1, "r")], [asked], False),
            ("blue accepted it afterwards", by_question,
                [{"version": 5, "hash": digest(5), "target": 1, "undo": 5}], True),
            ("blue accepted another one", by_question,
                [{"version": 4, "hash": digest(4), "target": 1, "undo": 4}], False),
            ("it is redone, and undone again", [*by_question, redone, undo(1)], [AGREED], False),
            ("the same with two consents", [*by_question, redone, wants(1), undo(1)],
                [AGREED, {"version": 7, "hash": digest(7), "target": 1}], True),
            ("it is redone, and undone again as an older program agreed", [*by_question, redone, undo(1)],
                [{"version": 4, "target": 1}], False),
        ):
            agreed = [{key: value for key, value in one.items() if value is not None} for one in agreed]
            with self.subTest(name):
                if good:
                    found = judge(records, *agreed)
                    self.assertTrue(all(one["undo"] for one in found.agreed))
                else:
                    with self.assertRaises(ThrowTakenBack):
                        judge(records, *agreed)

    def test_which_throws_count(self) -> None:
        taken = [*PLAY, wants(1), undo(1)]
        judge(taken, since=2)  # asked for before blue had a chain
        judge([FIRST, {"kind": ASK, "owed": {"red": 1}}, {"asked": 2}, wants(1), undo(1)])
        judge([FIRST, {}, {}, undo(1)])
        with self.assertRaises(ThrowTakenBack) as caught:
            judge([*PLAY, ASKS, {"asked": 4}, undo(1)], since=1)
        self.assertEqual((6, 5), (caught.exception.undo, caught.exception.throw))

    def test_whoever_left_is_not_asked(self) -> None:
        gone: dict[str, Any] = {"kind": KIND_TABLE, "sits": [("blue", "left", b"")], "request": "mine"}
        freed: dict[str, Any] = {"kind": KIND_TABLE, "sits": [("blue", "freed", b"")]}
        reds: dict[str, Any] = {"kind": KIND_TABLE, "sits": [("red", "left", b"")]}
        blues = {**wants(1), "needed": ["blue"]}
        forged = {**gone, "request": "operator"}
        yields: dict[str, Any] = {"kind": KIND_TABLE, "sits": [("blue", "yields", b"")], "request": "mine"}
        no = {**yields, "request": "operator"}

        def sits(anchor: bytes, seat: str = "blue") -> dict[str, Any]:
            return {"kind": KIND_TABLE, "sits": [(seat, "taken", anchor)]}

        for name, records, good in (
            ("left, and came back", [*PLAY, gone, undo(1), sits(ANCHOR)], True),
            ("left, and did not come back", [*PLAY, gone, undo(1)], False),
            ("left, and another sat down", [*PLAY, gone, undo(1), sits(OTHER)], False),
            ("left, and took another seat", [*PLAY, gone, undo(1), sits(ANCHOR, "red")], False),
            ("was put out", [*PLAY, freed, undo(1), sits(ANCHOR)], False),
            ("red left", [*PLAY, reds, undo(1), sits(ANCHOR)], False),
            ("came back before it", [*PLAY, gone, sits(ANCHOR), undo(1)], False),
            ("left after it", [*PLAY, undo(1), gone, sits(ANCHOR)], False),
            ("left in blue's name", [*PLAY, forged, undo(1), sits(ANCHOR)], False),
            ("asked while away", [*PLAY, gone, wants(1), sits(ANCHOR), undo(1)], True),
            ("asked while away, blue too", [*PLAY, gone, blues, sits(ANCHOR), undo(1)], False),
            ("asked for another version", [*PLAY, gone, wants(2), sits(ANCHOR), undo(1)], False),
            ("done alone afterwards", [*PLAY, gone, wants(1), sits(ANCHOR), undo(1, "x")], False),
            ("left in blue's name, and asked", [*PLAY, forged, wants(1), sits(ANCHOR), undo(1)], False),
            ("agreed to a successor", [*PLAY, freed, yields, sits(OTHER), undo(1), sits(ANCHOR)], True),
            ("a successor in blue's name", [*PLAY, freed, no, sits(OTHER), undo(1), sits(ANCHOR)], False),
            ("a successor without asking", [*PLAY, freed, sits(OTHER), undo(1), sits(ANCHOR)], False),
            ("agreed, and came back at once", [*PLAY, freed, yields, sits(OWN), undo(1), sits(ANCHOR)], False),
        ):
            with self.subTest(name):
                if good:
                    self.assertFalse(judge(records, comeback=(ANCHOR,)).left)
                else:
                    with self.assertRaises(ThrowTakenBack):
                        judge(records, comeback=(ANCHOR,))
        judge([*PLAY, undo(1), sits(ANCHOR)], left=True, comeback=(ANCHOR,))

    def test_what_is_kept(self) -> None:
        """A consent is kept for a throw of the seat's only, with what the proved log says."""
        shown = {"asked": "4", "seat": "red", "target": "1"}
        aside, own_aside = {"aside": True}, {"aside": True, "seat": "blue"}
        kept = {"hash": digest(3), "version": 3, "target": 1, "request": "r"}
        reds = [FIRST, {"kind": ASK, "owed": {"red": 1}}, {"asked": 2}]
        for name, records, what, want in (
            ("agreed", [*PLAY, wants(1)], {"shown": shown}, AGREED),
            ("agreed, a while after", [*PLAY, wants(1), aside], {"shown": shown}, AGREED),
            ("agreed to take back no throw", [*PLAY, wants(3)], {"shown": {**shown, "target": "3"}}, None),
            ("agreed to take back red's throw", [*reds, wants(1)], {"shown": shown}, None),
            ("agreed to take back a throw before blue's chain", [*PLAY, wants(1)], {"shown": shown, "since": 2}, None),
            ("asked", PLAY, {"target": 1}, kept),
            ("asked for the last command", PLAY, {}, kept),
            ("asked for more", [*PLAY, {}], {"target": 1}, {**kept, "version": 4, "hash": digest(4)}),
            ("asked for a command without dice", [*PLAY, {}], {}, None),
            ("asked for what is no older version", PLAY, {"target": 3}, None),
            ("asked for the last command before red's aside", [*PLAY, aside], {},
                {**kept, "version": 4, "hash": digest(4)}),
            ("asked to take back an aside", [*PLAY, own_aside], {}, None),
            ("asked for where no command was", [*PLAY, ASKS, {"asked": 4}], {"target": 2}, None),
        ):
            with self.subTest(name):
                full = log(*records)
                got = consent({"since": what.get("since", 0)}, "blue", full[len(full)], full, lambda _: None,
                    lambda seat: seat == "blue", what.get("target", 0), what.get("shown"), "r")
                self.assertEqual(want, got)
        for name, lie in (
            ("a smaller undo", {**shown, "target": "3"}),
            ("an undo of another seat", {**shown, "seat": "blue"}),
            ("a record that asks for nothing", {**shown, "asked": "3"}),
            ("a record that is not there", {**shown, "asked": "9"}),
        ):
            with self.subTest(name), self.assertRaises(LogInconsistent):
                full = log(*PLAY, wants(1))
                consent({}, "blue", full[4], full, lambda _: None, lambda seat: seat == "blue", 0, lie, "")

    def test_the_head_goes_along_the_line(self) -> None:
        for name, move in (
            ("to where no command was", undo(2)),
            ("forward by an undo", {"kind": KIND_UNDO, "parent": 1, "head": 3}),
            ("back by a redo", {"kind": KIND_REDO, "head": 1}),
        ):
            with self.subTest(name), self.assertRaises(LogInconsistent):
                judge([*PLAY, move])


if __name__ == "__main__":
    unittest.main()
