"""The hash of a record, computed from its proof (docs/reference/log-format.md), and the little of protobuf that this
needs."""

from __future__ import annotations

import base64
import hashlib
import struct
from typing import Any, Iterator, NamedTuple

_LEAF_KINDS = {"LEAF_KIND_COMMAND": 1, "LEAF_KIND_ROLL": 2, "LEAF_KIND_EVENT": 3}
_KIND_CREATED, _KIND_COMMAND, _KIND_ASK = 1, 2, 6
KIND_TABLE, KIND_UNDO, KIND_REDO = 3, 4, 5
_TABLE_EVENT = "warledger.log.v1.TableEvent"


class BadProof(ValueError):
    """A record has no proof, or one that does not fit it."""


class Proved(NamedTuple):
    """What the header of a record says, with the hash that was computed for it."""

    game: str
    version: int
    command: bool  # whether it carries a command out
    asked: int  # version of the record that asked for its dice, 0 for none
    prev: bytes
    hash: bytes
    owed: dict[str, int] | None  # links that it asks for, by seat; None if it asks for none
    commits: list[tuple[str, bytes]]  # seats that it commits to chains, with the anchors
    kind: int  # number of its RecordKind
    parent: int  # version that was the head before it
    head: int  # version that is the head after it
    aside: bool  # whether it is an aside
    seat: str  # seat that acted
    request: str  # id that the client gave the command
    undo_asked: int  # version to which it asks to take back, 0 if it asks for no undo
    undo_refused: bool  # whether it refuses an undo that was asked for, or withdraws it
    # Seats that are "taken" with the anchor of a chain, "left" or "freed" by it, or whose last holder "yields" them.
    sits: list[tuple[str, str, bytes]]
    needed: tuple[str, ...] = ()  # seats that must agree to the undo that it asks for

    def placed(self) -> bool:
        """Whether it leaves the head where its kind does. `takenback` looks where an undo or a redo may move it."""
        if self.kind in (_KIND_CREATED, _KIND_COMMAND):
            return self.head == self.version
        if self.kind == KIND_UNDO:
            return self.head < self.parent
        if self.kind == KIND_REDO:
            return self.head > self.parent
        return self.head == self.parent


def prove(record: dict[str, Any]) -> Proved:
    """Reads the proof of a record, as ListRecords returns it with includeProofs. Raises BadProof if hash and contents
    disagree."""
    try:
        return _prove(record.get("proof") or {})
    except (ValueError, KeyError, TypeError, AttributeError, struct.error, IndexError) as err:
        raise BadProof(f"record {record.get('version')}: {err}") from err


def _prove(proof: dict[str, Any]) -> Proved:
    prev, header = unbase64(proof.get("prevHash", "")), unbase64(proof.get("header", ""))
    leaves = proof.get("leaves", [])
    if len(prev) != 32:
        raise BadProof("it comes without its proof")
    parts = [field(b"warledger/log/1/record"), prev, hashlib.sha256(header).digest(), struct.pack(">I", len(leaves))]
    for leaf in leaves:
        parts.append(struct.pack(">II", _LEAF_KINDS[leaf["kind"]], int(leaf.get("audience", 0))) + _digest(leaf))
    hashed = hashlib.sha256(b"".join(parts)).digest()
    if hashed != unbase64(proof.get("hash", "")):
        raise BadProof("the hash is not that of its contents")
    says = dict(_fields(header))
    kind = says.get(7, 0)
    _check_shown(leaves, kind)
    owed = _owed(leaves) if kind == _KIND_ASK else None
    return Proved(says.get(1, b"").decode(), says.get(2, 0), kind == _KIND_COMMAND, says.get(11, 0), prev, hashed, owed,
        _commits(leaves), kind, says.get(3, 0), says.get(8, 0), bool(says.get(12, 0)), says.get(5, b"").decode(),
        says.get(6, b"").decode(), *_asks_back(leaves), _sits(leaves), _needed(leaves))


def _check_shown(leaves: list[dict[str, Any]], kind: int) -> None:
    """Refuses a proof that hides what everyone may see: a chain could be replaced behind a digest.

    Nor may a change of the table, or what a record asks for, be for some viewers only.
    """
    for number, leaf in enumerate(leaves):
        everyone = int(leaf.get("audience", 0)) == 0
        if everyone and leaf.get("payload") is None:
            raise BadProof(f"it hides part {number}, which everyone may see")
        if not everyone and leaf["kind"] == "LEAF_KIND_EVENT" and kind in (KIND_TABLE, _KIND_ASK):
            raise BadProof(f"it keeps part {number}, a change of the table, from some viewers")


