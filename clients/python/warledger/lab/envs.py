"""The shapes that people know: PettingZoo's AEC and parallel interfaces, and Gymnasium's vector interface.

None of the packages is needed. An action is an index into the list of what the seat may do; "action_mask" says which
indexes there are, and row i of "rows" tells action i in numbers. `width` is how long a list may be: a longer one raises
LabError, so that none is cut short.
"""

from __future__ import annotations

from typing import Any, Callable, Iterator, Mapping

import numpy as np

from . import spaces
from .table import CUT_OFF, OVER, RUNNING, Batch, Lab, LabError

try:
    from gymnasium.vector import AutoresetMode

    NEXT_STEP: Any = AutoresetMode.NEXT_STEP
except ImportError:
    NEXT_STEP = "NextStep"

Observation = dict[str, Any]


def _inner_space(lab: Lab, width: int, *games: int) -> Any:
    o = lab.opened
    return spaces.Dict(
        {
            "planes": spaces.numbers(*games, len(o.planes), len(o.spaces)),
            "scalars": spaces.numbers(*games, len(o.scalars)),
            "rows": spaces.numbers(*games, width, len(o.row)),
        }
    )


def _observation_space(lab: Lab, width: int, *games: int) -> Any:
    return spaces.Dict({"observation": _inner_space(lab, width, *games), "action_mask": spaces.flags(*games, width)})


def padded(batch: Batch, width: int) -> np.ndarray:
    """Games x width x numbers: the rows of all games, with zeros after the end of a list."""
    out = np.zeros((len(batch.counts), width, batch.rows.shape[1]), np.int16)
    out[batch.mask(width)] = batch.rows
    return out


