// What a client believes of a log before it reveals a link, without a server.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import * as chains from "../dist/chain.js";
import { ThrowTakenBack } from "../dist/takenback.js";
import * as pb from "../dist/gen/warledger/log/v1/log_pb.js";

const { TABLE, ASK, COMMAND, UNDO } = pb.RecordKind, { EVENT } = pb.LeafKind;
const name = "games/g";
const u32 = (n) => Buffer.from([n >>> 24, n >>> 16, n >>> 8, n].map((b) => b & 255));
const field = (b) => Buffer.concat([u32(b.length), Buffer.from(b)]);
const sha = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const hex = (b) => Buffer.from(b).toString("hex");

/** leaf is an event of the table that everyone may see; hidden, it is its digest alone. */
function leaf(event, hide) {
  const data = toBinary(pb.TableEventSchema, create(pb.TableEventSchema, { event })), salt = new Uint8Array(16);
  const digest = sha(field("warledger/log/1/leaf"), field(salt), field("warledger.log.v1.TableEvent"), u32(1),
    field(data));
  const shown = { salt, payload: { type: "warledger.log.v1.TableEvent", schema: 1, data } };
  return { digest, message: create(pb.LeafSchema, { kind: EVENT, ...(hide ? { digest } : shown) }) };
}

/** log makes records that go on from each other. Each is a kind, and the event or the version that it carries out. */
function log(...records) {
  let prevHash = new Uint8Array(32), at = 0n;
  return records.map(({ kind, event, asked = 0, hide, back, commandId, aside }, i) => {
    const version = BigInt(i + 1), leaves = event ? [leaf(event, hide)] : [];
    const parent = at, head = kind === COMMAND ? version : back ?? parent;
    at = head;
    const header = toBinary(pb.RecordHeaderSchema,
      create(pb.RecordHeaderSchema,
        { game: "g", version, kind, parent, head, asked: BigInt(asked), commandId, aside }));
    const parts = leaves.map((l) => Buffer.concat([u32(EVENT), u32(0), l.digest]));
    const hash = sha(field("warledger/log/1/record"), prevHash, sha(header), u32(leaves.length), ...parts);
    const proof = create(pb.RecordSchema, { prevHash, header, hash, leaves: leaves.map((l) => l.message) });
    prevHash = hash;
    return { version, proof };
  });
}

const drawn = (fill, more) => ({ last: fill.repeat(32), length: 3, next: 1, revealed: 0, asked: false, ...more });
const anchor = (c) => chains.committed(c, name, "blue").anchor;
const renewed = (c, hide) =>
  ({ kind: TABLE, hide,
  event: { case: "chainRenewed", value: { seat: "blue", chain: { anchor: anchor(c), length: c.length } } } });
const asks = (link) => ({ kind: ASK, event: { case: "diceAsked", value: { owed: [{ seat: "blue", link }] } } });
const carried = (asked) => ({ kind: COMMAND, asked });
const seen = (records, version, more) =>
  ({ ...more, version: String(version), hash: hex(records[version - 1].proof.hash) });
const game = (records, c, more) => ({
  name, version: records.at(-1).version, lastHash: hex(records.at(-1).proof.hash), over: false,
  seats: [{ id: "blue", chain: { anchor: anchor(c), length: c.length, next: 1 } }], ...more,
});

/** answers is the number of the link that is revealed for the last record of a log. */
function answers(records, kept) {
  const g = game(records, chains.newest(kept), { pendingDice: { asked: records.at(-1).version } });
  return chains.promise(g, "blue", kept, kept, records.slice(Number(kept.version) - 1)).number;
}

