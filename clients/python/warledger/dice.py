"""Mutual dice: the chain of a seat, where it is kept, and the answers that it gives (docs/howto/clients.md, "Mutual
dice")."""

from __future__ import annotations

import base64
import contextlib
import copy
import hashlib
import json
import os
import secrets
import tempfile
import threading
from typing import Any, Callable, Iterable, Iterator, Mapping, Protocol

from . import takenback
from .errors import LogInconsistent, ThrowTakenBack, WarledgerError
from .proof import BadProof, Proved, field, prove, unbase64

_LABEL = b"warledger/dice/2/link"

# How many links a new chain has. When they are spent, the seat commits to a new chain.
_USUAL = 1024

# What is kept for the seat rather than for one of its chains. It stays with the chain in use.
_OF_SEAT = ("sent", "since", "agreed", "leaves")


class NoChain(WarledgerError):
    """The chain of the seat is not kept here. `Game.renew_chain` makes a new one once nothing is asked for."""

    def __init__(self, seat: str):
        super().__init__("failed_precondition", f"the chain of {seat} for mutual dice is not kept here", "NO_CHAIN")


class ChainReplaced(WarledgerError):
    """The server has a chain for the seat that was not sent from here.

    Unless another program of the player sent it, somebody else answers for the dice in the player's name: stop playing
    there. If it was the player, `Game.renew_chain` has this program answer again, and `Game.forget_chain` leaves it to
    the other one.
    """

    def __init__(self, seat: str, where: str = ""):
        message = (
            f"the server has a chain for the dice of {seat} that was not sent from here{where}: "
            "if no other program of yours sent it, somebody else answers in your name"
        )
        super().__init__("data_loss", message, "CHAIN_REPLACED")


# Reads the records of the whole tree from a version on, with proofs.
Tree = Callable[[int], Iterable[dict[str, Any]]]


class ChainChanged(Exception):
    """Another program has changed what is kept of a chain."""


# Errors that mean that somebody may be choosing or foreseeing the dice.
ALARMS = (LogInconsistent, ChainReplaced, ThrowTakenBack)


class Chains(Protocol):
    """Keeps what seats need for mutual dice. It is as secret as their tokens.

    A chain is a dict that JSON can hold, of the same shape as the Go client's: last, length, next, version, hash, and
    if so revealed, asked, awaited, since, agreed, leaves, left, follows, sent, coming.
    """

    def chain(self, game: str, seat: str) -> dict[str, Any] | None:
        """Returns what is kept for a seat; None if nothing is."""

    def keep(self, game: str, seat: str, old: dict[str, Any] | None, new: dict[str, Any] | None) -> None:
        """Replaces `old` with `new`, so that it survives a crash; None forgets it. Raises ChainChanged if something
        else is kept now."""


