"""Tests of the laboratory: the wire without NumPy, all else with it. CI has NumPy, and sets WARLEDGER_NUMPY so that
nothing is skipped."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from . import server

np = None
if importlib.util.find_spec("numpy") is not None:
    import numpy as np

    from warledger import lab as laboratory
elif os.environ.get("WARLEDGER_NUMPY"):
    raise ImportError("WARLEDGER_NUMPY is set, and there is no NumPy")

_folder = tempfile.TemporaryDirectory(prefix="warledger-lab-")
_built: list[str] = []


def program() -> str:
    """The warledger program: that of the environment variable WARLEDGER, or one built now."""
    if not _built:
        _built.append(os.environ.get("WARLEDGER") or os.path.join(_folder.name, "warledger"))
        if "WARLEDGER" not in os.environ:
            subprocess.run(["go", "build", "-o", _built[0], "./cmd/warledger"], cwd=server.ROOT, check=True)
    return _built[0]


def wire():
    """The module of the wire, without the package around it, which needs NumPy."""
    path = pathlib.Path(server.ROOT) / "clients/python/warledger/lab/wire.py"
    spec = importlib.util.spec_from_file_location("lab_wire", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class TestWire(unittest.TestCase):
    def test_fields_come_back(self) -> None:
        w = wire()
        message = w.number(1, 300) + w.text(2, "Ōsaka") + w.data(3, b"") + w.number(4, (1 << 64) - 1) + w.entries(5,
            {"a": "b"})
        got = list(w.fields(memoryview(message)))
        self.assertEqual([field for field, _ in got], [1, 2, 3, 4, 5])
        self.assertEqual((got[0][1], str(got[1][1], "utf-8"), bytes(got[2][1])), (300, "Ōsaka", b""))
        self.assertEqual(w.signed(got[3][1]), -1)
        self.assertEqual([(f, bytes(v)) for f, v in w.fields(got[4][1])], [(1, b"a"), (2, b"b")])

    def test_broken_messages_are_refused(self) -> None:
        w = wire()
        for broken in (b"\x08", b"\x0a\x05ab", b"\x0b", b"\x08" + b"\xff" * 12, b"\x0d\x01", b"\x80"):
            with self.assertRaises(w.Malformed, msg=broken):
                list(w.fields(memoryview(broken)))

    def test_any_bytes_end_soon(self) -> None:
        w, state = wire(), 1
        for _ in range(3000):
            data = bytearray()
            for _ in range(state % 23):
                state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
                data.append(state >> 56)
            state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
            try:
                list(w.fields(memoryview(bytes(data))))
            except w.Malformed:
                pass


@unittest.skipIf(np is None, "there is no NumPy")
class TestLab(unittest.TestCase):
    def lab(self, ruleset: str = "toy", scenario: str = "ridge", **more):
        lab = laboratory.Lab(ruleset, scenario, program=program(), **more)
        self.addCleanup(lab.close)
        return lab

    def test_games_come_to_their_ends(self) -> None:
        lab = self.lab(games=8, seed=3)
        batch, random, ended, rewards = lab.reset(), np.random.default_rng(1), 0, np.zeros((8, 2))
        self.assertEqual(batch.planes.shape, (8, len(lab.opened.planes), len(lab.opened.spaces)))
        self.assertEqual(lab.opened.ground.shape, (3, len(lab.opened.spaces)))
        for _ in range(200):
            self.assertEqual(len(batch.rows), int(batch.counts.sum()))
            self.assertTrue((batch.seats[batch.ends == 0] >= 0).all())
            rewards += batch.rewards
            ended += int((batch.ends > 0).sum())
            batch = lab.step(np.where(batch.counts > 0, random.random(8) * batch.counts, -1), restart=True)
        self.assertGreater(ended, 8)
        self.assertTrue((rewards.sum(axis=1) == 0).all(), "what one side wins the other loses")

    def test_kinds_and_masks(self) -> None:
        lab = self.lab(games=2)
        batch = lab.reset()
        kinds = {lab.opened.kinds[row[lab.opened.column("kind")]] for row in batch.rows_of(1)}
        self.assertEqual(kinds, {"plan"})
        self.assertEqual(batch.mask(9).sum(axis=1).tolist(), batch.counts.tolist())
        with self.assertRaises(laboratory.LabError):
            batch.mask(int(batch.counts.max()) - 1)

    def test_the_seed_decides(self) -> None:
        def play(seed: int, workers: int) -> list[bytes]:
            lab = self.lab("downfall", "olympic", games=6, seed=seed, workers=workers)
            batch, seen = lab.reset(), []
            for _ in range(40):
                seen.append(batch.planes.tobytes() + batch.rows.tobytes())
                batch = lab.step(batch.counts // 2, restart=True)
            return seen

        first = play(1, 1)
        self.assertEqual(first, play(1, 3))
        self.assertNotEqual(first, play(2, 1))

    def test_mistakes_are_words(self) -> None:
        lab = self.lab(games=2)
        with self.assertRaisesRegex(laboratory.LabError, "reset first"):
            lab.step([0, 0])
        lab.reset()
        for actions in ([0, 99], [0], [-2, 0]):
            with self.assertRaises(laboratory.LabError) as caught:
                lab.step(actions)
            self.assertEqual(caught.exception.reason, "out of range")
        self.assertEqual(lab.step([0, -1]).decisions.tolist(), [1, 0], "a step that was refused did nothing")
        for ruleset, scenario in (("chess", "x"), ("toy", "x")):
            with self.assertRaises(laboratory.LabError) as caught:
                self.lab(ruleset, scenario)
            self.assertEqual(caught.exception.reason, "unknown")

    def test_a_lab_that_died_says_so(self) -> None:
        lab = self.lab()
        lab.reset()
        lab._process.kill()
        lab._process.wait()
        with self.assertRaisesRegex(laboratory.LabError, "has ended"):
            lab.step([0])

    def test_a_closed_lab_ends(self) -> None:
        lab = self.lab()
        lab.close()
        self.assertEqual(lab._process.returncode, 0)

    def test_arrays_stay_as_they_are(self) -> None:
        lab = self.lab()
        batch = lab.reset()
        before = batch.planes.copy()
        lab.step([0])
        self.assertTrue((batch.planes == before).all())
        with self.assertRaises(ValueError):
            batch.planes[0, 0, 0] = 1


@unittest.skipIf(np is None, "there is no NumPy")
class TestShapes(unittest.TestCase):
    """The rules that the documents of PettingZoo and Gymnasium state for their interfaces."""

    def made(self, kind, ruleset: str = "toy", scenario: str = "ridge", **more):
        env = kind(ruleset, scenario, program=program(), **more)
        self.addCleanup(env.close)
        return env

    def test_aec(self) -> None:
        env = self.made(laboratory.AEC, width=64)
        for seed in (1, 2):
            env.reset(seed=seed)
            self.assertEqual((env.agents, env.num_agents, env.max_num_agents), (["red", "blue"], 2, 2))
            total = dict.fromkeys(env.possible_agents, 0.0)
            done, steps = set(), 0
            for agent in env.agent_iter():
                self.assertEqual(agent, env.agent_selection)
                observation, reward, termination, truncation, info = env.last()
                self.assertTrue(env.observation_space(agent).contains(observation))
                self.assertIs(env.action_space(agent), env.action_space(agent))
                self.assertIsInstance(info, dict)
                total[agent] += reward
                if termination or truncation:
                    with self.assertRaises(ValueError):
                        env.step(0)
                    done.add(agent)
                    env.step(None)
                    self.assertNotIn(agent, env.agents)
                    continue
                self.assertGreater(observation["action_mask"].sum(), 0)
                other = next(a for a in env.possible_agents if a != agent)
                self.assertEqual(env.observe(other)["action_mask"].sum(), 0)
                self.assertEqual(set(env.rewards), set(env.agents))
                env.step(env.action_space(agent).sample(observation["action_mask"]))
                steps += 1
            self.assertEqual(done, {"red", "blue"})
            self.assertGreater(steps, 5)
            self.assertEqual(sum(total.values()), 0.0)
        with self.assertRaises(laboratory.LabError):
            env.step(None)

    def test_aec_sees_what_its_seat_sees(self) -> None:
        env = self.made(laboratory.AEC, width=64)
        env.reset(seed=1)
        plan = env.lab.opened.plane("own_plan")
        env.step(0)
        self.assertEqual(env.observe("red")["observation"]["planes"][plan].sum(), 1)
        self.assertEqual(env.observe("blue")["observation"]["planes"].tolist()[plan], [0] * len(env.lab.opened.spaces))

    def test_aec_refuses_what_is_no_action(self) -> None:
        env = self.made(laboratory.AEC, width=64)
        env.reset(seed=1)
        for action in (64, -1, None, 63):
            with self.assertRaises(laboratory.LabError):
                env.step(action)

    def test_parallel(self) -> None:
        env = self.made(laboratory.Parallel, width=64, limit=400)
        observations, infos = env.reset(seed=4)
        self.assertEqual((set(observations), set(infos)), ({"red", "blue"}, {"red", "blue"}))
        steps = 0
        while env.agents:
            for agent, observation in observations.items():
                self.assertTrue(env.observation_space(agent).contains(observation))
            actions = {a: env.action_space(a).sample(observations[a]["action_mask"]) for a in env.agents}
            observations, rewards, terminations, truncations, infos = env.step(actions)
            for answer in (observations, rewards, terminations, truncations, infos):
                self.assertEqual(set(answer), {"red", "blue"})
            steps += 1
        self.assertGreater(steps, 5)
        self.assertTrue(all(terminations.values()))
        self.assertEqual(sum(rewards.values()), 0.0)
        self.assertEqual(env.step({}), ({}, {}, {}, {}, {}))

    def test_vector(self) -> None:
        for seat in (None, "red", "blue"):
            env = self.made(laboratory.Vector, games=5, width=64, seat=seat, seed=2)
            observation, info = env.reset(seed=2)
            self.assertTrue(env.observation_space.contains(observation))
            ended = 0
            for _ in range(120):
                seats = env.batch.seats
                if seat is not None:
                    self.assertTrue(set(seats.tolist()) <= {-1, env.seat}, "only the learner is asked")
                before = env.batch.ends > 0
                counts = env.batch.counts
                observation, rewards, terminations, truncations, info = env.step(np.maximum(counts - 1, 0))
                for array, kind in ((rewards, np.float64), (terminations, np.bool_), (truncations, np.bool_)):
                    self.assertEqual((array.shape, array.dtype), ((5,), kind))
                self.assertEqual(info["_turns"].shape, (5,))
                self.assertTrue(env.observation_space.contains(observation))
                self.assertFalse((terminations & before).any() and seat is None,
                    "an ended game begins anew at the next step")
                self.assertTrue((rewards[before & ~terminations] == 0).all())
                scalars = observation["observation"]["scalars"]
                if seat is not None:
                    self.assertTrue((scalars[:, env.lab.opened.scalar("seat")] == env.seat).all(), "also after the end")
                ended += int(terminations.sum())
            self.assertGreater(ended, 3)

    def test_vector_repeats_by_seed(self) -> None:
        def play() -> list[bytes]:
            env = self.made(laboratory.Vector, games=3, width=64, seat="blue", seed=9)
            observation, _ = env.reset(seed=9)
            seen = []
            for _ in range(30):
                seen.append(observation["observation"]["rows"].tobytes())
                observation, *_ = env.step(np.zeros(3, np.int64))
            return seen

        self.assertEqual(play(), play())


@unittest.skipIf(np is None, "there is no NumPy")
class TestExample(unittest.TestCase):
    def test_it_learns_to_beat_chance(self) -> None:
        """The example of the documents, shortened. A policy that learns nothing wins half of these games."""
        curve = os.path.join(_folder.name, "curve.svg")
        example = pathlib.Path(server.ROOT) / "clients/python/examples/learn.py"
        command = [sys.executable, example, "--program", program(), "--games", "1500", "--test", "300", "--curve",
            curve]
        told = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout
        won = float(told.rsplit("won ", 1)[1].split("%")[0])
        self.assertGreater(won, 70, told)
        self.assertIn("<polyline", pathlib.Path(curve).read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