test("a chain of which links are known does not begin again", () => {
  const own = drawn("11", { next: 2, revealed: 1, asked: true }), other = drawn("22");
  const play = [renewed(own), asks(1), carried(2)];
  const honest = log(...play, asks(2)), rewound = log(...play, renewed(own), asks(2)),
    replaced = log(...play, renewed(other), asks(2));
  assert.equal(answers(honest, seen(honest, 2, own)), 2);
  assert.throws(() => answers(rewound, seen(rewound, 2, own)), chains.LogInconsistent);
  assert.throws(() => answers(replaced, seen(replaced, 2, own)), chains.ChainReplaced);
  const quiet = log(...play, renewed(own), carried(0)), other2 = log(...play, renewed(other), carried(0));
  assert.throws(
    () => chains.goesOn(game(quiet, own), "blue", seen(quiet, 2, own), quiet.slice(1)), chains.LogInconsistent);
  assert.equal(chains.goesOn(game(other2, other), "blue", seen(other2, 2, own), other2.slice(1)).awaited, undefined,
    "another program of the player");
});

test("a chain that no link is known of may come once", () => {
  const coming = drawn("22"), own = drawn("11", { next: 2, revealed: 1, asked: true, coming });
  const play = [renewed(own), asks(1), carried(2)];
  const late = log(...play, renewed(coming), asks(1)), twice = log(...play, renewed(coming), renewed(coming), asks(1));
  const answer = (records) => {
    const kept = { ...seen(records, 2, own), coming: seen(records, 2, { ...coming, asked: true }) };
    const g = game(records, coming, { pendingDice: { asked: records.at(-1).version } });
    return chains.promise(g, "blue", chains.inUse(g, "blue", kept), kept, records.slice(1));
  };
  const { number, kept } = answer(late);
  assert.deepEqual([number, kept.last, kept.coming], [1, coming.last, undefined],
    "the links of the older chain are known");
  assert.throws(() => answer(twice), chains.LogInconsistent);
});

test("an open part of a record is not hidden behind its digest", () => {
  const own = drawn("11", { next: 2, revealed: 1, asked: true }), other = drawn("22");
  for (const hide of [false, true]) {
    const records = log(renewed(own), asks(1), carried(2), renewed(other, hide), renewed(drawn("33"), hide), asks(2));
    assert.throws(() => answers(records, seen(records, 2, own)), hide ? chains.LogInconsistent : chains.ChainReplaced);
  }
});

test("a new chain waits for the command that the server says is due", () => {
  const own = drawn("11", { next: 2, revealed: 1, asked: true });
  const dropped = log(renewed(own), asks(1), carried(0)), kept = seen(dropped, 2, own), records = dropped.slice(1);
  for (const excuse of [{}, { pendingDice: { asked: 1n } }])
    assert.throws(() => chains.goesOn(game(dropped, own, excuse), "blue", kept, records), chains.LogInconsistent);
  for (const excuse of [{ pendingDice: { asked: 2n } }, { over: true }])
    assert.equal(chains.goesOn(game(dropped, own, excuse), "blue", kept, records).awaited, "2");
  const next = drawn("22", { awaited: "2" });
  const without = log(renewed(own), asks(1), carried(0), renewed(next), asks(1)),
    within = log(renewed(own), asks(1), carried(0), renewed(next), carried(2), asks(1));
  assert.throws(() => answers(without, seen(without, 3, next)), chains.LogInconsistent);
  assert.equal(answers(within, seen(within, 3, next)), 1);
});

test("chains that were sent before stay until their links are known, and the last link brings one of its own", () => {
  const older = drawn("33"), newer = drawn("22", { coming: older }), own = drawn("11", { coming: newer });
  const listed = (c) => (c ? [c.last.slice(0, 2), ...listed(c.coming)] : []);
  assert.deepEqual(listed(chains.goOn(own, own)), ["11", "22", "33"]);
  assert.deepEqual(listed(chains.goOn(own, older)), ["33", "22", "11"]);
  assert.deepEqual(listed(chains.goOn({ ...own, revealed: 1 }, newer)), ["22", "33"]);
  assert.deepEqual(listed(chains.withComing(own, drawn("44", { coming: own }))), ["11", "44", "22", "33"]);
  const short = drawn("55", { length: 1, coming: newer }), records = log(renewed(short), asks(1)),
    kept = seen(records, 1, { ...short, coming: seen(records, 1, newer) });
  const g = { ...game(records, short), pendingDice: { asked: 2n } };
  const after = chains.promise(g, "blue", kept, kept, records).kept, follower = chains.follower(after);
  assert.deepEqual([after.coming.last, follower.length, listed(after).length], [follower.last, 1024, 4]);
  const again = chains.promise(g, "blue", after, after, records.slice(1)).kept;
  assert.deepEqual(again, after, "the same chain goes with the last link if it is sent again");
});

