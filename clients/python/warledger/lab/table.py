"""Many games at once, played by a `warledger lab` beside this program."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np

from . import wire

RUNNING, OVER, CUT_OFF = 0, 1, 2

_REASONS = ("", "malformed", "not ready", "unknown", "out of range")


class LabError(RuntimeError):
    """A request that was not carried out: `reason` says what kind of mistake it is, `game` which game it is about or
    -1."""

    def __init__(self, message: str, reason: str = "", game: int = -1):
        super().__init__(message)
        self.reason, self.game = reason, game


class Column(NamedTuple):
    """A plane, a scalar or a number of an action's row."""

    id: str
    note: str


class Opened:
    """What the numbers of a scenario mean."""

    def __init__(self, message: memoryview):
        lists: dict[int, list[Any]] = {n: [] for n in (3, 4, 5, 6, 7, 9, 10, 11)}
        self.program, self.rules_version, ground = "", 0, memoryview(b"")
        for field, value in wire.fields(message):
            if field == 1:
                self.program = str(wire.content(value), "utf-8")
            elif field == 2:
                self.rules_version = wire.signed(value)
            elif field == 8:
                ground = wire.content(value)
            elif field in (3, 4, 5, 6):
                lists[field].append(str(wire.content(value), "utf-8"))
            elif field in lists:
                lists[field].append(_column(wire.content(value)))
        self.seats: list[str] = lists[3]
        self.kinds: list[str] = lists[4]
        self.spaces: list[str] = lists[5]
        self.pieces: list[str] = lists[6]
        self.ground_columns: list[Column] = lists[7]
        self.planes: list[Column] = lists[9]
        self.scalars: list[Column] = lists[10]
        self.row: list[Column] = lists[11]
        self.ground = np.frombuffer(ground, "<i2").reshape(len(self.ground_columns), len(self.spaces))

    def plane(self, id: str) -> int:
        """The place of a plane by its id."""
        return _place(self.planes, id)

    def scalar(self, id: str) -> int:
        """The place of a scalar by its id."""
        return _place(self.scalars, id)

    def column(self, id: str) -> int:
        """The place of a number of a row by its id."""
        return _place(self.row, id)


def _place(columns: Sequence[Column], id: str) -> int:
    for i, column in enumerate(columns):
        if column.id == id:
            return i
    raise KeyError(id)


def _column(message: memoryview) -> Column:
    found = {1: "", 2: ""}
    for field, value in wire.fields(message):
        found[field] = str(wire.content(value), "utf-8")
    return Column(found[1], found[2])


class Batch:
    """Where all games stand. Arrays have an entry for each game.

    seats      seat that decides, -1 in a game that does not go on
    counts     how many actions it has
    rows       a row for each action of all games, one game after the other; `rows_of(game)` are those of one
    planes     games x planes x spaces, as the seat that decides sees them
    scalars    games x scalars, likewise
    rewards    games x seats: what this step brought
    ends       0 goes on, 1 over, 2 cut off
    scores     games x seats, at the end of a game
    decisions  made in the game so far
    turns      turn of the game
    """

    __slots__ = ("seats", "counts", "rows", "planes", "scalars", "rewards", "ends", "scores", "decisions", "turns",
        "_starts")

    def __init__(self, message: memoryview, games: int, opened: Opened):
        found = {field: wire.content(value) for field, value in wire.fields(message)}
        seats = len(opened.seats)

        def numbers(field: int, kind: str, *shape: int) -> np.ndarray:
            list = np.frombuffer(found.get(field, b""), kind)
            return list.reshape(shape) if list.size else list.reshape((0,) + shape[1:])

        self.seats = numbers(1, "<i2", games)
        self.counts = numbers(2, "<i4", games)
        self.rows = numbers(3, "<i2", -1, len(opened.row))
        self.planes = numbers(4, "<i2", games, len(opened.planes), len(opened.spaces))
        self.scalars = numbers(5, "<i2", games, len(opened.scalars))
        self.rewards = numbers(6, "<f4", games, seats)
        self.ends = numbers(7, "u1", games)
        self.scores = numbers(8, "<i4", games, seats)
        self.decisions = numbers(9, "<u4", games)
        self.turns = numbers(10, "<i2", games)
        self._starts: np.ndarray | None = None

    @property
    def starts(self) -> np.ndarray:
        """Where the rows of each game begin, and after them where the last ones end."""
        if self._starts is None:
            self._starts = np.zeros(len(self.counts) + 1, np.int64)
            np.cumsum(self.counts, out=self._starts[1:])
        return self._starts

    def rows_of(self, game: int) -> np.ndarray:
        """The rows of the actions of a game."""
        return self.rows[self.starts[game] : self.starts[game + 1]]

    def mask(self, width: int) -> np.ndarray:
        """Games x width: whether there is an action of that index. LabError if a list is longer than that."""
        if self.counts.size and int(self.counts.max()) > width:
            raise LabError(
                f"a list has {int(self.counts.max())} actions, and the width is {width}: choose a larger one",
                "out of range")
        return np.arange(width, dtype=np.int32) < self.counts[:, None]