class AEC:
    """One game in the shape of PettingZoo's AECEnv: seats are agents, and the one that decides is selected.

        env = AEC("downfall", "olympic")
        env.reset(seed=1)
        for agent in env.agent_iter():
            observation, reward, termination, truncation, info = env.last()
            action = None if termination or truncation else choose(observation)
            env.step(action)

    If several seats must decide at once, they do it one after the other. Arguments but width are those of Lab.
    """

    metadata: dict[str, Any] = {"name": "warledger", "render_modes": [], "is_parallelizable": True}
    render_mode = None

    def __init__(self, ruleset: str, scenario: str = "", options: Mapping[str, str] | None = None, *, width: int = 1024,
        **lab: Any):
        self.lab = Lab(ruleset, scenario, options, games=1, **lab)
        self.width = width
        self.possible_agents = list(self.lab.opened.seats)
        self.observation_spaces = {a: _observation_space(self.lab, width) for a in self.possible_agents}
        self.action_spaces = {a: spaces.Discrete(width) for a in self.possible_agents}
        self.agents: list[str] = []
        self.agent_selection = ""
        self.rewards: dict[str, float] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}
        self._batch: Batch | None = None

    @property
    def num_agents(self) -> int:
        """How many agents are left."""
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        """How many agents a game begins with."""
        return len(self.possible_agents)

    @property
    def unwrapped(self) -> AEC:
        """The environment itself."""
        return self

    def observation_space(self, agent: str) -> Any:
        """The space of what an agent sees; the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions; the same object at every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begins a game anew: the one of a seed, or the next one."""
        batch = self.lab.reset(seeds=None if seed is None else [seed])
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._take(batch)

    def step(self, action: int | None) -> None:
        """Makes the decision of the agent that is selected; None if it is done, which removes it."""
        if not self.agents:
            raise LabError("there is no agent left: reset first", "not ready")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._remove(agent, action)
            return
        if not self.action_space(agent).contains(action):
            raise LabError(f"action {action!r} is not one of the {self.width} actions", "out of range")
        self._cumulative_rewards[agent] = 0.0
        self._take(self.lab.step([action]))
        for a in self.agents:
            self._cumulative_rewards[a] += self.rewards[a]

    def _take(self, batch: Batch) -> None:
        """Takes over where the game stands."""
        batch.mask(self.width)  # refuses a list that is longer
        self._batch = batch
        end = int(batch.ends[0])
        self.rewards = {a: float(r) for a, r in zip(self.possible_agents, batch.rewards[0])}
        self.terminations = dict.fromkeys(self.agents, end == OVER)
        self.truncations = dict.fromkeys(self.agents, end == CUT_OFF)
        info = {"turn": int(batch.turns[0]), "decisions": int(batch.decisions[0])}
        self.infos = {a: dict(info) for a in self.agents}
        self.agent_selection = self.agents[0] if end != RUNNING else self.possible_agents[int(batch.seats[0])]

    def _remove(self, agent: str, action: int | None) -> None:
        if action is not None:
            raise ValueError("when an agent is done, the only valid action is None")
        self.agents.remove(agent)
        for mine in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
            mine.pop(agent, None)
        self.rewards = dict.fromkeys(self.rewards, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Observation:
        """What an agent sees. Only the one that decides has actions."""
        batch = self._playing()
        seat = self.possible_agents.index(agent)
        rows = np.zeros((self.width, len(self.lab.opened.row)), np.int16)
        mask = np.zeros(self.width, np.int8)
        if seat == int(batch.seats[0]):
            mask[: int(batch.counts[0])] = 1
            rows[: len(batch.rows)] = batch.rows
        planes, scalars = (batch.planes[0], batch.scalars[0]) if self._shown(seat) else self.lab.look(0, seat)
        return {"observation": {"planes": planes, "scalars": scalars, "rows": rows}, "action_mask": mask}

    def _shown(self, seat: int) -> bool:
        """Whether the batch has what a seat sees."""
        batch = self._playing()
        return len(batch.planes) > 0 and seat == max(int(batch.seats[0]), 0)

    def _playing(self) -> Batch:
        if self._batch is None:
            raise LabError("no game was begun: reset first", "not ready")
        return self._batch

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """What the agent that is selected sees, and what it was rewarded with since it decided before."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 1 << 63) -> Iterator[str]:
        """The agents as they are selected, until none is left."""
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def render(self) -> None:
        """Draws nothing: `warledger board` draws games of a server."""

    def close(self) -> None:
        """Ends the process."""
        self.lab.close()


class Parallel:
    """One game in the shape of PettingZoo's ParallelEnv. The game takes the action of the seat that decides, and no
    other.

    All agents give an action at each step; those whose mask allows none may give any, which is not looked at.
    """

    metadata: dict[str, Any] = {"name": "warledger", "render_modes": []}
    render_mode = None

    def __init__(self, ruleset: str, scenario: str = "", options: Mapping[str, str] | None = None, *, width: int = 1024,
        **lab: Any):
        self._aec = AEC(ruleset, scenario, options, width=width, **lab)
        self.possible_agents = self._aec.possible_agents
        self.observation_spaces, self.action_spaces = self._aec.observation_spaces, self._aec.action_spaces
        self.agents: list[str] = []

    @property
    def num_agents(self) -> int:
        """How many agents are left."""
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        """How many agents a game begins with."""
        return len(self.possible_agents)

    @property
    def unwrapped(self) -> Parallel:
        """The environment itself."""
        return self

    def observation_space(self, agent: str) -> Any:
        """The space of what an agent sees."""
        return self._aec.observation_space(agent)

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self._aec.action_space(agent)

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begins a game anew. Returns what each agent sees, and more about the game."""
        self._aec.reset(seed, options)
        self.agents = list(self._aec.agents)
        return self._observations(), dict(self._aec.infos)

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Makes a decision. Agents of a game that is over are gone after it."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        env = self._aec
        if env.agent_selection not in actions:
            raise LabError(f"there is no action of {env.agent_selection}, which decides", "out of range")
        env.step(actions[env.agent_selection])
        answer = self._observations(), dict(env.rewards), dict(env.terminations), dict(env.truncations), dict(env.infos)
        if any(answer[2].values()) or any(answer[3].values()):
            self.agents = []
        return answer

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._aec.observe(agent) for agent in self._aec.agents}

    def render(self) -> None:
        """Draws nothing."""

    def close(self) -> None:
        """Ends the process."""
        self._aec.close()


Opponent = Callable[[Batch], Any]


