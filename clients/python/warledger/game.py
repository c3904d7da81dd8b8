"""One game, as one seat, several or nobody sees it."""

from __future__ import annotations

import base64
import contextlib
import time
from typing import Any, Callable, Iterator, Mapping

from . import dice as mutual
from . import takenback
from .client import Client, fresh_id
from .errors import VersionConflict, WarledgerError
from .proof import KIND_UNDO, BadProof, prove
from .talk import Talk

# How often two programs may change a chain at the same time before one gives up.
_RACES = 8

# Codes of calls that the server did not carry out, and will not.
_REFUSALS = {"invalid_argument", "not_found", "already_exists", "permission_denied", "failed_precondition",
    "out_of_range", "unimplemented", "unauthenticated"}


class Game(Talk):
    """A game of a server and the tokens that open it.

    name    such as "games/34nol3k4obdtavdlayh3bowx7y"
    tokens  the token of each seat that is held, by its id; "" is the owner's
    former  the token of each seat that was held last and is free now: it answers when the seat is offered and takes it
            again
    chains  where chains for mutual dice are kept; without it they end with the program. See FileChains
    """

    def __init__(self, client: Client, name: str, tokens: Mapping[str, str] | None = None,
        chains: mutual.Chains | None = None):
        self.client = client
        self.name = name if name.startswith("games/") else "games/" + name
        self.tokens = dict(tokens or {})
        self.former: dict[str, str] = {}
        self.chains: mutual.Chains = chains if chains is not None else mutual.MemoryChains()

    @classmethod
    def create(
        cls,
        client: Client,
        ruleset: str,
        scenario: str,
        title: str = "",
        options: Mapping[str, str] | None = None,
        dice: str = "DICE_KIND_COMMITTED",
        go_on_after: float | None = None,
        chains: mutual.Chains | None = None,
    ) -> Game:
        """Creates a game, whose owner is the caller. Take seats with `take`.

        dice         DICE_KIND_COMMITTED, DICE_KIND_MANUAL or DICE_KIND_MUTUAL
        go_on_after  with mutual dice, the seconds after which the game goes on without a seat that does not answer;
                     None waits
        """
        request = {
            "requestId": fresh_id(),
            "ruleset": f"rulesets/{ruleset}",
            "scenario": scenario,
            "title": title,
            "options": dict(options or {}),
            "dice": dice,
        }
        if go_on_after is not None:
            request["mutualDice"] = {"onSilence": "SILENCE_GO_ON", "answerTime": f"{go_on_after:g}s"}
        answer = client.call("GameService/CreateGame", request)
        return cls(client, answer["game"]["name"], {"": answer["ownerToken"]}, chains)

    def take(self, seat: str, holder: str) -> dict[str, Any]:
        """Takes a free seat in the name of `holder` and keeps its token. Returns the game.

        Raises SeatGuarded if the others must agree first; see `offer_seat`.
        """
        try:
            return self._take(seat, holder, self.former.get(seat))
        except WarledgerError as err:
            if err.reason != "TOKEN_REVOKED" or seat not in self.former:
                raise
        del self.former[seat]  # somebody else has held the seat since
        return self._take(seat, holder)

    def _take(self, seat: str, holder: str, former: str | None = None) -> dict[str, Any]:
        request: dict[str, Any] = {"name": self.name, "seat": seat, "holder": holder, "requestId": fresh_id()}
        tokens = self._held() + ([former] if former else [])
        try:
            answer = self.client.call("GameService/TakeSeat", request, tokens)
        except WarledgerError as err:
            if err.reason != "CHAIN_REQUIRED":
                raise
            chain = self._come(self.get(), seat, sits=True)
            request["chain"] = mutual.committed(chain, self.name, seat)
            answer = self.client.call("GameService/TakeSeat", request, tokens)
        self.tokens[seat] = answer["seatToken"]
        self.former.pop(seat, None)
        self._check(answer["game"], seat)
        return answer["game"]

    def leave(self, seat: str) -> dict[str, Any]:
        """Frees a seat that is held here, or any seat as the owner. Its token is void from then on. Returns the
        game."""
        with self._leaving(seat) as request:
            game = self._call("GameService/LeaveSeat", seat=seat, requestId=request)["game"]
        self.put_aside(seat)
        return game

    def seat_computer(self, seat: str, computer: str) -> dict[str, Any]:
        """Gives a free seat to a computer player, such as "computers/greedy"; `Client.computers` has those on offer.
        Returns the game."""
        return self._call("ComputerService/SeatComputer", seat=seat, computer=computer, requestId=fresh_id())["game"]

    def unseat_computer(self, seat: str) -> dict[str, Any]:
        """Takes a seat back from a computer player. Returns the game."""
        return self._call("ComputerService/UnseatComputer", seat=seat, requestId=fresh_id())["game"]

    def put_aside(self, seat: str) -> None:
        """Moves the token of a seat that was freed by others to `former`. Calls with it fail with TOKEN_REVOKED until
        then."""
        token = self.tokens.pop(seat, None)
        if token:
            self.former[seat] = token

    def offer_seat(self, seat: str) -> dict[str, Any]:
        """Asks the others whether a guarded seat may be taken by whoever the owner lets in; owner only. Returns the
        game.

        Those asked are in its "pendingSeat". It waits until all have answered, one refuses, or the seats change.
        Raises SeatGuarded if nobody is there who could agree.
        """
        return self._call("AccessService/OfferSeat", seat=seat, requestId=fresh_id())["game"]

    def answer_seat(self, seat: str, shown: Mapping[str, Any], agree: bool) -> dict[str, Any]:
        """Agrees to the offer of a seat, or refuses it. "done" is true in the answer once all have agreed.

        seat   the seat that answers: one that is held here, or the offered one if it was held here last
        shown  the offer as the player was shown it: the game's "pendingSeat"

        Agreeing that the seat itself is taken by another is kept beside its chain. A server could show the offer of
        another seat, so the agreement to that is kept beside no chain.
        """
        with self._leaving(seat, agree and shown.get("seat") == seat) as request:
            return self._vote("AccessService/AnswerSeat", seat, request, offered=shown["offered"], agree=agree)

    def answer_undo(self, seat: str, shown: Mapping[str, Any], agree: bool) -> dict[str, Any]:
        """Agrees to an undo, or refuses it. "done" is true in the answer once all have agreed.

        seat   the seat that answers: one that is held here, or one that the owner freed and that was held here last
        shown  the question as the player was shown it: the game's "pendingUndo"

        With mutual dice it first keeps beside the chains of the seats held here that the player agreed. Otherwise no
        link is revealed after an undo that took back dice: see ThrowTakenBack. Raises LogInconsistent, and sends
        nothing, if the log does not ask what was shown.
        """
        found = self._agrees(seat, shown=shown)[1] if agree else {}
        with self._unless_refused(found):
            return self._vote("GameService/AnswerUndo", seat, asked=shown["asked"], agree=agree)

    def answer_deadlines(self, seat: str, proposed: int | str, agree: bool) -> dict[str, Any]:
        """Agrees to other deadlines, or refuses them, as `answer_undo`; `proposed` is in the game's
        "pendingDeadlines"."""
        return self._vote("DeadlineService/AnswerDeadlines", seat, proposed=proposed, agree=agree)

    def _vote(self, method: str, seat: str, request_id: str = "", **request: Any) -> dict[str, Any]:
        token = self.tokens.get(seat) or self.former.get(seat)
        request = {"name": self.name, "seat": seat, **request, "requestId": request_id or fresh_id()}
        return self.client.call(method, request, [token] if token else [])

    def get(self) -> dict[str, Any]:
        """The game: seats, version, turn, whom it waits for, whether it is over and how it ended."""
        return self._call("GameService/GetGame")["game"]

    def legal(self, seat: str, **query: Any) -> list[dict[str, Any]]:
        """All answers to what the seat is asked now; `query` narrows it by kind, piece or space. Empty for a seat that
        is not asked.

        Offers, such as to concede, are never among them: see `offers`. An action's "command" is what `submit` takes.
        All pages are of one version; when the game moves on meanwhile, the list is asked for again.
        """
        return self._list(seat, query, None)

    def next_legal(self, seat: str, answer: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What `legal` lists, from the answer of a `submit` with `next`. It calls the server only for what did not fit
        into the answer."""
        return self._list(seat, {}, answer.get("next", {}).get("legal"))

    def _list(self, seat: str, query: Mapping[str, Any], page: Mapping[str, Any] | None) -> list[dict[str, Any]]:
        """All pages of a list, of which the first may have come already."""
        actions: list[dict[str, Any]] = []
        token = ""
        while True:
            try:
                page = page or self._call("GameService/ListLegalActions", seat, seat=seat, pageToken=token, **query)
            except VersionConflict:  # the game has moved on between two pages
                if not token:
                    raise
                actions, token = [], ""
                continue
            actions += page.get("actions", ())
            token = page.get("nextPageToken", "")
            if not token:
                return actions
            page = None

    def offers(self, seat: str, **query: Any) -> list[dict[str, Any]]:
        """What the seat may say outside the game's questions, such as to concede. One with "confirm" may end the game:
        ask the player first."""
        return list(self._call("GameService/ListLegalActions", seat, seat=seat, **query).get("offers", ()))

    def submit(
        self,
        seat: str,
        command: str,
        expected: int | str | None = None,
        dice: list[int] | None = None,
        check_only: bool = False,
        pending: bool = False,
        next: bool = False,
    ) -> dict[str, Any]:
        """Sends a command in notation. Returns the record and the game; raises Refused if the rules forbid it.

        expected    the version that it was made for; VersionConflict if the game has moved on
        dice        what the players threw, in a game with manual dice
        check_only  only asks whether it would be accepted
        pending     with mutual dice, do not wait for the others' answers: "pending" is true in the answer then
        next        also asks what the seat may do afterwards: "prompts" and "legal" in the answer's "next"; see
                    `next_legal`

        With mutual dice this answers for the seats that are held, and waits until the others have answered.
        """
        request: dict[str, Any] = {
            "seat": seat, "notation": command, "commandId": fresh_id(), "validateOnly": check_only}
        if expected is not None:
            request["expectedVersion"] = expected
        if dice:
            request["manualDice"] = dice
        if next:
            request["next"] = {}
        answer = self._call("GameService/SubmitCommand", seat, **request)
        if not answer.get("pending"):
            return answer
        self.answer_dice()
        answer = self._call("GameService/SubmitCommand", seat, **request)
        if pending or not answer.get("pending"):
            return answer
        return self._finish(seat, request, answer)

    def _finish(self, seat: str, request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        """Waits until a pending command is carried out. Meanwhile the watch answers for the seats held here."""
        for message in self.watch(after=answer["record"]["version"]):
            record = message.get("record", {})
            if record.get("commandId") == request["commandId"]:
                break
            # Somebody may resign or close the game meanwhile; then nothing is carried out any more.
            if ("caughtUp" in message or record.get("kind") == "RECORD_KIND_TABLE") and self.get().get("over"):
                break
        try:
            return self._call("GameService/SubmitCommand", seat, **request)
        except WarledgerError as err:
            if err.reason != "GAME_OVER":
                raise
            return {**answer, "game": self.get()}

    def answer_dice(self) -> dict[str, Any]:
        """Reveals what the seats held here owe for mutual dice, and returns the game. `watch` and `submit` do it by
        themselves.

        Raises LogInconsistent if the server may be choosing the dice, and ThrowTakenBack if an undo since took back a
        throw that the seat had a part in, and its player did not agree to that from here; then nothing is revealed. A
        seat whose chain is not kept here is passed over. Whether or not a link is owed, raises ChainReplaced if the
        server has another chain for a seat than the one that is kept.
        """
        game = self.get()
        for seat in self.tokens:
            self._check(game, seat)
        for seat in game.get("pendingDice", {}).get("missing", ()):
            if seat not in self.tokens:
                continue
            try:
                game = self._answer(game, seat) or game
            except mutual.NoChain:
                continue
            except WarledgerError as err:
                if err.reason not in ("DICE_NOT_OWED", "GAME_OVER"):  # another program was quicker
                    raise
        return game

    def renew_chain(self, seat: str) -> dict[str, Any]:
        """Commits a seat to a new chain for mutual dice, if its token is here and its chain elsewhere. Returns the
        game.

        Raises LogInconsistent if a chain was kept here before and the server's log does not go on from what was seen
        with it; see `forget_chain`. Raises ThrowTakenBack as `answer_dice` does.
        """
        chain = self._come(self.get(), seat)
        told = mutual.committed(chain, self.name, seat)
        game = self._call("GameService/RenewChain", seat, seat=seat, chain=told, requestId=fresh_id())["game"]
        self._check(game, seat)
        return game

    def forget_chain(self, seat: str) -> None:
        """Forgets the chain of a seat, and what it knows of the log, so that nothing here answers until `renew_chain`.

        It is for a player who knows that another program of theirs answers, or why the server's log is another one.
        """
        self._keep(seat, lambda _, kept: (None, None))

    def preview(self, seat: str, command: str, policies: Mapping[str, str] | None = None) -> dict[str, Any]:
        """What the command would do: its costs, certain events and the chances of what is not certain. Nothing
        happens."""
        return self._call("GameService/PreviewCommand", seat, seat=seat, notation=command,
            policies=dict(policies or {}))

    def battle(self, space: str, kind: str = "", attacker: Mapping[str, Any] | None = None,
            defender: Mapping[str, Any] | None = None, policies: Mapping[str, str] | None = None,
            version: int | str = 0, viewer: str = "") -> dict[str, Any]:
        """The odds of a battle in any space. A side is a BattleForce, such as `{"entered": True, "numbers":
        {"infantry": 3}}`; what is left out is filled in from the position. The answer's form can be changed and sent
        again."""
        return self._call("GameService/CalculateBattle", space=space, kind=kind,
            attacker=dict(attacker or {}), defender=dict(defender or {}), policies=dict(policies or {}),
            version=version, viewer=viewer)

    def undo(self, seat: str, target: int | str = 0, ask: bool = False) -> dict[str, Any]:
        """Takes back the last command, or all after version `target`; `ask` asks the others where that needs them.

        With mutual dice it first keeps beside the chains of the seats held here that the player asked, if that takes
        back a throw of theirs: for this request alone, and for what has been thrown up to now. Raises LogInconsistent
        if the log does not go on from what is known of it.
        """
        request = fresh_id()
        target, found = self._agrees(seat, target=int(target), request=request)
        with self._unless_refused(found):
            return self._call("GameService/Undo", seat, seat=seat, target=target, ask=ask, requestId=request)

    def accept_undo(self, seat: str, undo: int | str) -> None:
        """Has a seat go on after a ThrowTakenBack. The player agreed to the undo of that record with another program,
        or puts up with it. It tells the server nothing."""
        undo = int(undo)
        if self.chains.chain(self.name, seat) is None:
            raise mutual.NoChain(seat)
        record = next(iter(self._tree(undo)), {})
        try:
            proved = prove(record)
        except BadProof as err:
            if record:
                raise mutual.LogInconsistent(str(err)) from err
            proved = None
        if proved is None or proved.version != undo or proved.kind != KIND_UNDO:
            raise WarledgerError("not_found", f"record {undo} is not an undo", "VERSION_NOT_FOUND")
        one = {"version": undo, "hash": proved.hash.hex(), "target": proved.head, "undo": undo}
        self._keep(seat, lambda _, kept: (None, kept and {
            **kept, "agreed": [*(c for c in kept.get("agreed", ()) if c != one), one]}))

    def redo(self, seat: str) -> dict[str, Any]:
        """Takes an undo back."""
        return self._call("GameService/Redo", seat, seat=seat, requestId=fresh_id())

    def board(self, viewer: str = "", version: int | str = 0, with_map: bool = False) -> dict[str, Any]:
        """The board as `viewer` may see it ("" for all seats that are held), now or at a version."""
        return self._call("GameService/GetBoard", viewer=viewer, version=version, includeMap=with_map)["board"]

    def records(
        self, after: int | str = 0, viewer: str = "", language: str = "", whole_tree: bool = False, proofs: bool = False
    ) -> Iterator[dict[str, Any]]:
        """Returns the records that lead to the head, or all of them; with `proofs` also what their hashes are made
        of."""
        query = {"afterVersion": after, "viewer": viewer, "languageCode": language, "wholeTree": whole_tree,
            "includeProofs": proofs}
        token = ""
        while True:
            answer = self._call("GameService/ListRecords", **query, pageToken=token)
            yield from answer.get("records", ())
            token = answer.get("nextPageToken", "")
            if not token:
                return

    def watch(self, after: int | str = 0, viewer: str = "", language: str = "",
        resume: str = "") -> Iterator[dict[str, Any]]:
        """What happens, as it happens, after version `after`: messages with one of board, record, caughtUp, heartbeat.

        It goes on after a lost connection or a restart of the server without losing or doubling a record, until it is
        closed. It answers for the seats that are held when mutual dice are asked for.
        """
        attempt = 0
        while True:
            request = {"name": self.name, "viewer": viewer, "languageCode": language, "heartbeat": "5s"}
            request.update({"resumeToken": resume} if resume else {"afterVersion": after})
            try:
                for message in self.client.stream("GameService/WatchGame", request, self._held(), timeout=20.0):
                    attempt = 0
                    if "goingAway" in message:
                        break
                    if "caughtUp" in message or _touches_dice(message.get("record", {})):
                        self._answer_if_asked()
                    yield message
                    # Only what the caller was given counts as seen.
                    resume = message.get("resumeToken") or resume
            except WarledgerError as err:
                if err.code != "unavailable":
                    raise
            attempt += 1
            time.sleep(min(5.0, 0.05 * 2 ** min(attempt, 10)))

    def fork(self, version: int | str = 0, private: bool = False, title: str = "") -> Game:
        """A game that begins at a version of this one, 0 for the head. A private one is the caller's alone, with every
        seat."""
        answer = self._call("HistoryService/ForkGame", version=version, private=private, title=title,
            requestId=fresh_id())
        tokens = {"": answer["ownerToken"], **answer.get("seatTokens", {})}
        return Game(self.client, answer["game"]["name"], tokens)

    def close(self, reason: str = "") -> dict[str, Any]:
        """Ends the game for good, as its owner may."""
        return self._call("GameService/CloseGame", "", reason=reason, requestId=fresh_id())["game"]

    def resign(self, seat: str) -> dict[str, Any]:
        """Gives up for the seat."""
        with self._leaving(seat) as request:
            return self._call("GameService/Resign", seat, seat=seat, requestId=request)["game"]

    def _answer_if_asked(self) -> None:
        if any(seat for seat in self.tokens):
            self.answer_dice()

    def _answer(self, game: dict[str, Any], seat: str) -> dict[str, Any] | None:
        """Stores and then reveals what one seat owes. Returns the game after it."""

        def decide(game: dict[str, Any], kept: dict[str, Any] | None) -> tuple[Any, dict[str, Any] | None]:
            chain = mutual.in_use(game, self.name, seat, kept)
            if "pendingDice" not in game:  # another program was quicker
                return (game, 0, chain), kept
            asked = int(game["pendingDice"]["asked"])
            records = self._tree(chain["version"])
            number, after = mutual.promise(self.name, seat, chain, asked, records, kept, self._tree)
            return (game, number, after), after

        game, number, chain = self._keep(seat, decide, game)
        if not number:
            return game
        request: dict[str, Any] = {"seat": seat, "asked": game["pendingDice"]["asked"], "requestId": fresh_id()}
        request["link"] = base64.b64encode(mutual.link(chain, self.name, seat, number)).decode()
        if number == chain["length"] and (follower := mutual.follower(chain)):
            request["chain"] = mutual.committed(follower, self.name, seat)
        return self._call("GameService/AnswerDice", seat, **request)["game"]

    def _come(self, game: dict[str, Any], seat: str, sits: bool = False) -> dict[str, Any]:
        """Makes a chain and keeps it as coming, because the server may not take it.

        Chains that were sent before are kept as well: a request that the client gave up may arrive yet. `sits` is true
        if the player does not hold the seat now, and is about to take it with the chain.
        """
        drawn = mutual.new_chain(0, "")

        def decide(game: dict[str, Any], kept: dict[str, Any] | None) -> tuple[dict[str, Any], dict[str, Any]]:
            chain = {**drawn, "version": int(game["version"]), "hash": game["lastHash"]}
            if kept is None:
                return chain, {**chain, "since": chain["version"]}
            records = self._tree(mutual.newest(kept)["version"])
            awaited, undos = mutual.goes_on(self.name, seat, kept, game, records, self._tree, sits)
            if awaited:
                chain["awaited"] = awaited
            if undos.left:
                chain["left"] = True
            try:
                current = mutual.in_use(game, self.name, seat, kept)
            except mutual.ChainReplaced:
                current = kept
            going = mutual.go_on(kept, current, self.name, seat)
            if undos.agreed:
                going["agreed"] = undos.agreed
            return chain, mutual.with_coming(going, chain)

        return self._keep(seat, decide, game)

    def _agrees(
        self, seat: str, target: int = 0, shown: Mapping[str, Any] | None = None, request: str = "",
    ) -> tuple[int, dict[str, takenback.Consent]]:
        """Keeps that the player asks for an undo to a target, or agrees to the one that was shown. Returns the target
        to ask for, and what was kept, by seat.

        It is kept for each seat that is held here and has a chain here: they are one player's.
        """
        seats = [s for s in dict.fromkeys((seat, *self.tokens)) if s and self.chains.chain(self.name, s) is not None]
        found: dict[str, takenback.Consent] = {}
        if not seats:
            return target, found
        game = self._seen_by(seat) or self.client.call("GameService/GetGame", {"name": self.name}, [])["game"]

        def decide(game: dict[str, Any], kept: dict[str, Any] | None) -> tuple[Any, dict[str, Any] | None]:
            if kept is None or (shown and int(game.get("pendingUndo", {}).get("asked", 0)) != int(shown["asked"])):
                return None, kept  # the server refuses
            new = mutual.consent(self.name, one, kept, game, self._tree, self._acts, target, shown, request)
            return new, {**kept, "agreed": [*kept.get("agreed", ()), new]} if new else kept

        for one in seats:
            if one != seat and not self._seen_by(one):  # the chain of a seat that was lost may be another player's
                continue
            if new := self._keep(one, decide, game):
                found[one] = new
        return next((new["target"] for new in found.values()), target), found

    def _acts(self, seat: str) -> bool:
        """Whether a seat is held here."""
        return seat in self.tokens

    @contextlib.contextmanager
    def _unless_refused(self, found: dict[str, takenback.Consent]) -> Iterator[None]:
        """Forgets consents if the server refuses what they are for. One that may have been carried out stays."""
        try:
            yield
        except WarledgerError as err:
            if err.code in _REFUSALS:
                for one, new in found.items():
                    self._keep(one, lambda _, kept, new=new: (None, kept and {
                        **kept, "agreed": [c for c in kept.get("agreed", ()) if c != new]}))
            raise

    @contextlib.contextmanager
    def _leaving(self, seat: str, gives_up: bool = True) -> Iterator[str]:
        """Draws the id of a request by which the player gives up a seat, or agrees that another player takes it, and
        keeps it beside the seat's chain: whoever has the token can do so in the player's name. Forgets it if the server
        refuses the request."""
        request = fresh_id()

        def change(*, leaves: bool) -> None:
            def decide(_: Any, kept: dict[str, Any] | None) -> tuple[None, dict[str, Any] | None]:
                if kept is None:
                    return None, None
                rest = [one for one in kept.get("leaves", ()) if one != request]
                return None, {**kept, "leaves": [*rest, request] if leaves else rest}

            if gives_up and seat:
                self._keep(seat, decide)

        change(leaves=True)
        try:
            yield request
        except WarledgerError as err:
            if err.code in _REFUSALS:
                change(leaves=False)
            raise

    def _seen_by(self, seat: str) -> dict[str, Any] | None:
        """The game as the token of a seat shows it; None if the seat is not held here any more."""
        try:
            return self._call("GameService/GetGame", seat)["game"]
        except WarledgerError as err:
            if err.reason != "TOKEN_REVOKED":
                raise
            return None

    def _tree(self, version: int) -> Iterator[dict[str, Any]]:
        """The records of the whole tree from a version on, with proofs."""
        return self.records(after=max(version, 1) - 1, whole_tree=True, proofs=True)

    def _check(self, game: dict[str, Any], seat: str) -> None:
        """Compares the server's chain of a seat that is held here with the one that is kept."""

        def decide(game: dict[str, Any], kept: dict[str, Any] | None) -> tuple[None, dict[str, Any] | None]:
            if kept is not None:
                mutual.check(game, self.name, seat, kept)
            return None, kept

        if seat:
            self._keep(seat, decide, game)

    def _keep(
        self,
        seat: str,
        decide: Callable[[Any, dict[str, Any] | None], tuple[Any, dict[str, Any] | None]],
        game: dict[str, Any] | None = None,
    ) -> Any:
        """Replaces what is kept of a seat's chain with what `decide` makes of a game and of it.

        Returns the first result of `decide`. Several programs may change a chain at once. A game that was read before
        the chain, or while it changed, may not fit although nobody cheats. So an alarm counts only if the game was read
        after the chain, and the chain is still the same.
        """
        for race in range(_RACES):
            kept = self.chains.chain(self.name, seat)
            if race and game is not None:
                game = self.get()
            try:
                result, after = decide(game, kept)
                if after != kept:
                    self.chains.keep(self.name, seat, kept, after)
                return result
            except mutual.ChainChanged:
                continue
            except mutual.ALARMS:
                if race and self.chains.chain(self.name, seat) == kept:
                    raise
        raise WarledgerError("aborted", f"other programs keep changing the chain of {seat}")

    def _held(self) -> list[str]:
        return [token for seat, token in sorted(self.tokens.items()) if token]

    def _call(self, method: str, as_seat: str | None = None, **request: Any) -> dict[str, Any]:
        """Makes a call with the token of one seat, or with all where none is named."""
        tokens = self._held() if as_seat is None else [self.tokens[as_seat]] if as_seat in self.tokens else []
        return self.client.call(method, {"name": self.name, **request}, tokens)


def _touches_dice(record: dict[str, Any]) -> bool:
    """Whether a record asks for mutual dice, or commits a seat to a chain for them."""
    events = [event.get("event", {}) for event in record.get("events", ())]
    names = ("seatTaken", "chainRenewed", "diceAnswered")
    commits = any("chain" in event.get(name, {}) for event in events for name in names)
    return commits or record.get("kind") == "RECORD_KIND_ASK"
