"""Calls and streams against a stand-in that misbehaves as networks do."""

from __future__ import annotations

import http.server
import json
import struct
import threading
import unittest

from warledger import Client, Game, Refused, SeatGuarded, VersionConflict, WarledgerError
from warledger.errors import from_answer


def envelope(message: dict, flags: int = 0) -> bytes:
    data = json.dumps(message).encode()
    return struct.pack(">BI", flags, len(data)) + data


class StandIn(http.server.ThreadingHTTPServer):
    """Gives the answers of `script` in turn, each (status, body), and remembers what was asked."""

    def __init__(self, *script: tuple[int, bytes]):
        stand_in = self
        self.script = list(script)
        self.asked: list[tuple[str, dict, bytes]] = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                stand_in.asked.append((self.path, dict(self.headers), body))
                status, answer = stand_in.script.pop(0)
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def client(self) -> Client:
        self._client = Client(f"http://127.0.0.1:{self.server_port}", timeout=5)
        return self._client

    def __exit__(self, *_: object) -> None:
        self._client.close()
        self.shutdown()
        self.server_close()


class CallTest(unittest.TestCase):
    def test_a_token_of_a_file_may_have_its_line_end(self) -> None:
        with StandIn((200, b"{}")) as server:
            server.client().call("GameService/GetGame", {"name": "games/a"}, [" wl_s_one\r\n"])
            self.assertEqual([headers.get("Authorization") for _, headers, _ in server.asked], ["Bearer wl_s_one"])

    def test_calls_and_streams_name_the_game_that_they_are_about(self) -> None:
        for request, want in (
            ({"name": "games/a"}, "games/a"),
            ({"parent": "games/a/seats/red"}, "games/a"),
            ({"name": "rulesets/toy"}, None),
            ({"name": "games/a\r\nX: y"}, None),
            (None, None),
        ):
            with StandIn((200, b"{}"), (200, envelope({}, 2))) as server:
                client = server.client()
                client.call("GameService/GetGame", request)
                list(client.stream("GameService/WatchGame", request))
                self.assertEqual([headers.get("Warledger-Game") for _, headers, _ in server.asked], [want, want])

    def test_a_call_that_the_server_could_not_take_is_made_again_with_the_same_ids(self) -> None:
        unavailable = json.dumps({"code": "unavailable", "message": "stopping"}).encode()
        ok = json.dumps({"game": {"name": "games/a"}}).encode()
        with StandIn((503, unavailable), (502, b"<html>"), (200, ok)) as server:
            Game(server.client(), "games/a", {"us": "wl_s_x"}).undo("us")
        self.assertEqual(3, len(server.asked))
        self.assertEqual(1, len({body for _, _, body in server.asked}))
        self.assertEqual("/warledger.v1.GameService/Undo", server.asked[0][0])
        self.assertEqual("Bearer wl_s_x", server.asked[0][1]["Authorization"])

    def test_nothing_but_unavailable_is_tried_again(self) -> None:
        with StandIn((404, json.dumps({"code": "not_found", "message": "no such game"}).encode())) as server:
            with self.assertRaises(WarledgerError) as caught:
                Game(server.client(), "games/a").get()
        self.assertEqual("not_found", caught.exception.code)

    def test_a_server_that_stays_away_is_reported_after_the_retries(self) -> None:
        client = Client("127.0.0.1:1", retries=1)
        with self.assertRaises(WarledgerError) as caught:
            client.rulesets()
        self.assertEqual("unavailable", caught.exception.code)

    def test_an_address_that_is_none_is_refused(self) -> None:
        for address in ("", "ftp://host", "http://"):
            with self.assertRaises(ValueError, msg=address):
                Client(address)


