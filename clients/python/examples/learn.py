"""Learns to play Outpost against chance, with NumPy and nothing else, in about a minute.

The policy is linear: an action is worth the product of its features with weights, and is chosen with softmax. REINFORCE
moves the weights towards what was chosen in games that were won, and away from it in games that were lost.

    python examples/learn.py --steps 3000 --curve curve.svg

Features are a kind of action times what the laboratory says about the space that it leads to. The learner plays red in
one half of the games and blue in the other; any action is the opponent's, with equal chance.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from warledger.lab import Batch, Lab, Opened  # noqa: E402

FAR = 9


class Features:
    """Makes the features of all actions of a batch."""

    PLANES = ("own_steps", "rival_steps", "rival_strength", "own_held", "rival_held", "own_plan", "found")

    def __init__(self, opened: Opened):
        self.kinds = len(opened.kinds)
        self.planes = [opened.plane(id) for id in self.PLANES]
        self.outposts = np.flatnonzero(opened.ground[[c.id for c in opened.ground_columns].index("outpost")])
        self.own, self.rival = opened.plane("own_held"), opened.plane("rival_steps")
        self.columns = [opened.column(id) for id in ("kind", "from", "to", "die_modifier")]
        self.distance = distances(opened.spaces)
        self.each = 2 * len(self.planes) + 7
        self.size = self.kinds * self.each

    def __call__(self, batch: Batch) -> np.ndarray:
        game = np.repeat(np.arange(len(batch.counts)), batch.counts)
        kind, start, to, odds = (batch.rows[:, c].astype(np.intp) for c in self.columns)
        goals = np.where(batch.planes[:, self.own, :][:, self.outposts] == 0, 0, FAR)[game]
        foes = np.where(batch.planes[:, self.rival, :] > 0, 0, FAR)[game]
        parts = [np.ones(len(game)), odds / 3.0]
        for at in (start, to):
            known = at >= 0
            parts += [np.where(known, batch.planes[game, p, at], 0) / 3.0 for p in self.planes]
            parts.append(np.where(known, (self.distance[at][:, self.outposts] + goals).min(axis=1), 0) / 3.0)
            parts.append(np.where(known, (self.distance[at] + foes).min(axis=1), 0) / 3.0)
        parts.append(np.where(to >= 0, np.isin(to, self.outposts), 0))
        out = np.zeros((len(game), self.kinds, self.each), np.float32)
        out[np.arange(len(game)), kind] = np.stack(parts, axis=1)
        return out.reshape(len(game), self.size)


def distances(spaces: list[str]) -> np.ndarray:
    """Steps between hexes, whose ids are two digits of the column and two of the row; even columns lie half a hex
    lower."""
    column = np.array([int(s[:2]) for s in spaces])
    row = np.array([int(s[2:]) for s in spaces])
    z = row - (column + (column & 1)) // 2
    dx, dz = column[:, None] - column, z[:, None] - z
    return np.maximum(np.maximum(abs(dx), abs(dz)), abs(dx + dz))


def choices(worth: np.ndarray, batch: Batch, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The chance of each action, and one drawn for each game, -1 where there is none."""
    going = np.flatnonzero(batch.counts)
    starts = batch.starts[going]
    top = np.repeat(np.maximum.reduceat(worth, starts), batch.counts[going])
    weight = np.exp(worth - top)
    chance = weight / np.repeat(np.add.reduceat(weight, starts), batch.counts[going])
    # The largest of the logarithms with Gumbel noise is a draw by these chances.
    noisy = np.log(chance + 1e-12) + random.gumbel(size=len(chance))
    picked = np.full(len(batch.counts), -1, np.int32)
    for game, start, count in zip(going, starts, batch.counts[going]):
        picked[game] = noisy[start : start + count].argmax()
    return chance, picked


