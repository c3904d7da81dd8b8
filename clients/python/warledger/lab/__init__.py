"""The laboratory: many games at once in a process beside this one, as NumPy arrays.

    from warledger.lab import Lab

    with Lab("downfall", "olympic", games=64, seed=1) as lab:
        batch = lab.reset()
        while True:
            batch = lab.step(choose(batch), restart=True)

`AEC`, `Parallel` and `Vector` are the same in the shapes of PettingZoo and Gymnasium. NumPy is needed, and the
`warledger` program; no other package. docs/reference/lab.md says what the numbers mean.
"""

from .envs import AEC, Parallel, Vector, padded
from .table import CUT_OFF, OVER, RUNNING, Batch, Column, Lab, LabError, Opened

__all__ = ["AEC", "CUT_OFF", "OVER", "RUNNING", "Batch", "Column", "Lab", "LabError", "Opened", "Parallel", "Vector",
    "padded"]