class NextTest(unittest.TestCase):
    """A decision takes one call: the answer to a command has the next list."""

    @staticmethod
    def page(*commands: str, more: str = "") -> dict:
        return {"version": "7", "actions": [{"command": command} for command in commands], "nextPageToken": more}

    def commands(self, answer: dict, *answers: tuple[int, bytes]) -> tuple[list[str], list[str]]:
        with StandIn(*answers) as server:
            listed = [action["command"] for action in Game(server.client(), "games/a").next_legal("us", answer)]
        return listed, [json.loads(body)["pageToken"] for _, _, body in server.asked]

    def test_a_list_that_came_with_the_answer_needs_no_call(self) -> None:
        self.assertEqual((["a", "b"], []), self.commands({"next": {"legal": self.page("a", "b")}}))
        self.assertEqual(([], []), self.commands({"next": {"legal": {"version": "7"}}}))

    def test_pages_that_did_not_fit_are_asked_for(self) -> None:
        rest = (200, json.dumps(self.page("b", "c")).encode())
        self.assertEqual((["a", "b", "c"], ["two"]),
            self.commands({"next": {"legal": self.page("a", more="two")}}, rest))

    def test_a_list_begins_anew_when_the_game_has_moved_on(self) -> None:
        info = {"type": "google.rpc.ErrorInfo", "debug": {"reason": "VERSION_CONFLICT"}}
        moved = (409, json.dumps({"code": "aborted", "message": "moved on", "details": [info]}).encode())
        anew = (200, json.dumps(self.page("x")).encode())
        self.assertEqual((["x"], ["two", ""]),
            self.commands({"next": {"legal": self.page("a", more="two")}}, moved, anew))

    def test_an_answer_without_a_list_is_asked_about(self) -> None:
        self.assertEqual((["a"], [""]), self.commands({}, (200, json.dumps(self.page("a")).encode())))


class StreamTest(unittest.TestCase):
    def messages(self, *parts: bytes) -> list[dict]:
        with StandIn((200, b"".join(parts))) as server:
            return list(server.client().stream("GameService/WatchGame"))

    def test_a_stream_ends_with_its_last_envelope(self) -> None:
        self.assertEqual([{"version": "1"}, {"version": "2"}],
            self.messages(envelope({"version": "1"}), envelope({"version": "2"}), envelope({}, 2)))

    def test_a_stream_that_is_cut_off_is_unavailable(self) -> None:
        for cut in (envelope({"version": "1"}), envelope({}, 2)[:3], envelope({"version": "1"})[:-1]):
            with self.assertRaises(WarledgerError) as caught:
                self.messages(cut)
            self.assertEqual("unavailable", caught.exception.code)

    def test_an_error_at_the_end_is_raised(self) -> None:
        with self.assertRaises(WarledgerError) as caught:
            self.messages(envelope({"error": {"code": "unauthenticated", "message": "gone"}}, 2))
        self.assertEqual("unauthenticated", caught.exception.code)

    def test_a_watch_that_is_cut_off_goes_on_where_it_was(self) -> None:
        first = envelope({"record": {"version": "1"}, "resumeToken": "one"}) + envelope({"record": {"version": "2"},
            "resumeToken": "two"})
        second = envelope({"record": {"version": "3"}, "resumeToken": "three"})
        with StandIn((200, first), (200, second)) as server:
            watch = Game(server.client(), "games/a").watch(after=0)
            versions = [next(watch)["record"]["version"] for _ in range(3)]
            watch.close()
        self.assertEqual(["1", "2", "3"], versions)
        asked = [json.loads(body[5:]) for _, _, body in server.asked]
        self.assertEqual(0, asked[0]["afterVersion"])
        self.assertEqual("two", asked[1]["resumeToken"])
        self.assertNotIn("afterVersion", asked[1])


class ErrorTest(unittest.TestCase):
    @staticmethod
    def answer(code: str, reason: str, **metadata: str) -> WarledgerError:
        info = {"type": "google.rpc.ErrorInfo", "debug": {"reason": reason, "metadata": metadata}}
        retry = {"type": "google.rpc.RetryInfo", "debug": {"retryDelay": "1.5s"}}
        return from_answer({"code": code, "message": "m", "details": [info, retry]})

    def test_errors_are_told_apart_by_what_the_server_says(self) -> None:
        refused = self.answer("failed_precondition", "ILLEGAL_COMMAND", rule="DF 6.1-b", pieces="us-1")
        self.assertIsInstance(refused, Refused)
        self.assertEqual("DF 6.1-b", refused.rule)
        self.assertEqual("us-1", refused.metadata["pieces"])
        self.assertEqual(1.5, refused.retry)
        guarded = self.answer("failed_precondition", "SEAT_GUARDED", seat="us", guard="all")
        self.assertIsInstance(guarded, SeatGuarded)
        self.assertEqual(("us", "all"), (guarded.seat, guarded.guard))
        self.assertIsInstance(self.answer("aborted", "VERSION_CONFLICT"), VersionConflict)
        self.assertIs(WarledgerError, type(self.answer("not_found", "RULE_NOT_FOUND", rule="DF 99")))

    def test_an_answer_of_something_between_is_read_by_its_status(self) -> None:
        self.assertEqual("unavailable", from_answer({}, 502).code)
        self.assertEqual("unknown", from_answer(["?"], 418).code)


if __name__ == "__main__":
    unittest.main()