def _digest(leaf: dict[str, Any]) -> bytes:
    payload = leaf.get("payload")
    if payload is None:
        digest = unbase64(leaf.get("digest", ""))
        if len(digest) != 32:
            raise BadProof("a leaf has neither contents nor a digest")
        return digest
    schema = struct.pack(">I", int(payload.get("schema", 0)))
    parts = [b"warledger/log/1/leaf", unbase64(leaf.get("salt", "")), payload.get("type", "").encode()]
    return hashlib.sha256(b"".join(map(field, parts)) + schema + field(unbase64(payload.get("data", "")))).digest()


def _owed(leaves: list[dict[str, Any]]) -> dict[str, int] | None:
    """The links of the DiceAsked (field 20 of a TableEvent) among the leaves."""
    for event in _table_events(leaves):
        asked = event.get(20)
        if asked is not None:
            links = [dict(_fields(link)) for number, link in _fields(asked) if number == 2]
            return {link.get(1, b"").decode(): link.get(2, 0) for link in links}
    return None


# Fields of a TableEvent that may commit a seat to a chain, with the field of the chain: SeatTaken, DiceAnswered,
# ChainRenewed.
_COMMITTING = {1: 10, 21: 4, 22: 2}


def _commits(leaves: list[dict[str, Any]]) -> list[tuple[str, bytes]]:
    found = []
    for event in _table_events(leaves):
        for number, at in _COMMITTING.items():
            says = dict(_fields(event.get(number, b"")))
            if at in says:
                found.append((says.get(1, b"").decode(), dict(_fields(says[at])).get(1, b"")))
    return found


def _asks_back(leaves: list[dict[str, Any]]) -> tuple[int, bool]:
    """The target of the UndoAsked (field 5 of a TableEvent), and whether an UndoAnswered (6) refuses."""
    target, refused = 0, False
    for event in _table_events(leaves):
        if 5 in event:
            target = dict(_fields(event[5])).get(2, 0)
        if 6 in event:
            refused = refused or not dict(_fields(event[6])).get(3, 0)
    return target, refused


def _needed(leaves: list[dict[str, Any]]) -> tuple[str, ...]:
    """The seats that must agree, in the UndoAsked (field 5 of a TableEvent) among the leaves."""
    return tuple(seat.decode() for event in _table_events(leaves) if 5 in event
        for number, seat in _fields(event[5]) if number == 3)


def _sits(leaves: list[dict[str, Any]]) -> list[tuple[str, str, bytes]]:
    """Who takes a seat (SeatTaken, field 1 of a TableEvent) or leaves it (SeatLeft, 2, and Resigned, 3, if the game
    goes on). SeatAnswered (31) yields a seat if its last holder agrees that another takes it."""
    found = []
    for event in _table_events(leaves):
        for number in (1, 2, 3, 31):
            if number not in event:
                continue
            says = dict(_fields(event[number]))
            seat = says.get(1, b"").decode()
            if number == 1:
                found.append((seat, "taken", dict(_fields(says.get(10, b""))).get(1, b"")))
            elif number == 2:
                found.append((seat, "freed" if says.get(2, 0) else "left", b""))
            elif says.get(3, 0):
                found.append((seat, "left" if number == 3 else "yields", b""))
    return found


def _table_events(leaves: list[dict[str, Any]]) -> Iterator[dict[int, Any]]:
    """The fields of each TableEvent among the leaves."""
    for leaf in leaves:
        payload = leaf.get("payload") or {}
        if leaf["kind"] == "LEAF_KIND_EVENT" and payload.get("type") == _TABLE_EVENT:
            yield dict(_fields(unbase64(payload.get("data", ""))))


def _fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a protobuf message: numbers for varints, bytes for the rest."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = _varint(data, at)
        else:
            size, at = _varint(data, at) if kind == 2 else ({1: 8, 5: 4}[kind], at)
            value, at = data[at : at + size], at + size
            if at > len(data):
                raise BadProof("a message is cut off")
        yield tag >> 3, value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at
        if shift > 63:
            raise BadProof("a number is too long")


def field(data: bytes) -> bytes:
    """Returns bytes after their length, the form in which everything is hashed."""
    return struct.pack(">I", len(data)) + data


def unbase64(text: str) -> bytes:
    """Decodes bytes from JSON."""
    return base64.b64decode(text, validate=True)
