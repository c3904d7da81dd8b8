"""Mutual dice: the chain's arithmetic, what is kept of it, and games on a real server."""

from __future__ import annotations

import base64
import copy
import os
import pathlib
import tempfile
import threading
import unittest
import uuid
from typing import Any, Callable

from warledger import ChainReplaced, Client, FileChains, Game, MemoryChains, NoChain, LogInconsistent, WarledgerError
from warledger.dice import ChainChanged, anchors, committed, link, new_chain, promise
from warledger.proof import BadProof, _digest, prove

from .server import Server

# The test vector of docs/howto/clients.md.
VECTOR = {"last": base64.b64encode(bytes(range(32))).decode(), "length": 3}


class Slow(MemoryChains):
    """Chains in memory that another program uses too: it acts just before this one learns what is kept, at one of its
    looks."""

    def __init__(self, shared: MemoryChains, at: int, act: Callable[[], None]) -> None:
        super().__init__()
        self._kept, self._lock = shared._kept, shared._lock
        self.looks, self._at, self._act = 0, at, act

    def chain(self, game: str, seat: str) -> dict[str, Any] | None:
        self.looks += 1
        if self.looks == self._at:
            self._act()
        return super().chain(game, seat)


class ChainTest(unittest.TestCase):
    def test_links_are_those_of_the_documented_vector(self) -> None:
        self.assertEqual("cd17fa5ef7d22d752b21f7c41e234fa26189cc29443fa8144355ba0409677f05",
            link(VECTOR, "games/g1", "us", 2).hex())
        self.assertEqual("bc95d2efee2ad34537fa1f89d1b7e8180fe96f7f43dc01e0f82cf055f0055727",
            link(VECTOR, "games/g1", "us", 0).hex())
        self.assertEqual(bytes(range(32)), link(VECTOR, "games/g1", "us", 3))

    def test_what_is_kept_is_compared_and_outlives_the_program(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "chains.json")
            for chains in (MemoryChains(), FileChains(path)):
                first, second = new_chain(3, "ab"), new_chain(4, "cd")
                self.assertIsNone(chains.chain("games/g", "us"))
                chains.keep("games/g", "us", None, first)
                with self.assertRaises(ChainChanged):
                    chains.keep("games/g", "us", None, second)
                chains.keep("games/g", "us", first, second)
                chains.keep("games/g", "japan", None, first)
                self.assertEqual([second, first], [chains.chain("games/g", "us"), chains.chain("games/g", "japan")])
                chains.keep("games/g", "japan", first, None)
                self.assertIsNone(chains.chain("games/g", "japan"))
            self.assertEqual(second, FileChains(path).chain("games/g", "us"))
            self.assertEqual(0o600, os.stat(path).st_mode & 0o777)
            self.assertEqual({"chains.json", "chains.json.lock"},
                {entry.name for entry in pathlib.Path(folder).iterdir()})


def hidden(record: dict[str, Any]) -> dict[str, Any]:
    """A record whose open parts are shown as their digests alone. Its hash is still right."""
    record = copy.deepcopy(record)
    for leaf in record["proof"]["leaves"]:
        if "payload" in leaf and not leaf.get("audience") and record["kind"] == "RECORD_KIND_TABLE":
            digest = base64.b64encode(_digest(leaf)).decode()
            del leaf["payload"], leaf["salt"]
            leaf["digest"] = digest
    return record


class ServerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)
        cls.client = Client(cls.server.address)
        cls.addClassCleanup(cls.client.close)

    def seated(self, **settings: object) -> tuple[Game, Game]:
        """Two players of a game with mutual dice, each with a chain of its own."""
        owner = Game.create(self.client, "downfall", "olympic", dice="DICE_KIND_MUTUAL", **settings)
        players = Game(self.client, owner.name), Game(self.client, owner.name)
        for player, seat in zip(players, ("us", "japan")):
            player.take(seat, seat)
        return players

    def until_dice(self, us: Game, japan: Game) -> tuple[Game, str, dict]:
        """Plays to the first command that needs dice. Returns who else must answer, the seat, and the answer that is
        pending."""
        by_seat = {"us": us, "japan": japan}
        for _ in range(100):
            seat = us.get()["waitingFor"][0]
            command = by_seat[seat].legal(seat)[0]["command"]
            answer = by_seat[seat].submit(seat, command, pending=True)
            if answer.get("pending"):
                other = "japan" if seat == "us" else "us"
                return by_seat[other], other, answer
        self.fail("no command needed dice")

    def test_two_players_throw_once_both_have_answered(self) -> None:
        us, japan = self.seated()
        other, seat, answer = self.until_dice(us, japan)
        self.assertEqual("RECORD_KIND_ASK", answer["record"]["kind"])
        self.assertEqual([seat], us.get()["pendingDice"]["missing"])  # the seat that rolls has answered by itself
        self.assertNotIn("pendingDice", other.answer_dice())
        thrown = [record for record in us.records() if record.get("rolls")]
        self.assertEqual(answer["record"]["version"], thrown[-1]["asked"])

    def test_a_watch_answers_and_a_command_waits_for_it(self) -> None:
        us, japan = self.seated()
        stop = threading.Event()

        def follow(game: Game) -> None:
            for _ in game.watch():
                if stop.is_set():
                    self.client.close()
                    return

        threads = [threading.Thread(target=follow, args=(game,), daemon=True) for game in (us, japan)]
        for thread in threads:
            thread.start()
        by_seat, thrown = {"us": us, "japan": japan}, 0
        for _ in range(40):
            seat = us.get()["waitingFor"][0]
            command = by_seat[seat].legal(seat)[0]["command"]
            answer = by_seat[seat].submit(seat, command)
            self.assertFalse(answer.get("pending"))
            self.assertEqual("RECORD_KIND_COMMAND", answer["record"]["kind"])
            thrown += bool(answer["record"].get("rolls"))
        self.assertGreater(thrown, 1)
        stop.set()

    def test_a_command_stays_pending_where_the_game_is_closed_before_its_dice(self) -> None:
        owner = Game.create(self.client, "downfall", "olympic", dice="DICE_KIND_MUTUAL")
        us, japan = Game(self.client, owner.name), Game(self.client, owner.name)
        us.take("us", "us")
        japan.take("japan", "japan")
        by_seat = {"us": us, "japan": japan}
        other, _, answer = self.until_dice(us, japan)
        roller = "us" if other is japan else "japan"
        waiting = Game(self.client, owner.name, by_seat[roller].tokens, by_seat[roller].chains)
        again: list[dict] = []
        # The same command under the same id, as a program would send it again after a restart.
        request = {"seat": roller, "notation": answer["record"]["notation"],
            "commandId": us.get()["pendingDice"]["commandId"]}
        self.assertTrue(waiting._call("GameService/SubmitCommand", roller, **request)["pending"])

        def wait() -> None:
            again.append(waiting._finish(roller, request, answer))
            self.client.close()  # this thread's connection

        thread = threading.Thread(target=wait)
        thread.start()
        owner.close("enough")
        thread.join(30)
        self.assertEqual([True, True], [again[0].get("pending"), again[0]["game"].get("over")])

    def test_a_chain_that_is_elsewhere_is_renewed(self) -> None:
        us, japan = self.seated()
        moved = Game(self.client, japan.name, japan.tokens)  # the token without the chain
        other, seat, _ = self.until_dice(us, japan)
        if other is japan:
            self.assertIn(seat, moved.answer_dice()["pendingDice"]["missing"])
        other.answer_dice()
        moved.renew_chain("japan")
        with self.assertRaises(ChainReplaced):
            japan._answer({**us.get(), "pendingDice": {"asked": "1"}}, "japan")
        japan.forget_chain("japan")
        with self.assertRaises(NoChain):
            japan._answer({**us.get(), "pendingDice": {"asked": "1"}}, "japan")
        japan.answer_dice()  # leaves it to the other program

    def test_another_program_that_answers_meanwhile_is_no_alarm(self) -> None:
        for name, act in (("answers", Game.answer_dice), ("renews", lambda game: game.renew_chain("japan"))):
            for at in (1, 2):
                with self.subTest(name, look=at):
                    us, japan = self.seated()

                    def answer() -> None:
                        for player in (us, japan):
                            player.answer_dice()

                    def meanwhile() -> None:
                        answer()
                        self.until_dice(us, japan)
                        answer()

                    if name == "answers":
                        self.until_dice(us, japan)
                    slow = Slow(japan.chains, at, meanwhile)
                    act(Game(self.client, japan.name, japan.tokens, slow))
                    self.assertGreaterEqual(slow.looks, at)

    def test_another_program_that_renews_while_the_game_is_read_is_no_alarm(self) -> None:
        us, japan = self.seated()
        old = us.get()
        self.until_dice(us, japan)[0].answer_dice()
        slow = Slow(japan.chains, 0, lambda: None)

        class Renewing(Client):
            def call(self, method: str, *rest: Any) -> dict[str, Any]:
                if method == "GameService/GetGame":  # after the chain was read
                    japan.renew_chain("japan")
                return super().call(method, *rest)

        client = Renewing(self.server.address)
        self.addCleanup(client.close)
        second = Game(client, japan.name, japan.tokens, slow)
        second.get = lambda: Game.get(second) if slow.looks == 2 else us.get()  # type: ignore[method-assign]
        second._check(old, "japan")
        self.assertEqual(4, slow.looks)

    def test_a_chain_that_was_replaced_is_an_alarm_although_no_dice_are_asked_for(self) -> None:
        us, japan = self.seated()
        watch = japan.watch()
        while "caughtUp" not in next(watch):
            pass
        Game(self.client, japan.name, japan.tokens).renew_chain("japan")  # whoever has the token, such as the operator
        with self.assertRaises(ChainReplaced):
            japan.answer_dice()
        with self.assertRaises(ChainReplaced):
            for _ in watch:
                pass
        us.answer_dice()

    def test_a_chain_that_is_put_back_is_an_alarm(self) -> None:
        us, japan = self.seated()
        own = next(seat["chain"] for seat in us.get()["seats"] if seat["id"] == "japan")
        other = Game(self.client, japan.name, japan.tokens)
        other.renew_chain("japan")
        self.until_dice(us, other)[0].answer_dice()
        back = {"anchor": own["anchor"], "length": own["length"]}
        other._call("GameService/RenewChain", "japan", seat="japan", chain=back,
            requestId="8f6c8a7e-6f0a-4a68-9b7e-3d1c5b1f0a11")
        chain = japan.chains.chain(japan.name, "japan")
        for _ in range(100):
            seat = us.get()["waitingFor"][0]
            player = us if seat == "us" else japan
            command = next(a for a in player.legal(seat) if not a.get("offer"))["command"]
            try:
                if player.submit(seat, command, pending=True).get("pending") and japan.answer_dice():
                    break
            except ChainReplaced:
                self.assertEqual(chain, japan.chains.chain(japan.name, "japan"), "no link was revealed")
                return
        self.fail("the player's own chain answered as if nothing had happened")

    def test_an_own_chain_that_begins_again_is_an_alarm(self) -> None:
        us, japan = self.seated()
        self.until_dice(us, japan)[0].answer_dice()
        kept = japan.chains.chain(japan.name, "japan")
        thief = Game(self.client, japan.name, japan.tokens)  # whoever has the token, without a chain
        told = {"seat": "japan", "requestId": str(uuid.uuid4())}
        thief._call("GameService/RenewChain", "japan", chain=committed(kept, us.name, "japan"), **told)
        with self.assertRaises(LogInconsistent):
            japan.answer_dice()
        with self.assertRaises(LogInconsistent):
            japan.renew_chain("japan")
        self.until_dice(us, thief)
        low = {**kept, "next": 1}  # as if whoever has the token had spent the links that the log has
        japan.chains.keep(japan.name, "japan", kept, low)
        with self.assertRaises(LogInconsistent):
            japan.answer_dice()
        kept = low
        self.assertEqual(kept, japan.chains.chain(japan.name, "japan"), "no link was revealed")

    def test_a_renewal_that_arrives_late_is_no_alarm(self) -> None:
        class Slow(Client):
            late: dict[str, Any] | None = None

            def call(self, method: str, request: dict[str, Any], *rest: Any) -> dict[str, Any]:
                if method == "GameService/RenewChain" and self.late is None:
                    self.late = request
                    raise WarledgerError("deadline_exceeded", "gave up", "")
                if method == "GameService/RenewChain":
                    super().call(method, self.late, *rest)
                return super().call(method, request, *rest)

        us, japan = self.seated()
        client = Slow(self.server.address)
        self.addCleanup(client.close)
        slow = Game(client, japan.name, japan.tokens, japan.chains)
        for reason in ("", "CHAIN_UNEXPECTED"):
            with self.assertRaises(WarledgerError) as caught:
                slow.renew_chain("japan")
            self.assertEqual(reason, caught.exception.reason or "")
        for _ in range(2):
            self.until_dice(us, japan)[0].answer_dice()
            self.assertNotIn("pendingDice", us.get())

    def test_the_last_link_brings_a_chain_that_no_late_renewal_begins_again(self) -> None:
        us, japan = self.seated()
        kept, now = japan.chains.chain(japan.name, "japan"), japan.get()
        short = {**new_chain(int(now["version"]), now["lastHash"]), "length": 1}
        japan.chains.keep(japan.name, "japan", kept, short)
        token = Game(self.client, japan.name, japan.tokens)
        told = {"seat": "japan", "requestId": str(uuid.uuid4())}
        token._call("GameService/RenewChain", "japan", chain=committed(short, us.name, "japan"), **told)
        with self.assertRaises(WarledgerError):
            japan.renew_chain("japan")
        late = japan.chains.chain(japan.name, "japan")["coming"]
        self.until_dice(us, japan)[0].answer_dice()  # with the last link
        told["requestId"] = str(uuid.uuid4())
        token._call("GameService/RenewChain", "japan", chain=committed(late, us.name, "japan"), **told)
        self.until_dice(us, japan)[0].answer_dice()
        now = japan.chains.chain(japan.name, "japan")
        self.assertEqual((late["last"], 2), (now["last"], now["next"]))
        self.assertEqual(3, len(set(anchors(now, us.name, "japan"))))
        self.assertTrue(now["coming"]["follows"])

    def test_what_an_older_program_stored_answers(self) -> None:
        us, japan = self.seated()
        kept = japan.chains.chain(japan.name, "japan")
        older = {**new_chain(kept["version"], kept["hash"]), "next": 3, "sent": ["ab"], "coming": kept}
        japan.chains.keep(japan.name, "japan", kept, older)
        self.until_dice(us, japan)[0].answer_dice()
        now = japan.chains.chain(japan.name, "japan")
        self.assertEqual((kept["last"], 2, "ab", 3),
            (now["last"], now["next"], now["sent"][0], len(anchors(now, us.name, "japan"))))

    def test_a_seat_that_is_taken_with_another_chain_is_an_alarm(self) -> None:
        class Meddling(Client):
            def call(self, *args: Any) -> dict[str, Any]:
                answer = super().call(*args)
                for seat in answer.get("game", {}).get("seats", ()):
                    if "chain" in seat:
                        seat["chain"]["anchor"] = base64.b64encode(bytes(32)).decode()
                return answer

        client = Meddling(self.server.address)
        self.addCleanup(client.close)
        game = Game.create(client, "downfall", "olympic", dice="DICE_KIND_MUTUAL")
        with self.assertRaises(ChainReplaced):
            game.take("us", "us")
        self.assertIn("us", game.tokens)  # the seat is held all the same

    def test_renewing_forgets_no_log(self) -> None:
        us, japan = self.seated()
        self.until_dice(us, japan)[0].answer_dice()
        kept = japan.chains.chain(japan.name, "japan")
        newest = japan.get()
        for name, seen in (
            ("another record was seen", {**kept, "hash": "00" * 32}),
            ("the server has gone back", {**kept, "version": kept["version"] + 1000}),
            ("the command was never carried out",
                {**kept, "version": int(newest["version"]), "hash": newest["lastHash"]}),
        ):
            with self.subTest(name):
                japan.chains.keep(japan.name, "japan", kept, seen)
                with self.assertRaises(LogInconsistent):
                    japan.renew_chain("japan")
                japan.chains.keep(japan.name, "japan", seen, kept)
        japan.renew_chain("japan")
        japan.chains.keep(japan.name, "japan", japan.chains.chain(japan.name, "japan"), {**kept, "hash": "00" * 32})
        japan.forget_chain("japan")
        with self.assertRaises(WarledgerError) as caught:
            japan.renew_chain("japan")
        # not twice before a command, but the log is no obstacle
        self.assertEqual("CHAIN_UNEXPECTED", caught.exception.reason)

    def test_renewing_forgets_no_command(self) -> None:
        # The server dropped the command for which a link was revealed, and excuses itself with a field that nothing
        # proves.
        for name, excuse, refused in (
            ("another record asks", lambda game: {"pendingDice": {"asked": "1"}}, True),
            ("it still asks", lambda game: {"pendingDice": {"asked": game["version"]}}, False),
            ("the game is over", lambda game: {"over": True}, False),
        ):
            with self.subTest(name):
                us, japan = self.seated()
                self.until_dice(us, japan)[0].answer_dice()
                kept, now = japan.chains.chain(japan.name, "japan"), japan.get()
                japan.chains.keep(japan.name, "japan", kept,
                    {**kept, "version": int(now["version"]), "hash": now["lastHash"]})
                liar = Game(self.client, japan.name, japan.tokens, japan.chains)
                liar.get = lambda: (game := Game.get(japan)) | excuse(game)  # type: ignore[method-assign]
                if refused:
                    with self.assertRaises(LogInconsistent):
                        liar.renew_chain("japan")
                    continue
                liar.renew_chain("japan")
                with self.assertRaises(LogInconsistent):
                    self.until_dice(us, japan)
                    japan.answer_dice()

    def test_a_game_that_goes_on_names_its_time(self) -> None:
        us, _ = self.seated(go_on_after=90)
        self.assertEqual({"onSilence": "SILENCE_GO_ON", "answerTime": "90s"}, us.get()["mutualDice"])

    def test_no_link_is_revealed_for_two_logs(self) -> None:
        us, japan = self.seated()
        other, _, _ = self.until_dice(us, japan)
        other.answer_dice()
        other, seat, answer = self.until_dice(us, japan)
        asked = int(answer["record"]["version"])
        chain = other.chains.chain(other.name, seat)
        records = [r for r in other.records(after=chain["version"] - 1, whole_tree=True, proofs=True)
            if int(r["version"]) <= asked]
        number, after = promise(other.name, seat, chain, asked, records)
        self.assertEqual((chain["next"], asked), (number, after["version"]))
        self.assertEqual((number, after), promise(other.name, seat, after, asked, records[-1:]),
            "the same link is sent once more")

        def changed(at: int, change: object) -> list[dict]:
            lie = copy.deepcopy(records)
            change(lie[at])
            return lie

        other_hash = {**chain, "hash": "00" * 32}
        answered = {**after, "revealed": number, "version": chain["version"], "hash": chain["hash"]}
        for name, kept, version, shown in (
            ("another first record", other_hash, asked, records),
            ("a record left out", chain, asked, records[:1] + records[2:]),
            ("no proof", chain, asked, changed(-1, lambda r: r.pop("proof"))),
            ("another hash", chain, asked,
                changed(1, lambda r: r["proof"].update(hash=base64.b64encode(bytes(32)).decode()))),
            ("an asking record that is hidden", chain, asked,
                changed(-1, lambda r: r["proof"]["leaves"][-1].pop("payload"))),
            ("a record that asks for nothing", chain, asked - 1, records),
            ("an older record", chain, chain["version"] - 1, records),
            ("nothing", chain, asked, []),
            ("a table that is hidden behind its digest", chain, asked, [hidden(r) for r in records]),
            ("a link that was revealed", {**chain, "next": number + 1, "revealed": 0}, asked, records),
            ("a command that was not carried out", {**answered, "next": number}, asked,
                [r for r in records if not r.get("rolls")]),
            ("another game", chain, asked, changed(0, lambda r: r.update(version="7"))),
        ):
            with self.subTest(name), self.assertRaises(LogInconsistent):
                promise(other.name, seat, kept, version, shown)

    def test_the_hash_of_every_record_is_that_of_its_proof(self) -> None:
        us, japan = self.seated()
        self.until_dice(us, japan)
        before = bytes(32)
        for record in us.records(whole_tree=True, proofs=True):
            proved = prove(record)
            self.assertEqual((before, int(record["version"])), (proved.prev, proved.version))
            before = proved.hash
            for spoilt in ({}, {**record["proof"], "header": "AAAA"}, {**record["proof"], "leaves": [{"kind": "?"}]}):
                with self.assertRaises(BadProof):
                    prove({**record, "proof": spoilt})


if __name__ == "__main__":
    unittest.main()
