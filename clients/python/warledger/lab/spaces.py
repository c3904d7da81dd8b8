"""Spaces of observations and actions: Gymnasium's own where it is installed, and otherwise their likes."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

try:
    from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete
except ImportError:

    class _Space:
        """What every space has."""

        def __init__(self, shape: tuple[int, ...] | None, dtype: Any):
            self.shape, self.dtype = shape, None if dtype is None else np.dtype(dtype)
            self._random = np.random.default_rng()

        def seed(self, seed: int | None = None) -> None:
            """Seeds what `sample` draws."""
            self._random = np.random.default_rng(seed)

        def __contains__(self, x: Any) -> bool:
            return self.contains(x)

        def contains(self, x: Any) -> bool:
            """Whether a value is in the space."""
            raise NotImplementedError

    class Discrete(_Space):  # type: ignore[no-redef]
        """The numbers from 0 to n-1."""

        def __init__(self, n: int):
            super().__init__((), np.int64)
            self.n = n

        def contains(self, x: Any) -> bool:
            """Whether a value is in the space."""
            return isinstance(x, (int, np.integer)) and 0 <= int(x) < self.n

        def sample(self, mask: np.ndarray | None = None) -> np.int64:
            """Any of them that the mask allows; 0 if it allows none."""
            allowed = np.arange(self.n) if mask is None else np.flatnonzero(mask)
            return np.int64(self._random.choice(allowed) if len(allowed) else 0)

        def __eq__(self, other: Any) -> bool:
            return isinstance(other, Discrete) and self.n == other.n

    class MultiDiscrete(_Space):  # type: ignore[no-redef]
        """A list of numbers, each from 0 to its n-1."""

        def __init__(self, nvec: Any):
            self.nvec = np.asarray(nvec, np.int64)
            super().__init__(self.nvec.shape, np.int64)

        def contains(self, x: Any) -> bool:
            """Whether a value is in the space."""
            x = np.asarray(x)
            return x.shape == self.shape and bool(np.all((x >= 0) & (x < self.nvec)))

        def sample(self) -> np.ndarray:
            """Any list."""
            return (self._random.random(self.nvec.shape) * self.nvec).astype(np.int64)

    class Box(_Space):  # type: ignore[no-redef]
        """Arrays of a shape with numbers between bounds."""

        def __init__(self, low: float, high: float, shape: tuple[int, ...], dtype: Any):
            super().__init__(shape, dtype)
            self.low, self.high = np.full(shape, low, dtype), np.full(shape, high, dtype)

        def contains(self, x: Any) -> bool:
            """Whether a value is in the space."""
            return isinstance(x, np.ndarray) and x.shape == self.shape and np.can_cast(x.dtype, self.dtype)

        def __eq__(self, other: Any) -> bool:
            return isinstance(other, Box) and (self.shape, self.dtype) == (other.shape, other.dtype)

    class Dict(_Space):  # type: ignore[no-redef]
        """Several spaces by name."""

        def __init__(self, spaces: Mapping[str, Any]):
            super().__init__(None, None)
            self.spaces = dict(spaces)

        def contains(self, x: Any) -> bool:
            """Whether a value is in the space."""
            if not isinstance(x, dict) or x.keys() != self.spaces.keys():
                return False
            return all(s.contains(x[k]) for k, s in self.spaces.items())

        def __getitem__(self, key: str) -> Any:
            return self.spaces[key]

        def __eq__(self, other: Any) -> bool:
            return isinstance(other, Dict) and self.spaces == other.spaces


def numbers(*shape: int) -> Any:
    """The space of arrays of 16-bit numbers."""
    return Box(-(1 << 15), (1 << 15) - 1, shape, np.int16)


def flags(*shape: int) -> Any:
    """The space of arrays of 0 and 1, as masks are."""
    return Box(0, 1, shape, np.int8)
