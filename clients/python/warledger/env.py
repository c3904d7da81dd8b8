"""A gym-like environment for games of several seats that take turns."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple

from .client import Client
from .game import Game


class Step(NamedTuple):
    """The outcome of an action; unpacks like a step of gymnasium, with a reward for each seat."""

    observation: dict[str, Any]
    rewards: dict[str, float]
    terminated: bool
    truncated: bool
    info: dict[str, Any]


class Env:
    """A game all of whose seats are held by this program, one decision at a time.

    `seat` decides next, `legal()` lists what it may do, `step(action)` does one of that. An observation is the board as
    the deciding seat may see it, as JSON of warledger.board.v1.Board; other seats' secrets are not in it. At the end
    winners have the reward 1, others -1, and all 0 in a draw; before it everybody has 0.

    max_steps  decisions after which an episode is truncated, 0 for no limit
    observe    whether steps ask for the board; without it observations are empty and steps are faster

    Dice come from the server, committed before the game begins, so an environment has no seed.
    """

    def __init__(
        self,
        client: Client,
        ruleset: str,
        scenario: str,
        options: Mapping[str, str] | None = None,
        max_steps: int = 0,
        observe: bool = True,
        holder: str = "python",
    ):
        self.client = client
        self.ruleset = ruleset
        self.scenario = scenario
        self.options = dict(options or {})
        self.max_steps = max_steps
        self.observe = observe
        self.holder = holder
        self.game: Game | None = None
        self.seats: list[str] = []
        self.seat = ""
        self.steps = 0
        self._state: dict[str, Any] = {}
        self._actions: list[dict[str, Any]] | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._state.get("over"))

    @property
    def version(self) -> int:
        """Version of the game, which grows by one with each record."""
        return int(self._state.get("version", 0))

    def reset(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins another game. Returns what the first seat sees, and more about the game."""
        self.close()
        self.game = Game.create(self.client, self.ruleset, self.scenario, options=self.options)
        state = self.game.get()
        self.seats = [seat["id"] for seat in state["seats"]]
        for seat in self.seats:
            state = self.game.take(seat, self.holder)
        self.steps = 0
        self._moved(state)
        return self._observation(), self._info()

    def legal(self) -> list[dict[str, Any]]:
        """What the seat may do now; each action's "command" is sent back by `step`. Empty when the game is over.

        Offers, such as to concede, are never among them: `env.game.offers(env.seat)` lists those.
        """
        if self._actions is None:
            self._actions = self._playing().legal(self.seat) if self.seat else []
        return list(self._actions)

    def step(self, action: Mapping[str, Any] | str) -> Step:
        """Does an action of `legal`, or any command in notation. Raises Refused if the rules forbid it, and nothing has
        happened then."""
        if not self.seat:
            raise RuntimeError("the game is over, or was not begun: call reset")
        command = action if isinstance(action, str) else action["command"]
        answer = self._playing().submit(self.seat, command, expected=self.version, next=True)
        self.steps += 1
        self._moved(answer["game"], self.seat, answer)
        truncated = bool(self.max_steps) and self.steps >= self.max_steps and not self.over
        return Step(self._observation(), self._rewards(), self.over, truncated, self._info(answer["record"]))

    def clone(self) -> Env:
        """Another environment in the same position, which goes on without touching this one. Its dice are its own."""
        other = Env(self.client, self.ruleset, self.scenario, self.options, self.max_steps, self.observe, self.holder)
        other.game = self._playing().fork(version=self.version, private=True)
        other.seats = list(self.seats)
        other.steps = self.steps
        other._moved(other.game.get())
        return other

    def board(self, seat: str = "") -> dict[str, Any]:
        """The board as a seat may see it, the one to decide if none is named, or as all seats together do when the game
        is over."""
        return self._playing().board(viewer=seat or self.seat)

    def close(self) -> None:
        """Ends the game on the server, if it still runs."""
        if self.game is not None and not self.over:
            self.game.close("The environment was closed.")
        self.game, self.seat, self._state, self._actions = None, "", {}, None

    def __enter__(self) -> Env:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _playing(self) -> Game:
        if self.game is None:
            raise RuntimeError("there is no game yet: call reset")
        return self.game

    def _moved(self, state: dict[str, Any], moved: str = "", answer: Mapping[str, Any] | None = None) -> None:
        """Takes over what the server says about the game, and looks who has something to decide.

        `answer` is that to a command of the seat `moved`, with what that seat may do next.
        """
        self._state, self._actions, self.seat = state, None, ""
        if self.over:
            return
        game = self._playing()
        for seat in state.get("waitingFor", ()):
            actions = game.next_legal(seat, answer) if answer and seat == moved else game.legal(seat)
            if actions:
                self.seat, self._actions = seat, actions
                return
        raise RuntimeError(f"{game.name} is not over, and nobody has anything to decide")

    def _observation(self) -> dict[str, Any]:
        return self.board() if self.observe else {}

    def _rewards(self) -> dict[str, float]:
        winners = self._state.get("ending", {}).get("winners", ())
        if not self.over or not winners:
            return dict.fromkeys(self.seats, 0.0)
        return {seat: 1.0 if seat in winners else -1.0 for seat in self.seats}

    def _info(self, record: dict[str, Any] | None = None) -> dict[str, Any]:
        info: dict[str, Any] = {"seat": self.seat, "version": self.version, "turn": self._state.get("turn", 0)}
        if record is not None:
            info["narration"] = [event["narration"] for event in record.get("events", ()) if event.get("narration")]
            info["rolls"] = record.get("rolls", [])
        if self.over:
            info["ending"] = self._state.get("ending", {})
        return info