class Learner:
    """A linear policy, and the games that it learns from."""

    def __init__(self, lab: Lab, seed: int, rate: float):
        self.lab, self.rate = lab, rate
        self.random = np.random.default_rng(seed)
        self.features = Features(lab.opened)
        self.weights = np.zeros(self.features.size, np.float32)
        self.seats = np.arange(lab.games) % len(lab.opened.seats)
        self.traces = np.zeros((lab.games, self.features.size), np.float32)
        self.batch = lab.reset()

    def step(self, learning: bool = True) -> list[float]:
        """Makes a decision in each game. Returns what the learner was rewarded with in those that ended."""
        batch = self.batch
        features = self.features(batch)
        chance, picked = choices(features @ self.weights, batch, self.random)
        mine = (batch.seats == self.seats) & (picked >= 0)
        if learning:
            for game in np.flatnonzero(mine):
                rows = slice(batch.starts[game], batch.starts[game + 1])
                self.traces[game] += features[rows][picked[game]] - chance[rows] @ features[rows]
        other = (self.random.random(len(picked)) * batch.counts).astype(np.int32)
        self.batch = self.lab.step(np.where(mine, picked, np.where(picked >= 0, other, -1)), restart=True)
        ended = np.flatnonzero(self.batch.ends)
        rewards = self.batch.rewards[ended, self.seats[ended]]
        if learning and len(ended):
            self.weights += self.rate * (rewards @ self.traces[ended]) / max(len(ended), 1)
        self.traces[ended] = 0
        return [float(r) for r in rewards]


def play(learner: Learner, games: int, learning: bool) -> list[float]:
    """Rewards of so many games or a few more."""
    rewards: list[float] = []
    while len(rewards) < games:
        rewards += learner.step(learning)
    return rewards


def curve(points: list[tuple[int, float]], title: str) -> str:
    """A line of shares of games won, as SVG."""
    width, height, left, top = 640, 320, 60, 40
    most = max(x for x, _ in points)

    def place(x: float, y: float) -> tuple[float, float]:
        return left + (width - left - 20) * x / most, top + (height - top - 50) * (1 - y)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="13">'
    ]
    out.append(
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
        f'<text x="{left}" y="24" font-size="15">{title}</text>')
    for share in (0, 0.25, 0.5, 0.75, 1):
        x0, y = place(0, share)
        x1, _ = place(most, share)
        out.append(f'<line x1="{x0:.0f}" y1="{y:.1f}" x2="{x1:.0f}" y2="{y:.1f}" stroke="#d0d0d0"/>')
        out.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    for i in range(5):
        x, y = place(most * i / 4, 0)
        out.append(f'<text x="{x:.0f}" y="{y + 20:.0f}" text-anchor="middle">{most * i // 4}</text>')
    out.append(f'<text x="{width / 2:.0f}" y="{height - 8}" text-anchor="middle">games</text>')
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
    out.append(f'<polyline points="{line}" fill="none" stroke="#3050b0" stroke-width="2"/></svg>')
    return "\n".join(out) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=12000, help="games to learn from")
    parser.add_argument("--test", type=int, default=2000, help="games to play with the policy that was learned")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.05)
    parser.add_argument("--scenario", default="ridge")
    parser.add_argument("--curve", help="file of the curve, SVG")
    parser.add_argument("--program", help="the warledger program")
    given = parser.parse_args()
    with Lab("toy", given.scenario, games=64, seed=given.seed, workers=1, program=given.program) as lab:
        learner = Learner(lab, given.seed, given.rate)
        points, played, chunk = [], 0, max(given.games // 40, 1)
        before = play(learner, chunk, learning=False)
        points.append((0, (np.mean(before) + 1) / 2))
        while played < given.games:
            rewards = play(learner, chunk, learning=True)
            played += len(rewards)
            points.append((played, (np.mean(rewards) + 1) / 2))
            print(f"{played:6d} games: {points[-1][1]:.0%} of the points", flush=True)
        rewards = np.array(play(learner, given.test, learning=False))
        won, lost = (rewards > 0).mean(), (rewards < 0).mean()
        print(f"against chance, {len(rewards)} games: won {won:.1%}, lost {lost:.1%}, drawn {1 - won - lost:.1%}")
    if given.curve:
        pathlib.Path(given.curve).write_text(curve(points,
            "Outpost against chance: share of the points (a draw is half)"), encoding="utf-8")


if __name__ == "__main__":
    main()