class MemoryChains:
    """Keeps chains in memory: to play on after the program ended, renew them. Threads may share it."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], dict[str, Any]] = {}
        self._lock = threading.Lock()

    def chain(self, game: str, seat: str) -> dict[str, Any] | None:
        with self._lock:
            return copy.deepcopy(self._kept.get((game, seat)))

    def keep(self, game: str, seat: str, old: dict[str, Any] | None, new: dict[str, Any] | None) -> None:
        with self._lock:
            if self._kept.get((game, seat)) != old:
                raise ChainChanged
            if new is None:
                self._kept.pop((game, seat), None)
            else:
                self._kept[game, seat] = copy.deepcopy(new)


class FileChains:
    """Keeps chains in a JSON file that only its owner may read. Programs on one machine may share it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        self._lock = threading.Lock()

    def chain(self, game: str, seat: str) -> dict[str, Any] | None:
        return self._read().get(game, {}).get(seat)

    def keep(self, game: str, seat: str, old: dict[str, Any] | None, new: dict[str, Any] | None) -> None:
        with self._lock, self._alone():
            kept = self._read()
            if kept.get(game, {}).get(seat) != old:
                raise ChainChanged
            if new is None:
                kept.get(game, {}).pop(seat, None)
            else:
                kept.setdefault(game, {})[seat] = new
            self._write(kept)

    def _read(self) -> dict[str, Any]:
        try:
            with open(self._path, encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return {}

    def _write(self, kept: dict[str, Any]) -> None:
        folder = os.path.dirname(os.path.abspath(self._path))
        handle, name = tempfile.mkstemp(dir=folder, prefix=".chains-")  # readable by its owner alone
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(kept, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, self._path)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)
            raise
        if os.name == "posix":  # a name is durable with its folder
            folder_handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(folder_handle)
            finally:
                os.close(folder_handle)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Holds a lock against other programs, where the system has one."""
        try:
            import fcntl
        except ImportError:  # Windows: one program at a time
            yield
            return
        with open(self._path + ".lock", "a", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def new_chain(version: int, last_hash: str) -> dict[str, Any]:
    """Draws a chain for a client that has seen the record of a version and its hash."""
    last = base64.b64encode(secrets.token_bytes(32)).decode()
    return {"last": last, "length": _USUAL, "next": 1, "version": version, "hash": last_hash}


def link(chain: dict[str, Any], game: str, seat: str, number: int) -> bytes:
    """Returns a link of a chain by its number; 0 is the anchor."""
    before = b"".join(field(part) for part in (_LABEL, game.removeprefix("games/").encode(), seat.encode()))
    value = unbase64(chain["last"])
    for _ in range(chain["length"] - number):
        value = hashlib.sha256(before + field(value)).digest()
    return value


def committed(chain: dict[str, Any], game: str, seat: str) -> dict[str, Any]:
    """Returns the public part of a chain, for the server."""
    return {"anchor": base64.b64encode(link(chain, game, seat, 0)).decode(), "length": chain["length"]}


def in_use(game: dict[str, Any], name: str, seat: str, kept: dict[str, Any] | None) -> dict[str, Any]:
    """Returns the chain that the server has for a seat: the one that is kept, or one that is coming.

    Raises NoChain if none is kept, and ChainReplaced if the server has another.
    """
    if kept is None:
        raise NoChain(seat)
    state = _state(game, seat)
    for chain in _all(kept):
        if committed(chain, name, seat) == {"anchor": state.get("anchor"), "length": state.get("length")}:
            return chain
    raise ChainReplaced(seat)


def _state(game: dict[str, Any], seat: str) -> dict[str, Any]:
    return next((s.get("chain", {}) for s in game["seats"] if s["id"] == seat), {})


def check(game: dict[str, Any], name: str, seat: str, kept: dict[str, Any]) -> None:
    """Raises ChainReplaced or LogInconsistent if the server's chain of a seat is not the one that is kept, or begins
    again."""
    state = _state(game, seat)
    if not state or game.get("over"):
        return
    chain = in_use(game, name, seat, kept)
    if int(game["version"]) < chain["version"]:
        raise LogInconsistent(f"it is at record {game['version']} and was at {chain['version']} before")
    if state["next"] < chain["next"] and int(game.get("pendingDice", {}).get("asked", 0)) != chain["version"]:
        raise LogInconsistent(f"link {state['next']} of {seat} was revealed before")


def _all(chain: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The chain and those that are coming, the newest of these first.

    A coming chain was sent to the server, which may or may not have taken it. Its own "coming" was sent before it, and
    so on: a request may arrive long after the client gave it up, and no link of such a chain is known.
    """
    found = []
    while chain is not None:
        found.append(chain)
        chain = chain.get("coming")
    return found


def anchors(chain: dict[str, Any], name: str, seat: str) -> list[str]:
    """The anchors of all chains of a seat that were sent from here, in hexadecimal: older ones, the chain's own, and
    coming ones, each oldest first."""
    own, *coming = _all(chain)
    return list(chain.get("sent", [])) + [link(c, name, seat, 0).hex() for c in (own, *reversed(coming))]