test("no link follows an undo of a throw that its player did not agree to", () => {
  const first = { kind: COMMAND }, undo = (back) => ({ kind: UNDO, back: BigInt(back), commandId: "r" });
  const own = drawn("11", { next: 2, revealed: 1, asked: true });
  const play = [first, renewed(own), asks(1), carried(3)], taken = log(...play, undo(1), asks(2));
  const disguised = log(...play.slice(0, 3), { ...carried(3), aside: true }, undo(1), asks(2));
  const hashOf = (version) => hex(taken[version - 1].proof.hash);
  const answer = (records, kept) => {
    const g = game(records, own, { pendingDice: { asked: records.at(-1).version } });
    return chains.promise(g, "blue", kept, kept, records).number;
  };
  const kept = (records, more) => seen(records, 3, { ...own, ...more });
  for (const [what, more, goes] of [
    ["nobody agreed", {}, false],
    ["agreed", { agreed: [{ version: "4", target: "1" }] }, true],
    ["an older program, for the last command", { agreed: [{ version: "4", target: "0" }] }, false],
    ["wished", { agreed: [{ version: "4", hash: hashOf(4), target: "1", request: "r" }] }, true],
    ["wished with another request", { agreed: [{ version: "4", hash: hashOf(4), target: "1", request: "q" }] }, false],
    ["wished in another log", { agreed: [{ version: "4", hash: hashOf(3), target: "1", request: "r" }] }, false],
    ["agreed to a question that is not in the log", { agreed: [{ version: "4", hash: hashOf(4), target: "1" }] },
      false],
    ["served for another", { agreed: [{ version: "4", hash: hashOf(4), target: "1", request: "r", undo: "9" }] },
      false],
    ["accepted", { agreed: [{ version: "5", hash: hashOf(5), target: "1", undo: "5" }] }, true],
    ["to another version", { agreed: [{ version: "4", target: "2" }] }, false],
    ["before the throw was known", { agreed: [{ version: "3", target: "1" }] }, false],
    ["after it was taken back", { agreed: [{ version: "6", target: "1" }] }, false],
    ["a throw of the seat's last holder", { since: "3" }, true],
  ]) {
    if (goes) assert.equal(answer(taken, kept(taken, more)), 2, what);
    else assert.throws(() => answer(taken, kept(taken, more)), { constructor: ThrowTakenBack, undo: 5n, thrown: 4n },
      what);
    const renew = () => chains.goesOn(game(taken, own), "blue", kept(taken, more), taken);
    if (goes) renew();
    else assert.throws(renew, ThrowTakenBack, what);
  }
  assert.throws(() => answer(disguised, kept(disguised)), /record 4 is an aside and throws dice/);
  const far = log(first, first, renewed(own), asks(1), carried(4), undo(1), asks(2)), known = seen(far, 4, own);
  assert.throws(() => answer(far, known), ThrowTakenBack);
  assert.throws(() => answer(far.slice(3), known), chains.LogInconsistent, "what it took back is not shown");
  const two = log(...play, carried(0), undo(1), asks(2));
  assert.throws(() => answer(two, kept(two, { agreed: [{ version: "5", target: "0" }] })), ThrowTakenBack,
    "the last command is not two");
  const off = log(...play, undo(2), asks(2));
  assert.throws(() => answer(off, kept(off)), chains.LogInconsistent, "the head goes where no command was");
});
