"""A warledgerd of the tests' own, built from this checkout."""

from __future__ import annotations

import atexit
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]

_built: str | None = None
_folder = tempfile.TemporaryDirectory(prefix="warledger-python-")
atexit.register(_folder.cleanup)


def binary() -> str:
    """The server's program: that of the environment variable WARLEDGERD, or one built now."""
    global _built
    if _built is None:
        _built = os.environ.get("WARLEDGERD") or os.path.join(_folder.name, "warledgerd")
        if "WARLEDGERD" not in os.environ:
            subprocess.run(["go", "build", "-o", _built, "./cmd/warledgerd"], cwd=ROOT, check=True)
    return _built


class Server:
    """A running server. `stop` and `start` keep its games and its address."""

    def __init__(self, *flags: str) -> None:
        self._flags = flags
        self._home = tempfile.TemporaryDirectory(dir=_folder.name)
        self._port = _free_port()
        self.address = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen | None = None
        self.start()

    def start(self) -> None:
        command = [binary(), "--listen=127.0.0.1:0", f"--web=127.0.0.1:{self._port}", "--ops=off"]
        command += [f"--db={self._home.name}/games.db", "--log-level=error", *self._flags]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        for _ in range(600):
            if self._process.poll() is not None:
                raise RuntimeError(f"warledgerd ended with {self._process.returncode}")
            try:
                with urllib.request.urlopen(self._list_rulesets()):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        raise RuntimeError("warledgerd did not begin to serve")

    def stop(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(30)

    def close(self) -> None:
        self.stop()
        self._home.cleanup()

    def _list_rulesets(self) -> urllib.request.Request:
        url = self.address + "/warledger.v1.CatalogService/ListRulesets"
        return urllib.request.Request(url, b"{}", {"Content-Type": "application/json"})


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