def go_on(kept: dict[str, Any], chain: dict[str, Any], name: str, seat: str) -> dict[str, Any]:
    """The chain to keep from now on: `kept` itself or one that was coming.

    The others are kept too, because the server may still take them, except one whose links are known: of that the
    anchor is kept.
    """
    now = {key: value for key, value in chain.items() if key not in (*_OF_SEAT, "coming", "follows")}
    now.update({key: kept[key] for key in ("since", "agreed", "leaves") if key in kept})
    sent = list(kept.get("sent", []))
    own, *coming = _all(kept)
    for other in (own, *reversed(coming)):
        if other is chain:
            continue
        if other.get("revealed"):
            sent.append(link(other, name, seat, 0).hex())
        else:
            now = with_coming(now, other)
    return {**now, "sent": sent} if sent else now


def with_coming(chain: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The chain with one more that is coming, as the newest."""
    before = chain.get("coming")
    coming = {key: value for key, value in new.items() if key not in (*_OF_SEAT, "coming")}
    return {**chain, "coming": {**coming, "coming": before} if before else coming}


def _saw(chain: dict[str, Any], version: int, last_hash: str) -> dict[str, Any]:
    """Notes the record that asks for a link, before it is revealed.

    Whichever chain the server uses next, the log must go on from that record and carry its command out.
    """
    seen = {**chain, "version": version, "hash": last_hash, "asked": True}
    for key in ("awaited", "left"):
        seen.pop(key, None)
    if "coming" in seen:
        seen["coming"] = _saw(seen["coming"], version, last_hash)
    return seen


def follower(chain: dict[str, Any]) -> dict[str, Any] | None:
    """The coming chain that goes with the last link; None if none was drawn."""
    return next((c for c in _all(chain)[1:] if c.get("follows")), None)


def _due(chain: dict[str, Any]) -> int:
    """The version of the record whose command must come before the next record that asks; 0 if none must."""
    return int(chain["version"] if chain.get("asked") else chain.get("awaited", 0))


def newest(chain: dict[str, Any]) -> dict[str, Any]:
    """The chain, or one that is coming, whichever knows the newest record."""
    return max(_all(chain), key=lambda c: c["version"])


class _Tally:
    """Which chains a log may still commit a seat to: each that was sent from here once, and none of which a link was
    revealed.

    The server has all revealed links, and could answer with them in the player's name.
    """

    def __init__(self, kept: dict[str, Any], name: str, seat: str) -> None:
        self._seat = seat
        self._left = {link(c, name, seat, 0): not c.get("revealed") for c in _all(kept)}

    def knows(self, anchor: bytes) -> bool:
        """Whether the chain was sent from here, and is in use or coming."""
        return anchor in self._left

    def take(self, anchor: bytes, version: int) -> None:
        """Counts a commitment. Raises LogInconsistent if the seat was committed to the chain before."""
        if not self._left[anchor]:
            raise LogInconsistent(
                f"record {version} commits {self._seat} again to a chain that it had before, whose links are known")
        self._left[anchor] = False


def promise(
    name: str, seat: str, chain: dict[str, Any], asked: int, records: Iterable[dict[str, Any]],
    kept: dict[str, Any] | None = None, tree: Tree | None = None,
) -> tuple[int, dict[str, Any]]:
    """The number of the link to reveal for the record `asked`, and what must be kept before that is done.

    `records` are those of the whole tree from chain["version"] on, with proofs. `kept` is what is kept of the seat:
    `chain`, or what it is coming for. `tree` reads older records where an undo reaches further back. Raises
    LogInconsistent if the records do not go on from what the chain knows, or begin it again. Raises ChainReplaced if
    one of them commits the seat to a chain that is neither in use here nor coming, and ThrowTakenBack if one takes back
    a throw of the seat's without consent.
    """
    kept = chain if kept is None else kept
    log: takenback.Log = {}
    last = _asking(name, seat, chain, asked, records, _Tally(kept, name, seat), log)
    undos = _judged(name, seat, chain, kept, log, tree)
    if undos.unasked:  # a seat that was left is asked for nothing
        raise undos.unasked
    number = (last.owed or {}).get(seat, 0)
    again = bool(chain.get("revealed")) and chain["version"] == asked
    if not 0 < number <= chain["length"]:
        raise LogInconsistent(f"record {asked} asks {seat} for link {number} of {chain['length']}")
    if (again and number != chain["revealed"]) or (not again and number < chain["next"]):
        raise LogInconsistent(f"record {asked} asks for link {number} of {seat}, which was revealed before")
    after = {**go_on(kept, chain, name, seat), "next": number + 1, "revealed": number}
    for key in ("agreed", "leaves"):  # the undos up to here were judged, and an open question ended with this record
        after.pop(key, None)
    if number == chain["length"] and follower(after) is None:
        after = with_coming(after, {**new_chain(asked, last.hash.hex()), "follows": True})
    return number, _saw(after, asked, last.hash.hex())


def goes_on(
    name: str, seat: str, kept: dict[str, Any], game: dict[str, Any], records: Iterable[dict[str, Any]],
    tree: Tree | None = None, sits: bool = False,
) -> tuple[int, takenback.Judge]:
    """Raises LogInconsistent unless the log of a game goes on from what is known of it, begins no chain of the seat
    again, and has used the last revealed link. Raises ThrowTakenBack if a throw was taken back without consent.

    `records` begin with the one that newest(kept) knows. `sits` is true if the player is about to take the seat. If the
    server says that the command for the link is still due, the first result is the version of the record that asked,
    otherwise 0: the next chain must wait for the command, because the server may lie. The second has looked at the
    undos.
    """
    chain, tally = newest(kept), _Tally(kept, name, seat)
    due, version = _due(chain), int(game["version"])
    used, last = not due, None
    log: takenback.Log = {}
    for last in _follow(name, chain, version, records):
        log[last.version] = last
        used = used or (last.command and last.asked == due)
        for anchor in (anchor for of, anchor in last.commits if of == seat):
            if last.version > chain["version"] and tally.knows(anchor):
                tally.take(anchor, last.version)
    if last is None or last.version != version or last.hash.hex() != game["lastHash"]:
        raise LogInconsistent(f"it does not show record {version} as before")
    if not used and int(game.get("pendingDice", {}).get("asked", 0)) != due and not game.get("over"):
        raise LogInconsistent(f"the command of record {due} was never carried out")
    undos = _judged(name, seat, chain, kept, log, tree)
    if undos.unasked and not sits:
        raise undos.unasked
    return (0 if used else due), undos


def consent(
    name: str, seat: str, kept: dict[str, Any], game: dict[str, Any], tree: Tree, acts: Callable[[str], bool],
    target: int, shown: Mapping[str, Any] | None, request: str,
) -> takenback.Consent | None:
    """What must be kept of an undo before it is asked for or agreed to (takenback.consent).

    All is read from the log that goes on from what is kept. The server's word would not do: it could show the game as
    it will be, and take back later what is thrown until then.
    """
    chain, version = newest(kept), int(game["version"])
    log: takenback.Log = {}
    last = None
    for last in _follow(name, chain, version, tree(chain["version"])):
        log[last.version] = last
    if last is None or last.version != version or last.hash.hex() != game["lastHash"]:
        raise LogInconsistent(f"it does not show record {version} as before")

    def reach(first: int) -> None:
        if first < min(log):
            for proved in _follow(name, chain, chain["version"], tree(first), first):
                log[proved.version] = proved

    return takenback.consent(kept, seat, last, log, reach, acts, target, shown, request)


def _judged(
    name: str, seat: str, chain: dict[str, Any], kept: dict[str, Any], log: takenback.Log, tree: Tree | None,
) -> takenback.Judge:
    """Looks at the undos after the record that the chain knows. Raises ThrowTakenBack if one took back a throw that the
    seat had a part in, without its player's consent."""
    known = chain["version"]
    later = [log[version] for version in sorted(log) if version > known]
    lowest = min((at for p in later if takenback.moves(p) for at in (p.parent, p.head)), default=known)
    if lowest < known:  # an undo reaches further back than what was read
        older = {p.version: p for p in _follow(name, chain, known, tree(lowest) if tree else (), lowest)}
        if known not in older:
            raise LogInconsistent(f"it does not show the records from {lowest} to {known}")
        log = {**older, **log}
    comeback = {link(c, name, seat, 0) for c in _all(kept) if c.get("left")}
    own = set(map(bytes.fromhex, anchors(kept, name, seat)))
    judge = takenback.Judge(log, kept, seat, False, comeback, own)
    for version in sorted(log):
        if version <= known:
            judge.note(log[version])
    judge.left, judge.unasked = bool(chain.get("left")), None
    for proved in later:
        judge.look(proved)
    return judge


def _follow(name: str, chain: dict[str, Any], until: int, records: Iterable[dict[str, Any]],
    first: int | None = None) -> Iterator[Proved]:
    """Reads the records from the one that the chain knows to a later one. Each must go on from the one before.

    With `first` it begins with that older record, which is proved by the hashes that lead to the known one.
    """
    known = chain["version"]
    first = known if first is None else first
    if until < known:
        raise LogInconsistent(f"it is at record {until} and was at {known} before")
    last: Proved | None = None
    for record in records:
        try:
            proved = prove(record)
        except BadProof as err:
            raise LogInconsistent(str(err)) from err
        if "games/" + proved.game != name or proved.version != int(record.get("version", 0)):
            raise LogInconsistent(f"record {record.get('version')} is of another place")
        if last is None and proved.version != first:
            raise LogInconsistent(f"it has no record {first}")
        if proved.version == known and proved.hash.hex() != chain["hash"]:
            raise LogInconsistent(f"record {known} has another hash than before")
        if last is not None and (proved.version != last.version + 1 or proved.prev != last.hash):
            raise LogInconsistent(f"record {proved.version} does not follow record {last.version}")
        if proved.aside and proved.asked:
            raise LogInconsistent(f"record {proved.version} is an aside and throws dice")
        if (last is not None and proved.parent != last.head) or not proved.placed():
            raise LogInconsistent(f"record {proved.version} leaves the line of play")
        last = proved
        yield last
        if last.version >= until:
            return


def _asking(name: str, seat: str, chain: dict[str, Any], asked: int, records: Iterable[dict[str, Any]],
    tally: _Tally, log: takenback.Log) -> Proved:
    """The record that asks, if the link that was revealed before has been used and nobody has replaced the chain in
    between. What was read is put into `log`."""
    known, due = chain["version"], _due(chain)
    used = not due or (asked == known and bool(chain.get("revealed")))
    own = bool(chain.get("asked"))  # a chain that has answered is the seat's; before that the log may hold older ones
    last: Proved | None = None
    for last in _follow(name, chain, asked, records):
        log[last.version] = last
        used = used or (last.command and last.asked == due)
        for anchor in (anchor for of, anchor in last.commits if of == seat):
            if last.version > known and tally.knows(anchor):
                tally.take(anchor, last.version)
            elif last.version > known and own:
                raise ChainReplaced(seat, f" (record {last.version})")
            own = own or tally.knows(anchor)
    if last is None or last.version != asked or last.owed is None:
        raise LogInconsistent(f"record {asked} asks for nothing")
    if not used:
        raise LogInconsistent(f"record {asked} asks again before the command of record {due} was carried out")
    return last
