"""Plays whole games through the environment and trains nothing.

Each seat looks one step ahead now and then: it tries a few of its actions in clones of the game, as a search would, and
otherwise chooses at random. What matters here is the loop.

    python examples/play.py --address http://127.0.0.1:7482 --ruleset downfall --scenario olympic --games 1
"""

from __future__ import annotations

import argparse
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from warledger import Client, Env  # noqa: E402


def choose(env: Env, chance: random.Random, tries: int) -> dict:
    """An action: of a few that are tried in clones, one that wins at once if there is any, else any."""
    actions = env.legal()
    for action in chance.sample(actions, min(tries, len(actions))):
        with env.clone() as trial:
            seat = trial.seat
            if trial.step(action).rewards[seat] > 0:
                return action
    return chance.choice(actions)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--address", default="http://127.0.0.1:7482")
    parser.add_argument("--ruleset", default="downfall")
    parser.add_argument("--scenario", default="olympic")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--steps", type=int, default=0, help="decisions after which a game is cut off, 0 for none")
    parser.add_argument("--look", type=int, default=100, help="look ahead at one decision in so many, 0 for never")
    parser.add_argument("--seed", type=int, default=1, help="of the choices; dice are the server's")
    args = parser.parse_args()

    chance = random.Random(args.seed)
    for number in range(1, args.games + 1):
        with Env(Client(args.address), args.ruleset, args.scenario, max_steps=args.steps, observe=False) as env:
            _, info = env.reset()
            truncated = False
            while not env.over and not truncated:
                look = args.look and env.steps % args.look == 0
                *_, truncated, info = env.step(choose(env, chance, 3 if look else 0))
            ending = info.get("ending", {}).get("text", "cut off")
            print(f"game {number}: {env.steps} decisions, turn {info['turn']}: {ending}", flush=True)


if __name__ == "__main__":
    main()
