"""Mutual dice: the chain of a seat, where it is kept, and the answers that it gives (docs/howto/clients.md, "Mutual dice")."""

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
from typing import Any, Iterable, Iterator, Protocol

from .errors import WarledgerError
from .proof import BadProof, Proved, field, prove, unbase64

_LABEL = b"warledger/dice/2/link"

# How many links a new chain has. When they are spent, the seat commits to a new chain.
_USUAL = 1024


class TwoLogs(WarledgerError):
    """The server does not go on from the log that it showed before, or asks for a link twice: it may be choosing the dice.

    Nothing was revealed. Do not play on before you know why; a server that was restored from a backup does so too.
    """

    def __init__(self, message: str):
        super().__init__("data_loss", f"the server shows another log than before, so no link is revealed for its dice: {message}", "TWO_LOGS")


class NoChain(WarledgerError):
    """The chain of the seat is not kept here. `Game.renew_chain` makes a new one once nothing is asked for."""

    def __init__(self, seat: str):
        super().__init__("failed_precondition", f"the chain of {seat} for mutual dice is not kept here", "NO_CHAIN")


class ChainChanged(Exception):
    """Another program has changed what is kept of a chain."""


class Chains(Protocol):
    """Keeps what seats need for mutual dice. It is as secret as their tokens.

    A chain is a dict that JSON can hold, of the same shape as the Go client's: last, length, next, version, hash, and if so revealed, asked, coming.
    """

    def chain(self, game: str, seat: str) -> dict[str, Any] | None:
        """Returns what is kept for a seat; None if nothing is."""

    def keep(self, game: str, seat: str, old: dict[str, Any] | None, new: dict[str, Any]) -> None:
        """Replaces `old` with `new`, so that it survives a crash. Raises ChainChanged if something else is kept now."""


class MemoryChains:
    """Keeps chains in memory: to play on after the program ended, renew them. Threads may share it."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], dict[str, Any]] = {}
        self._lock = threading.Lock()

    def chain(self, game: str, seat: str) -> dict[str, Any] | None:
        with self._lock:
            return copy.deepcopy(self._kept.get((game, seat)))

    def keep(self, game: str, seat: str, old: dict[str, Any] | None, new: dict[str, Any]) -> None:
        with self._lock:
            if self._kept.get((game, seat)) != old:
                raise ChainChanged
            self._kept[game, seat] = copy.deepcopy(new)


class FileChains:
    """Keeps chains in a JSON file that only its owner may read. Programs on one machine may share it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        self._lock = threading.Lock()

    def chain(self, game: str, seat: str) -> dict[str, Any] | None:
        return self._read().get(game, {}).get(seat)

    def keep(self, game: str, seat: str, old: dict[str, Any] | None, new: dict[str, Any]) -> None:
        with self._lock, self._alone():
            kept = self._read()
            if kept.get(game, {}).get(seat) != old:
                raise ChainChanged
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
    """Returns the chain that the server has for a seat: the one that is kept, or the one sent last. Raises NoChain if it is another."""
    state = next((s.get("chain", {}) for s in game["seats"] if s["id"] == seat), {})
    for chain in (kept, (kept or {}).get("coming")):
        if chain and committed(chain, name, seat) == {"anchor": state.get("anchor"), "length": state.get("length")}:
            return chain
    raise NoChain(seat)


def promise(
    name: str, seat: str, chain: dict[str, Any], asked: int, records: Iterable[dict[str, Any]]
) -> tuple[int, dict[str, Any]]:
    """The number of the link to reveal for the record `asked`, and the chain as it must be kept before that is done.

    `records` are those of the whole tree from chain["version"] on, with proofs. Raises TwoLogs if they do not go on from what the chain knows.
    """
    last = _follow(name, chain, asked, records)
    number = (last.owed or {}).get(seat, 0)
    again = bool(chain.get("revealed")) and chain["version"] == asked
    if not 0 < number <= chain["length"]:
        raise TwoLogs(f"record {asked} asks {seat} for link {number} of {chain['length']}")
    if (again and number != chain["revealed"]) or (not again and number < chain["next"]):
        raise TwoLogs(f"record {asked} asks for link {number} of {seat}, which was revealed before")
    kept = {**chain, "next": number + 1, "revealed": number, "asked": True, "version": asked, "hash": last.hash.hex()}
    coming = kept.get("coming")
    if number == chain["length"] and coming is None:
        coming = new_chain(asked, last.hash.hex())
    if coming is not None:
        kept["coming"] = {**coming, "version": asked, "hash": last.hash.hex(), "asked": True}
    return number, kept


def _follow(name: str, chain: dict[str, Any], asked: int, records: Iterable[dict[str, Any]]) -> Proved:
    """Reads the records from the one that the chain knows to the one that asks."""
    known = chain["version"]
    if asked < known:
        raise TwoLogs(f"it asks in record {asked} and was at {known} before")
    used = not chain.get("asked") or (asked == known and bool(chain.get("revealed")))
    last: Proved | None = None
    for record in records:
        try:
            proved = prove(record)
        except BadProof as err:
            raise TwoLogs(str(err)) from err
        if "games/" + proved.game != name or proved.version != int(record.get("version", 0)):
            raise TwoLogs(f"record {record.get('version')} is of another place")
        if last is None:
            if proved.version != known or proved.hash.hex() != chain["hash"]:
                raise TwoLogs(f"record {known} has another hash than before")
        elif proved.version != last.version + 1 or proved.prev != last.hash:
            raise TwoLogs(f"record {proved.version} does not follow record {last.version}")
        used = used or (proved.command and proved.asked == known)
        last = proved
        if last.version >= asked:
            break
    if last is None or last.version != asked or last.owed is None:
        raise TwoLogs(f"record {asked} asks for nothing")
    if not used:
        raise TwoLogs(f"record {asked} asks again before the command of record {known} was carried out")
    return last
