"""The wheel that `pip wheel` builds: everything that the package needs, with types, installed where nothing else is.

It takes pip, setuptools and wheel. WARLEDGER_WHEEL says that they are there: without them the test fails then, and is
left out otherwise.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent

# What a program that has only the wheel finds: the version, the types' marker, and every module that is in the sources.
LOOK = """
import importlib.metadata, pathlib, sys
import warledger
root = pathlib.Path(warledger.__file__).parent
print(importlib.metadata.version("warledger"))
print(*sorted(str(p.relative_to(root)) for p in root.rglob("*") if p.suffix != ".pyc" and p.is_file()))
print(warledger.Client("http://127.0.0.1:1") is not None and "numpy" not in sys.modules)
"""


def _missing() -> str:
    return ", ".join(name for name in ("pip", "setuptools", "wheel") if importlib.util.find_spec(name) is None)


class TestPackage(unittest.TestCase):
    @unittest.skipIf(_missing() and not os.environ.get("WARLEDGER_WHEEL"), "needs pip, setuptools and wheel")
    def test_the_wheel_has_all_that_the_sources_have(self) -> None:
        self.assertEqual(_missing(), "", "WARLEDGER_WHEEL is set")
        with tempfile.TemporaryDirectory() as folder:
            source, home = Path(folder, "source"), Path(folder, "home")
            shutil.copytree(HERE, source, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
            pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
            self._run([*pip, "wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", folder, str(source)])
            (wheel,) = Path(folder).glob("warledger-*-py3-none-any.whl")
            self._run([*pip, "install", "--no-index", "--no-deps", "--target", str(home), str(wheel)])
            version, files, plain = self._run(
                [sys.executable, "-S", "-c", LOOK], cwd=folder, env={**os.environ, "PYTHONPATH": str(home)}
            ).splitlines()
        self.assertIn(f'version = "{version}"', (HERE / "pyproject.toml").read_text())
        package = HERE / "warledger"
        sources = sorted(str(p.relative_to(package)) for p in package.rglob("*") if p.suffix == ".py")
        self.assertEqual(files.split(), sorted([*sources, "py.typed"]))
        self.assertEqual(plain, "True")

    def _run(self, argv: list[str], **how: object) -> str:
        done = subprocess.run(argv, capture_output=True, text=True, **how)  # type: ignore[call-overload]
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout


if __name__ == "__main__":
    unittest.main()
