// The client at a server of its own: calls, refusals, lists, the watch over a server that stops, dice that every seat
// has a part in.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { ChainReplaced, Client, LogInconsistent, Refused, ThrowTakenBack, Wallet, WarledgerError, endsGame, hasReason,
  newAccount, reasons, uuid, verifyRecord } from "@warledger/client";
import { Rights } from "@warledger/client/proto/v1/access_service";
import { DiceKind, JoinPolicy } from "@warledger/client/proto/log/v1/log";
import { PositionSchema } from "@warledger/client/proto/toy/v1/toy";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { serve } from "./server.mjs";

let server;
before(async () => {
  server = await serve();
});
after(() => server?.stop());

const nowhere = "games/aaaaaaaaaaaaaaaaaaaaaaaaaa";

/** begin is a game of which a client of its own holds both seats. */
async function begin(request = {}, options = {}) {
  const client = new Client(server.url, options);
  const { game } = await client.create({ ruleset: "rulesets/toy", source: { case: "scenario", value: "ridge" },
    title: "A test", ...request });
  const red = client.game(game.name, "red"), blue = client.game(game.name, "blue");
  await red.take("red", "bot:red");
  await blue.take("blue", "bot:blue");
  return { client, name: game.name, red, blue };
}

/** decide submits the first legal command of whoever is waited for. */
async function decide(red) {
  const state = await red.get(), seat = red.as(state.waitingFor[0]);
  const [first] = await seat.listLegal();
  return seat.submit(first.command, { expected: first.version });
}