class Lab:
    """Games of a scenario that are played at once by a process of their own.

    ruleset, scenario  what is played; `document` is a scenario document to play instead
    games      how many at once, 1 to 1024
    seed       of all dice: the same seed and the same actions give the same games
    workers    processors that play, 0 for all
    limit      decisions after which a game is cut off, 0 for never
    offers     whether offers, such as to concede, are among the actions
    observe    whether batches have planes and scalars
    rows       whether batches have a row of numbers for each action
    program    the warledger program; the environment variable WARLEDGER or the one on PATH if none is given

    `reset` begins the games, `step` makes a decision in each. An array belongs to its batch, is read-only and stays as
    it is.
    """

    def __init__(
        self,
        ruleset: str,
        scenario: str = "",
        options: Mapping[str, str] | None = None,
        *,
        document: bytes = b"",
        games: int = 1,
        seed: int = 0,
        workers: int = 0,
        limit: int = 0,
        offers: bool = False,
        observe: bool = True,
        rows: bool = True,
        program: str | None = None,
    ):
        self.games = games
        command = program or os.environ.get("WARLEDGER") or shutil.which("warledger")
        if not command:
            raise LabError("there is no warledger program: put it on PATH, or name it by program or WARLEDGER")
        self._process = subprocess.Popen([command, "lab"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        _widen(self._process.stdout)
        try:
            message = wire.text(1, ruleset) + wire.text(2, scenario) + (wire.data(3, document) if document else b"")
            message += wire.entries(4, options or {}) + wire.number(5, games) + wire.number(6, seed & (1 << 64) - 1)
            message += wire.number(7, workers) + wire.number(8, limit) + wire.number(9, offers)
            message += wire.number(10, observe) + wire.number(11, rows)
            self.opened = Opened(self._ask(1, message))
        except BaseException:
            self.close()
            raise

    def reset(self, games: Sequence[int] | None = None, seeds: Sequence[int] | None = None) -> Batch:
        """Begins games anew, all if none is named, each with a seed of its own if some are given."""
        message = b""
        if games is not None:
            if len(games) == 0:
                raise LabError("no game is named", "out of range")
            message += wire.data(1, np.asarray(games, "<u4").tobytes())
        if seeds is not None:
            message += wire.data(2, np.asarray([seed & (1 << 64) - 1 for seed in seeds], "<u8").tobytes())
        return self._batch(2, message)

    def step(self, actions: Any, restart: bool = False) -> Batch:
        """Makes a decision in each game: the index of an action, or -1 to leave the game as it is.

        With restart, games that are over begin anew instead. LabError if an index is refused; then nothing has
        happened.
        """
        list = np.ascontiguousarray(actions, "<i4")
        return self._batch(3, wire.data(1, list.tobytes()) + wire.number(2, restart))

    def look(self, game: int, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """Planes and scalars of a game as any seat sees it."""
        found = {
            field: wire.content(value)
            for field, value in wire.fields(self._ask(4, wire.number(1, game) + wire.number(2, seat)))}
        planes = np.frombuffer(found.get(1, b""), "<i2").reshape(len(self.opened.planes), len(self.opened.spaces))
        return planes, np.frombuffer(found.get(2, b""), "<i2")

    def close(self) -> None:
        """Ends the process."""
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                pipe.close()  # type: ignore[union-attr]
            except OSError:
                pass
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _batch(self, field: int, message: bytes) -> Batch:
        return Batch(self._ask(field, message), self.games, self.opened)

    def _ask(self, field: int, message: bytes) -> memoryview:
        """The message within the answer to a request. LabError if it is a fault, or if the process has ended."""
        try:
            self._process.stdin.write(wire.framed(wire.data(field, message)))  # type: ignore[union-attr]
            self._process.stdin.flush()  # type: ignore[union-attr]
            answer = self._read(struct.unpack("<I", self._read(4))[0])
        except (OSError, EOFError, ValueError) as error:
            raise LabError(f"the lab has ended, or was closed: {error}") from error
        kind, value = next(iter(wire.fields(answer)))
        if kind != 4:
            return wire.content(value)
        fault: dict[int, wire.Value] = dict(wire.fields(wire.content(value)))
        reason = wire.signed(fault.get(1, 0))
        raise LabError(
            str(wire.content(fault.get(2, memoryview(b""))), "utf-8"),
            _REASONS[reason] if 0 <= reason < len(_REASONS) else "",
            wire.signed(fault.get(3, 0)),
        )

    def _read(self, size: int) -> memoryview:
        room = memoryview(bytearray(size))
        at = 0
        while at < size:
            n = self._process.stdout.readinto(room[at:])  # type: ignore[union-attr]
            if not n:
                raise EOFError(f"{at} of {size} bytes came")
            at += n
        return room.toreadonly()


def _widen(pipe: Any) -> None:
    """Lets a pipe hold more, so that a batch takes fewer changes between the processes. Linux only; elsewhere it
    stays."""
    try:
        import fcntl

        fcntl.fcntl(pipe, getattr(fcntl, "F_SETPIPE_SZ", 1031), 1 << 20)
    except (ImportError, OSError):
        pass