class Vector:
    """Many games in the shape of Gymnasium's VectorEnv, for one learner.

    seat       the seat that learns: the others are played by `opponent`. Without one the learner plays all seats, and
               is rewarded as the seat that decided last
    opponent   a function that gives the index of an action for each game of a batch; any action by default

    A game that ended begins anew at the next step, which ignores its action, as AutoresetMode.NEXT_STEP says. Other
    arguments are Lab's.
    """

    def __init__(
        self,
        ruleset: str,
        scenario: str = "",
        options: Mapping[str, str] | None = None,
        *,
        games: int = 64,
        width: int = 1024,
        seat: str | None = None,
        opponent: Opponent | None = None,
        seed: int = 0,
        **lab: Any,
    ):
        self.lab = Lab(ruleset, scenario, options, games=games, seed=seed, **lab)
        self.num_envs, self.width = games, width
        self.seat = -1 if seat is None else self.lab.opened.seats.index(seat)
        self._random = np.random.default_rng(seed)
        self.opponent = opponent or self._any
        self.metadata: dict[str, Any] = {"autoreset_mode": NEXT_STEP, "render_modes": []}
        self.render_mode, self.spec, self.closed = None, None, False
        self.single_observation_space = _observation_space(self.lab, width)
        self.observation_space = _observation_space(self.lab, width, games)
        self.single_action_space = spaces.Discrete(width)
        self.action_space = spaces.MultiDiscrete(np.full(games, width))
        self.batch: Batch | None = None

    @property
    def unwrapped(self) -> Vector:
        """The environment itself."""
        return self

    def _any(self, batch: Batch) -> np.ndarray:
        return (self._random.random(len(batch.counts)) * batch.counts).astype(np.int32)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins all games anew: those of a seed, or the next ones."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        batch = self.lab.reset(seeds=None if seed is None else [seed * self.num_envs + i for i in range(self.num_envs)])
        batch, _ = self._answer(batch)
        self.batch = batch
        return self._observation(batch), self._info(batch)

    def step(self, actions: Any) -> tuple[Observation, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Makes a decision in each game. Returns observations, rewards, terminations, truncations and infos."""
        before = self.batch
        if before is None:
            raise LabError("no game was begun: reset first", "not ready")
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,):
            raise LabError(f"actions of shape {actions.shape} for {self.num_envs} games", "out of range")
        going = before.ends == RUNNING
        batch = self.lab.step(np.where(going, actions, -1), restart=True)
        rewards = batch.rewards.astype(np.float64)
        batch, more = self._answer(batch)
        rewards += more
        self.batch = batch
        seats = np.full(self.num_envs, self.seat) if self.seat >= 0 else np.maximum(before.seats, 0)
        rewards = rewards[np.arange(self.num_envs), seats]
        return self._observation(batch), rewards, batch.ends == OVER, batch.ends == CUT_OFF, self._info(batch)

    def _answer(self, batch: Batch) -> tuple[Batch, Any]:
        """Has the opponent decide until every game waits for the learner or has ended."""
        rewards: Any = 0.0
        while self.seat >= 0:
            theirs = (batch.seats >= 0) & (batch.seats != self.seat)
            if not theirs.any():
                break
            batch = self.lab.step(np.where(theirs, self.opponent(batch), -1))
            rewards = rewards + batch.rewards
        return batch, rewards

    def _observation(self, batch: Batch) -> Observation:
        planes, scalars = batch.planes, batch.scalars
        if self.seat > 0 and len(planes):  # games that are over are shown to the first seat
            over = np.flatnonzero(batch.ends != RUNNING)
            if len(over):
                planes, scalars = planes.copy(), scalars.copy()
            for game in over:
                planes[game], scalars[game] = self.lab.look(int(game), self.seat)
        rows = padded(batch, self.width)
        return {"observation": {"planes": planes, "scalars": scalars, "rows": rows},
            "action_mask": batch.mask(self.width).astype(np.int8)}

    def _info(self, batch: Batch) -> dict[str, Any]:
        every = np.ones(self.num_envs, bool)
        info: dict[str, Any] = {}
        for name in ("seats", "turns", "decisions", "scores"):
            info[name], info["_" + name] = getattr(batch, name), every
        return info

    def render(self) -> None:
        """Draws nothing."""

    def close(self, **_: Any) -> None:
        """Ends the process."""
        if not self.closed:
            self.closed = True
            self.lab.close()
