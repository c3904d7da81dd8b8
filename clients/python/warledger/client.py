"""Calls and streams of the API as JSON over HTTP (the Connect protocol)."""

from __future__ import annotations

import http.client
import json
import random
import ssl
import struct
import threading
import time
import urllib.parse
import uuid
from typing import Any, Iterator, Mapping, Sequence

from .errors import WarledgerError, from_answer

# In a Connect stream five bytes precede each message: flags and length. The last message has this flag, and says how
# the stream ended.
_PREFIX = struct.Struct(">BI")
_END = 0x02

# The server sends no larger message. Whatever sends more is not a Warledger server.
_LARGEST = 64 << 20


class Client:
    """A server. It may be shared by threads: each has a connection of its own.

    address  the web port, such as "http://127.0.0.1:7482" or "https://play.example"
    timeout  seconds that a call may take, retries not counted
    retries  how often a call is made again that the server could not take; every call carries an id, so that is always
             safe
    context  TLS settings for https, Python's own if not given
    """

    def __init__(self, address: str, timeout: float = 30.0, retries: int = 5, context: ssl.SSLContext | None = None):
        parts = urllib.parse.urlsplit(address if "//" in address else "http://" + address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{address!r} is no address of a web port, such as http://127.0.0.1:7482")
        self._tls = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port or (443 if self._tls else 80)
        self._path = parts.path.rstrip("/")
        self._context = context
        self._retries = retries
        self._local = threading.local()
        self.timeout = timeout

    def call(self, method: str, request: dict[str, Any] | None = None, tokens: Sequence[str] = ()) -> dict[str, Any]:
        """Makes a call such as "GameService/GetGame" and returns its answer; fields that have their default value are
        not in it.

        Raises WarledgerError or one of its kinds. A call that may not have arrived is made again with the same ids.
        """
        body = json.dumps(request or {}).encode()
        for attempt in range(self._retries + 1):
            try:
                return self._once(method, body, tokens, _game(request))
            except WarledgerError as err:
                error = err
            except (OSError, http.client.HTTPException) as err:
                self._drop()
                error = WarledgerError("unavailable", f"{self._host}:{self._port}: {err}")
            wait = _pause(error, attempt)
            if wait is None or attempt == self._retries:
                raise error
            time.sleep(wait)
        raise AssertionError("unreachable")

    def stream(self, method: str, request: dict[str, Any] | None = None, tokens: Sequence[str] = (),
        timeout: float | None = None) -> Iterator[dict[str, Any]]:
        """Makes a call that answers with a stream and yields its messages. `timeout` bounds the silence between two of
        them."""
        connection = self._connect(timeout or self.timeout)
        body = json.dumps(request or {}).encode()
        try:
            self._send(connection, method, _PREFIX.pack(0, len(body)) + body, "application/connect+json", tokens,
                _game(request))
            answer = connection.getresponse()
            if answer.status != 200:
                raise from_answer(_parsed(answer.read()), answer.status)
            while True:
                flags, size = _PREFIX.unpack(_exactly(answer, _PREFIX.size))
                if size > _LARGEST:
                    raise WarledgerError("internal", f"a message of {size} bytes")
                message = _parsed(_exactly(answer, size))
                if flags & _END:
                    if isinstance(message, dict) and "error" in message:
                        raise from_answer(message["error"])
                    return
                yield message
        except (OSError, http.client.HTTPException) as err:
            raise WarledgerError("unavailable", f"{self._host}:{self._port}: {err}") from err
        finally:
            connection.close()

    def close(self) -> None:
        """Closes the connection of this thread; the next call opens another."""
        self._drop()

    def games(self, **query: Any) -> Iterator[dict[str, Any]]:
        """The games of the server, newest first; `query` is what ListGames takes, such as ruleset="rulesets/downfall",
        openSeatsOnly=True."""
        yield from self._pages("GameService/ListGames", query, "games")

    def rulesets(self) -> list[dict[str, Any]]:
        """The rulesets that the server referees."""
        return self.call("CatalogService/ListRulesets").get("rulesets", [])

    def computers(self, ruleset: str = "", scenario: str = "") -> list[dict[str, Any]]:
        """The computer players that are on offer, for a ruleset such as "downfall" and a scenario of it."""
        query = {"ruleset": f"rulesets/{ruleset}" if ruleset else "", "scenario": scenario}
        return self.call("ComputerService/ListComputers", query).get("computers", [])

    def scenarios(self, ruleset: str) -> list[dict[str, Any]]:
        """The scenarios of a ruleset, such as "downfall"."""
        return self.call("CatalogService/ListScenarios", {"parent": f"rulesets/{ruleset}"}).get("scenarios", [])

    def rules(self, ruleset: str, language: str = "en") -> Iterator[dict[str, Any]]:
        """The paragraphs of a rulebook such as "downfall", in its order, without their full text. What is not
        translated is English."""
        query = {"parent": f"rulesets/{ruleset}", "languageCode": language}
        yield from self._pages("CatalogService/ListRules", query, "rules")

    def rule(self, ruleset: str, rule_id: str, language: str = "en") -> dict[str, Any]:
        """One paragraph of a rulebook, such as "DF 13.10", with its full text."""
        query = {"parent": f"rulesets/{ruleset}", "id": rule_id, "languageCode": language}
        rule: dict[str, Any] = self.call("CatalogService/GetRule", query)["rule"]
        return rule

    def _pages(self, method: str, query: dict[str, Any], field: str) -> Iterator[dict[str, Any]]:
        token = ""
        while True:
            answer = self.call(method, {**query, "pageToken": token})
            yield from answer.get(field, ())
            token = answer.get("nextPageToken", "")
            if not token:
                return

    def _once(self, method: str, body: bytes, tokens: Sequence[str], game: str) -> dict[str, Any]:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect(self.timeout)
        self._send(connection, method, body, "application/json", tokens, game)
        answer = connection.getresponse()
        data = answer.read()
        if answer.status != 200:
            raise from_answer(_parsed(data), answer.status)
        return _parsed(data)

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        if self._tls:
            return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._context)
        return http.client.HTTPConnection(self._host, self._port, timeout=timeout)

    def _send(self, connection: http.client.HTTPConnection, method: str, body: bytes, kind: str, tokens: Sequence[str],
        game: str) -> None:
        connection.putrequest("POST", f"{self._path}/warledger.v1.{method}", skip_accept_encoding=True)
        connection.putheader("Content-Type", kind)
        connection.putheader("Connect-Protocol-Version", "1")
        connection.putheader("Content-Length", str(len(body)))
        if game:
            connection.putheader("Warledger-Game", game)
        for token in tokens:
            connection.putheader("Authorization", "Bearer " + token.strip())
        connection.endheaders(body)

    def _drop(self) -> None:
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = None


def _game(request: Mapping[str, Any] | None) -> str:
    """The name of the game that a request is about, "" if it is about none. A load balancer sends all calls about it to
    one server."""
    for field in ("name", "parent", "game"):
        value = (request or {}).get(field)
        if isinstance(value, str) and value.startswith("games/") and value.isascii() and value.isprintable():
            return "/".join(value.split("/")[:2])
    return ""


def fresh_id() -> str:
    """An id for a call that changes something. It is as secret as what the call answers."""
    return str(uuid.uuid4())


def _pause(error: WarledgerError, attempt: int) -> float | None:
    """Seconds to wait before the call is made again, None if it must not be."""
    if error.retry is not None:
        return error.retry
    if error.code != "unavailable":
        return None
    return min(5.0, 0.05 * 2**attempt) * random.uniform(0.5, 1.0)


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data) if data else {}
    except ValueError:
        return {}


def _exactly(answer: http.client.HTTPResponse, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = answer.read(size - len(data))
        if not more:
            raise WarledgerError("unavailable", "the stream was cut off")
        data += more
    return data