test("the reasons are those of the page on errors", () => {
  const page = readFileSync(new URL("../../../docs/reference/errors.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, reason]) => reason);
  assert.ok(listed.length > 50);
  assert.deepEqual([...reasons], listed);
});

test("an address without a scheme is encrypted unless it is on this host", () => {
  const asked = [];
  const fetch = (url) => {
    asked.push(String(url));
    return Promise.reject(new TypeError("fetch failed"));
  };
  for (const address of ["localhost:7482", "127.0.0.1:7482", "[::1]:7482", "games.example", "http://games.example/",
    "games.example:7482/room"]) {
    void new Client(address, { fetch, patience: 0 }).game("g").get().catch(() => undefined);
  }
  return new Promise((done) => setImmediate(done)).then(() =>
    assert.deepEqual(asked.map((url) => url.replace("/warledger.v1.GameService/GetGame", "")), [
      "http://localhost:7482", "http://127.0.0.1:7482", "http://[::1]:7482", "https://games.example",
        "http://games.example", "https://games.example:7482/room",
    ]));
});

test("each call about a game names it, so that a load balancer can send all of them to one server", async () => {
  const named = {};
  const fetch = (url, init) => {
    named[String(url).split("/").pop()] = new Headers(init.headers).get("warledger-game") ?? "";
    return globalThis.fetch(url, init);
  };
  const { client, name, red } = await begin({}, { fetch });
  await decide(red);
  for await (const _ of client.list()) break;
  for await (const _ of red.watch()) break;
  const { CreateGame, ListGames, ...about } = named;
  assert.deepEqual([CreateGame, ListGames], ["", ""]);
  for (const call of ["TakeSeat", "GetGame", "ListLegalActions", "SubmitCommand", "WatchGame"]) {
    assert.ok(call in about, `no ${call} among ${Object.keys(about)}`);
  }
  assert.deepEqual([...new Set(Object.values(about))], [name]);
});

test("only transient failures are tried again, under the same id", async () => {
  const ids = [], answers = [];
  const fetch = async (url, init) => {
    const next = answers.shift();
    if (next === "gone") throw new TypeError("fetch failed");
    if (next === "lost") { // carried out, but the answer does not arrive
      await globalThis.fetch(url, init);
      throw new TypeError("terminated");
    }
    if (next)
      return new Response(JSON.stringify({ code: next }),
      { status: 503, headers: { "Content-Type": "application/json" } });
    return globalThis.fetch(url, init);
  };
  const backoff = { shortest: 1, longest: 2 };
  const client = new Client(server.url, { fetch, backoff, interceptors: [(next) => (call) => {
    if (call.message.requestId) ids.push(call.message.requestId);
    return next(call);
  }] });
  answers.push("gone", "unavailable", "lost");
  const { game } = await client.create({ ruleset: "rulesets/toy", source: { case: "scenario", value: "ridge" } });
  assert.equal(ids.length, 4);
  assert.equal(new Set(ids).size, 1);
  assert.equal((await client.game(game.name).take("red", "bot:red")).game.seats.find((s) => s.id === "red").taken,
    true);
  answers.push("resource_exhausted", "gone");
  await assert.rejects(client.game(game.name).get(), (e) => e instanceof WarledgerError && !e.transient);
  assert.deepEqual(answers, ["gone"], "what is no transient failure is not tried again");
  answers.length = 0;
  await assert.rejects(client.game(game.name).call(() => Promise.reject(new Error("a fault of the program"))),
    /a fault of the program/);
});

test("errors have reasons, rules and words", async () => {
  const { client, red, name } = await begin();
  await assert.rejects(client.game(nowhere).get(), (e) => hasReason(e, "GAME_NOT_FOUND") && !(e instanceof Refused));
  await assert.rejects(red.inLanguage("ja").submit("plan 0102"), (e) => {
    assert.ok(e instanceof Refused);
    assert.equal(e.rule, "TY 2.2");
    assert.match(e.english, /0102 is no outpost\. \(TY 2\.2\)/);
    assert.match(e.message, /0102/);
    assert.notEqual(e.message, e.english);
    assert.deepEqual(e.spaces, ["0102"]);
    return true;
  });
  await assert.rejects(client.create({ ruleset: "rulesets/toy", title: "x".repeat(1000) }),
    (e) => hasReason(e, "VALIDATION_FAILED") && e.fields.length > 0 && e.fields[0].path !== "");
  const stranger = new Client(server.url).game(name, "red");
  await assert.rejects(stranger.submit("end"), (e) => hasReason(e, "TOKEN_REQUIRED"));
  await assert.rejects(new Client(server.url).game(name).join("red", "bot:x", "wl_s_x"), /no invitation/);
});

test("lists, previews, boards, positions and records of a game", async () => {
  const { red, blue, client, name } = await begin();
  const all = await red.listLegal(), paged = await red.listLegal({ pageSize: 2, typed: true });
  assert.deepEqual(paged.map((a) => a.command), all.map((a) => a.command));
  assert.deepEqual(paged.map((a) => [a.index, a.total]), all.map((_, i) => [i, all.length]));
  assert.ok(paged.every((a) => a.typed?.typeUrl.includes("warledger.toy.v1.")));
  for await (const a of red.legal({ pageSize: 1 })) {
    assert.equal(a.command, all[0].command);
    break;
  }
  const id = uuid(), sent = { expected: all[0].version, id, next: true };
  const done = await red.submit(all[0].command, sent), again = await red.submit(all[0].command, sent);
  assert.equal(done.record.version, again.record.version, "a command under the same id is carried out once");
  assert.deepEqual((await red.nextLegal(done)).map((a) => a.command), (await red.listLegal()).map((a) => a.command));
  const [plan] = await blue.listLegal();
  await assert.rejects(blue.submit(plan.command, { expected: 1n }), (e) => hasReason(e, "VERSION_CONFLICT"));
  await blue.submit(plan.command);
  const state = await red.get(), seat = red.as(state.waitingFor[0]);
  const offers = [];
  for await (const offer of seat.offers()) offers.push(offer);
  assert.ok(offers.some((o) => o.command === "concede" && o.confirm), JSON.stringify(offers.map((o) => o.command)));
  const [move] = await seat.listLegal({ typed: true });
  assert.equal((await seat.preview(move.typed)).$typeName, "warledger.v1.PreviewCommandResponse");
  await assert.rejects(red.battle("0101"), (e) => hasReason(e, "NO_CALCULATOR"));
  assert.equal((await seat.submit(move.typed, { checkOnly: true })).game.version, state.version);
  assert.ok((await red.board({ withMap: true })).board.map.spaces.length > 5);
  assert.ok(anyUnpack((await red.position()).position, PositionSchema));
  const versions = [];
  for await (const r of red.records({ pageSize: 2, wholeTree: true })) versions.push(r.version);
  assert.deepEqual(versions, versions.map((_, i) => BigInt(i + 1)));
  assert.equal(BigInt(versions.length), state.version);
  assert.ok((await red.undo({ ask: true })).game);
  const found = [];
  for await (const g of client.list({ pageSize: 1, ruleset: "rulesets/toy" })) found.push(g.name);
  assert.ok(found.includes(name) && found.length > 1);
  assert.equal(await red.versionOf(new Date()), (await red.get()).version);
});

test("tokens, invitations, webhooks and computers", async () => {
  const { red, client, name } = await begin();
  const expires = new Date(Date.now() + 3600_000),
    { secret: token } = await red.createToken({ rights: Rights.SEE, expires, note: "a page" });
  const sees = client.game(name, "red").withTokens({ tokens: () => [token] });
  await assert.rejects(sees.submit("end"), (e) => hasReason(e, "TOKEN_TOO_NARROW"));
  const [made] = await red.listTokens();
  assert.equal(made.note, "a page");
  await red.revokeToken(made.name);
  await assert.rejects(sees.get(), (e) => hasReason(e, "TOKEN_REVOKED"));

  const owner = new Client(server.url), guest = new Client(server.url);
  const { game } = await owner.create({ ruleset: "rulesets/toy", source: { case: "scenario", value: "ridge" },
    joinPolicy: JoinPolicy.INVITED });
  await assert.rejects(guest.game(game.name).take("red", "bot:guest"), (e) => hasReason(e, "INVITATION_REQUIRED"));
  const invitation = await owner.game(game.name).invite("red", { expires });
  await guest.game(game.name).join("red", "bot:guest", invitation.secret);
  assert.deepEqual(guest.tokens.seats(game.name), ["red"]);

  const [computer] = await owner.computers("rulesets/toy");
  assert.ok(computer.name.startsWith("computers/"));
  assert.equal((await owner.game(game.name).seatComputer("blue", computer.name)).seats.find((s) => s.id === "blue")
    .computer?.computer || computer.name, computer.name);
  await owner.game(game.name).unseatComputer("blue");
  await guest.game(game.name, "red").leave();
  assert.deepEqual(guest.tokens.tokens(game.name), []);
  assert.equal((await owner.game(game.name).close("enough")).over, true);

  const { webhook, secret } = await red.createWebhook({ url: "https://hooks.invalid/x", note: "a bot" });
  assert.match(secret, /^whsec_/);
  assert.deepEqual((await red.listWebhooks()).map((w) => w.name), [webhook.name]);
  assert.equal((await red.getWebhook(webhook.name)).url, "https://hooks.invalid/x");
  await red.deleteWebhook(webhook.name);
  assert.deepEqual(await red.listWebhooks(), []);
});

test("a computer is offered and gets a seat", async () => {
  const client = new Client(server.url), account = newAccount();
  assert.match(account, /^wl_b_[a-z2-7]{52}$/);
  const request = { title: "Test bot", maxSeats: 1, repertoire: [{ ruleset: "rulesets/toy", scenarios: ["ridge"] }] };
  let game, computer;
  for await (const told of client.offer(account, request)) {
    if (told.computer) {
      computer = told.computer;
      ({ game } = await client.create({ ruleset: "rulesets/toy", source: { case: "scenario", value: "ridge" } }));
      await client.game(game.name).seatComputer("red", computer.name);
    } else {
      assert.equal(told.seat.name, game.name);
      break;
    }
  }
});

test("a watch brings every record once, over servers that stop, streams cut and silent ones", async () => {
  const { red, client } = await begin({}, { backoff: { shortest: 20, longest: 100 } });
  await decide(red);
  const links = new Set(), watch = red.watch({ heartbeat: 1, onLink: (l) => links.add(l) }), seen = [];
  let restarted = false, cut = false;
  for await (const { record, caughtUp, version } of watch) {
    if (record) seen.push(record.version);
    if (!caughtUp) continue;
    if (!restarted) {
      restarted = true;
      await server.stop({ keep: true });
      const { dir, port } = server;
      server = await serve({ dir, port });
      await decide(red);
    } else if (!cut) {
      cut = true;
      await decide(red);
      watch.cut();
    } else if (version === (await red.get()).version) break;
  }
  assert.deepEqual(seen, seen.map((_, i) => BigInt(i + 1)));
  assert.ok(links.has("live") && links.has("lost"));
  // A new loop over the same watch goes on; another one begins with the board.
  await decide(red);
  for await (const { record } of watch) {
    assert.equal(record.version, BigInt(seen.length + 1));
    break;
  }
  for await (const { board, resumeToken } of red.watch({ boardFirst: true })) {
    assert.ok(board && resumeToken);
    break;
  }
  const stopped = new AbortController();
  await assert.rejects((async () => {
    for await (const _ of red.watch({ signal: stopped.signal })) stopped.abort();
  })(), { name: "AbortError" });
  await assert.rejects((async () => {
    for await (const _ of client.game(nowhere).watch()) assert.fail("there is no such game");
  })(), (e) => hasReason(e, "GAME_NOT_FOUND"));
});

test("a stream that has fallen silent is begun anew", async () => {
  const { name } = await begin();
  let streams = 0;
  const fetch = async (url, init) => {
    if (!String(url).endsWith("WatchGame") || ++streams > 1) return globalThis.fetch(url, init);
    return new Response(new ReadableStream({}), { headers: { "Content-Type": "application/connect+proto" } });
  };
  const client = new Client(server.url, { fetch, backoff: { shortest: 1, longest: 2 } });
  for await (const { caughtUp } of client.game(name).watch({ heartbeat: 1 })) if (caughtUp) break;
  assert.equal(streams, 2);
});

test("a server that leaves records out, or doubles them, is noticed", async () => {
  const { client, red, name } = await begin();
  await decide(red);
  const { watchGame } = client.services.games;
  for (const [drop, wanted] of [[2n, /came after 1/], [0n, undefined]]) {
    client.services.games.watchGame = async function* (request, options) {
      for await (const m of watchGame(request, options)) {
        if (m.kind.case === "record" && m.kind.value.version === drop) continue;
        yield m;
        if (m.kind.case === "record" && !wanted) yield m;
      }
    };
    const seen = [], follow = async () => {
      for await (const { record, caughtUp } of client.game(name).watch({ backoff: { shortest: 1, longest: 2 } })) {
        if (record) seen.push(record.version);
        if (caughtUp) return;
      }
    };
    if (wanted) await assert.rejects(follow(), wanted);
    else await follow();
    assert.deepEqual(seen, wanted ? [1n] : seen.map((_, i) => BigInt(i + 1)));
  }
});

test("mutual dice are answered, waited for and proved, and a chain replaced is noticed", async () => {
  const client = new Client(server.url), other = new Client(server.url);
  const { game } = await client.create({ ruleset: "rulesets/toy", source: { case: "scenario", value: "ridge" },
    dice: DiceKind.MUTUAL });
  const red = client.game(game.name, "red"), blue = other.game(game.name, "blue");
  await red.take("red", "bot:red");
  await blue.take("blue", "bot:blue");
  const stopped = new AbortController();
  const answers = async (seat) => {
    for await (const { record } of seat.watch({ signal: stopped.signal })) if (record && endsGame(record))
      return "over";
  };
  const [ofRed, ofBlue] = [red, blue].map((seat) => answers(seat).catch((thrown) => thrown));
  try {
    const thrown = await throwDice(red, blue);
    assert.deepEqual(await verifyRecord(red, thrown), { dice: "later", chain: "proved" });
    // A server that shows an older log than before is choosing the dice.
    const kept = client.tokens.chain(game.name, "red"),
      later = { ...kept, version: String(BigInt(kept.version) + 99n) };
    assert.ok(client.tokens.keepChain(game.name, "red", kept, later));
    await assert.rejects(red.answerDice(), LogInconsistent);
    assert.ok(client.tokens.keepChain(game.name, "red", later, kept));
    // Another program with the same token makes a chain of its own: this one answers no more, and says so.
    const elsewhere = new Wallet();
    elsewhere.keep(game.name, "red", client.tokens.tokens(game.name)[1]);
    await new Client(server.url, { tokens: elsewhere }).game(game.name, "red").renewChain();
    await assert.rejects(red.answerDice(), ChainReplaced);
    assert.ok((await ofRed) instanceof ChainReplaced, "the watch of red does not end with the alarm");
    await red.forgetChain();
    await red.answerDice();
    await red.close("enough");
    assert.equal(await ofBlue, "over");
    assert.deepEqual(await verifyRecord(red, thrown), { dice: "proved", chain: "proved" });
    const other = { ...thrown, rolls: thrown.rolls.map((r) => ({ ...r, value: (r.value % r.sides) + 1 })) };
    assert.equal((await verifyRecord(red, other)).dice, "false");
    assert.equal((await verifyRecord(red, { ...thrown, hash: "0".repeat(64) })).chain, "false");
  } finally {
    stopped.abort();
  }
});

/** thrownBack has two players throw once, and gives a handle of blue's for somebody who has the token and no chain. */
async function thrownBack() {
  const client = new Client(server.url), other = new Client(server.url);
  const { game } = await client.create({ ruleset: "rulesets/toy", source: { case: "scenario", value: "ridge" },
    dice: DiceKind.MUTUAL });
  const red = client.game(game.name, "red"), blue = other.game(game.name, "blue"), stolen = new Wallet();
  await red.take("red", "bot:red");
  await blue.take("blue", "bot:blue");
  stolen.keep(game.name, "blue", other.tokens.tokens(game.name)[0]);
  const thrown = await throwDice(red, blue, true);
  return { red, blue, thrown, thief: new Client(server.url, { tokens: stolen }).game(game.name, "blue") };
}

/** undone has one player ask to take a throw back and another agree, and gives the version of the undo. */
async function undone(asker, other, thrown) {
  const { game, done } = await asker.undo({ target: thrown.parent, ask: true });
  assert.ok(!done && game.pendingUndo);
  const answer = await other.answerUndo(game.pendingUndo, true);
  assert.ok(answer.done);
  return answer.game.version;
}

/** again has a throw that was taken back asked for again, and the one who threw answer. */
async function again(thrown, red, blue) {
  const p = thrown.seat === "red" ? red : blue;
  await p.submit(thrown.notation, { pending: true });
  await red.answerDice();
}

test("an operator who agrees in a player's name gets no new throw", async () => {
  const { red, blue, thrown, thief } = await thrownBack();
  const undo = await undone(red, thief, thrown);
  await assert.rejects(blue.renewChain(), ThrowTakenBack);
  await again(thrown, red, blue);
  await assert.rejects(blue.answerDice(),
    { constructor: ThrowTakenBack, seat: "blue", undo, thrown: thrown.version });
  assert.deepEqual((await red.get()).pendingDice.missing, ["blue"]);
  await assert.rejects(async () => { for await (const _ of blue.watch()); }, ThrowTakenBack);
  await assert.rejects(blue.acceptUndo(thrown.version), /is not an undo/);
  await blue.acceptUndo(undo);
  assert.equal((await blue.answerDice()).pendingDice, undefined);
});

test("a player who asked for an undo or agreed to it with this client goes on", async () => {
  for (const asks of ["red", "blue"]) {
    const { red, blue, thrown } = await thrownBack();
    await (asks === "red" ? undone(red, blue, thrown) : undone(blue, red, thrown));
    await again(thrown, red, blue);
    assert.equal((await blue.answerDice()).pendingDice, undefined, `${asks} asks`);
  }
});

test("a consent serves for its own undo alone", async () => {
  for (const [what, act] of Object.entries({
    "it is done again and taken back in blue's name": async ({ red, blue, thrown, thief }) => {
      await undone(red, blue, thrown);
      await red.redo();
      await undone(red, thief, thrown);
    },
    "the same, and blue takes the chain anew in between": async ({ red, blue, thrown, thief }) => {
      await undone(red, blue, thrown);
      await blue.renewChain();
      await red.redo();
      await undone(red, thief, thrown);
    },
    "red refuses blue's wish, and fulfils it later in blue's name": async ({ red, blue, thrown, thief }) => {
      const { game } = await blue.undo({ target: thrown.parent, ask: true });
      await red.answerUndo(game.pendingUndo, false);
      await undone(red, thief, thrown);
    },
    "blue is told that red must agree, and leaves it at that": async ({ red, blue, thrown, thief }) => {
      await assert.rejects(blue.undo(), (thrown) => hasReason(thrown, "UNDO_BARRIER"));
      assert.equal(blue.client.chains.chain(blue.name, "blue").agreed, undefined, "a refused wish is kept");
      await undone(red, thief, thrown);
    },
  })) {
    const table = await thrownBack();
    await act(table);
    await again(table.thrown, table.red, table.blue);
    await assert.rejects(table.blue.answerDice(), ThrowTakenBack, what);
  }
});

test("a player who left has no say, and sits down again though a throw was taken back", async () => {
  const { red, blue, thrown } = await thrownBack();
  await blue.leave();
  assert.ok((await red.undo({ target: thrown.parent, ask: true })).done);
  await blue.take("blue", "blue");
  await again(thrown, red, blue);
  assert.equal((await blue.answerDice()).pendingDice, undefined);
});

test("a player agrees to the undo that was shown, and to no other", async () => {
  const { red, blue, thrown } = await thrownBack();
  const { game } = await red.undo({ target: thrown.parent, ask: true });
  for (const lie of [{ target: thrown.version }, { target: 1n }, { seat: "blue" }]) {
    if (lie.target === thrown.parent) continue;
    await assert.rejects(blue.answerUndo({ ...game.pendingUndo, ...lie }, true), LogInconsistent);
    assert.equal(blue.client.chains.chain(blue.name, "blue").agreed, undefined, "a consent is kept");
  }
  assert.equal((await red.get()).version, game.version, "something was sent");
});

test("a leaving that this client did not send waives nothing", async () => {
  const { red, blue, thrown, thief } = await thrownBack();
  await thief.leave();
  assert.ok((await red.undo({ target: thrown.parent, ask: true })).done);
  blue.tokens.drop(blue.name, "blue");
  await assert.rejects(blue.take("blue", "blue"), ThrowTakenBack);
});

test("no consent is kept for the future that a server shows", async () => {
  const { red, blue, thrown } = await thrownBack();
  const { game } = await red.undo({ target: thrown.parent, ask: true }), honest = blue.get;
  for (const lie of [{ version: game.version + 18n }, { lastHash: "00" }]) {
    blue.get = async () => ({ ...(await honest.call(blue)), ...lie });
    await assert.rejects(blue.undo({ ask: true }), LogInconsistent);
    await assert.rejects(blue.answerUndo(game.pendingUndo, true), LogInconsistent);
  }
  assert.equal((await red.get()).version, game.version, "something was sent");
});

test("two seats of one wallet are one player's", async () => {
  const { red, blue, thrown } = await thrownBack();
  red.tokens.keep(red.name, "blue", blue.tokens.tokens(red.name)[0]);
  assert.ok(red.client.chains.keepChain(red.name, "blue", undefined, blue.client.chains.chain(red.name, "blue")));
  assert.ok((await red.undo({ target: thrown.parent, ask: true })).done);
  await again(thrown, red, red.as("blue"));
  assert.equal((await red.get()).pendingDice, undefined);
});

/**
 * throwDice plays until a command throws dice, and gives its record. The players' watches answer, or by hand each does.
 */
async function throwDice(red, blue, byHand = false) {
  for (let i = 0; i < 200; i++) {
    const { waitingFor } = await red.get(), seat = waitingFor[0] === "red" ? red : blue;
    const all = await seat.listLegal(), best = all.find((a) => a.kind === "attack" || a.kind === "scout") ?? all[0];
    const id = uuid(), send = () => seat.submit(best.command, { expected: best.version, id, pending: byHand });
    let done = await send();
    for (; done.pending && byHand; done = await send()) for (const p of [red, blue]) await p.answerDice();
    assert.equal(done.pending, false);
    if (done.record.rolls.length) return done.record;
  }
  throw new Error("no dice were thrown");
}

test("a signal ends a command: its call, the wait before it is repeated, and the wait for dice", async () => {
  const ended = new AbortController(), reason = new Error("the player has gone");
  const silent = new Client("http://games.example", { timeout: 2_000, patience: 0, fetch: (_, { signal }) => {
    setTimeout(() => ended.abort(reason));
    return new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
  } });
  const asked = silent.game("g", "red").submit("go", { signal: ended.signal });
  await assert.rejects(asked, { code: Code.Canceled }); // and not for want of time
  const stopped = new AbortController();
  let calls = 0;
  const down = new Client("http://games.example", { patience: 60_000, backoff: { shortest: 2_000, longest: 2_000 },
    fetch: () => {
      if (++calls === 1) setTimeout(() => stopped.abort(reason));
      return Promise.resolve(new Response("down", { status: 503 }));
    } });
  await assert.rejects(down.game("g", "red").submit("go", { signal: stopped.signal }), (thrown) => thrown === reason);
  assert.equal(calls, 1);

  const waits = new AbortController(), watched = new Promise((done) => waits.signal.addEventListener("abort", done));
  const client = new Client(server.url, { fetch: (url, init) => {
    if (String(url).endsWith("WatchGame")) setTimeout(() => waits.abort(reason));
    return globalThis.fetch(url, init);
  } });
  const { game } = await client.create({ ruleset: "rulesets/toy", source: { case: "scenario", value: "ridge" },
    dice: DiceKind.MUTUAL });
  const red = client.game(game.name, "red"), blue = new Client(server.url).game(game.name, "blue");
  await red.take("red", "bot:red");
  await blue.take("blue", "bot:blue");
  for (let rounds = 0; ; rounds++) {
    assert.ok(rounds < 200, "red throws no dice");
    const { waitingFor } = await red.get(), seat = waitingFor[0] === "red" ? red : blue;
    const all = await seat.listLegal(), best = all.find((a) => a.kind === "attack" || a.kind === "scout") ?? all[0];
    const move = { expected: best.version, id: uuid() };
    if (!(await seat.submit(best.command, { ...move, pending: true })).pending) continue;
    if (seat === red) {
      const refused = assert.rejects(red.submit(best.command, { ...move, signal: waits.signal }), (e) => e === reason);
      await watched;
      await red.close("enough"); // would end the wait without an error
      return refused;
    }
    for (const p of [red, blue]) await p.answerDice();
    await blue.submit(best.command, move);
  }
});

test("a game goes through a file and a fork", async () => {
  const { red, client } = await begin();
  await decide(red);
  await red.close("enough");
  const parts = [];
  for await (const part of red.export()) parts.push(part);
  let share;
  const elsewhere = await serve(), there = new Client(elsewhere.url);
  try {
    const { game } = await there.import(new Blob(parts), (x) => (share = x));
    assert.deepEqual([game.version, there.tokens.tokens(game.name).length, share], [(await red.get()).version, 1, 0]);
    await assert.rejects(there.import(new Blob(parts)), (e) => hasReason(e, "GAME_EXISTS"));
  } finally {
    await elsewhere.stop();
  }
  const said = [];
  for await (const m of red.audit()) said.push(m);
  assert.ok(said.length > 0);
  const forked = await red.fork({ version: 3n, private: true });
  assert.equal(client.tokens.tokens(forked.game.name).length, 3);
});

test("what is said is heard by those it is meant for, and deleted for them", async () => {
  const { client, name } = await begin({}, {});
  const red = client.game(name, "red");
  const other = new Client(server.url, { tokens: new Wallet() });
  const said = await red.talk.say({ text: "hello" });
  assert.equal((await red.talk.say({ text: "hello", id: "0b8f5c1e-7d6a-4f0e-9a52-3c8e1d2f4b61" })).text, "hello");
  const list = [];
  for await (const m of red.talk.list({ pageSize: 1 })) list.push(m.text);
  assert.deepEqual(list, ["hello", "hello"]);
  const heard = [], end = new AbortController();
  for await (const h of red.talk.listen({ signal: end.signal })) {
    if (h.message) heard.push(h.message.text);
    if (h.deleted) heard.push("gone " + (h.deleted === said.name));
    if (heard.length === 2) await red.talk.remove(said.name);
    if (heard.length === 3) end.abort();
  }
  assert.deepEqual(heard, ["hello", "hello", "gone true"]);
  await assert.rejects(async () => {
    for await (const _ of other.game(name).talk.listen()) break;
  }, (e) => hasReason(e, "TALK_HIDDEN"));
  assert.deepEqual((await red.talk.letSpectatorsRead(true)).spectatorsRead, true);
  for await (const h of other.game(name).talk.listen()) {
    if (h.message) {
      assert.equal(h.message.text, "hello");
      break;
    }
  }
  assert.deepEqual((await red.talk.mute("blue", { forAll: true })).mutedSeats, ["blue"]);
  await assert.rejects(red.as("blue").talk.say({ text: "hello" }), (e) => hasReason(e, "SEAT_MUTED"));
});
