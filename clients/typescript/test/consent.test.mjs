// What a consent to an undo is good for, on logs made up here.
import assert from "node:assert/strict";
import { test } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { LogInconsistent } from "../dist/chain.js";
import { consentTo, judge, ThrowTakenBack } from "../dist/takenback.js";
import * as pb from "../dist/gen/warledger/log/v1/log_pb.js";

const { TABLE, ASK, COMMAND, UNDO, REDO } = pb.RecordKind;
const ANCHOR = "61".repeat(32), OTHER = "62".repeat(32);
const digest = (version) => String(version).padStart(64, "0");

/** log makes proved records. Each goes on from the head unless it says otherwise. */
function log(...records) {
  let at = 0n;
  return records.map((one, i) => {
    const { kind = COMMAND, asked = 0, parent, head, aside, seat = "red", request = "", events = [] } = one;
    const version = BigInt(i + 1), from = parent ?? at;
    at = head ?? (kind === COMMAND ? version : from);
    return {
      header: create(pb.RecordHeaderSchema, { game: "g", version, kind, parent: from, head: at, asked: BigInt(asked),
        aside: !!aside, seat, commandId: request }),
      prev: "", hash: digest(version),
      leaves: events.map((event) => create(pb.LeafSchema, { kind: pb.LeafKind.EVENT, payload: {
        type: "warledger.log.v1.TableEvent", schema: 1,
        data: toBinary(pb.TableEventSchema, create(pb.TableEventSchema, { event })) } })),
    };
  });
}

const said = (name, value, more) => ({ kind: TABLE, events: [{ case: name, value }], ...more });
const ASKS = { kind: ASK, events: [{ case: "diceAsked", value: { owed: [{ seat: "blue", link: 1 }] } }] };
const PLAY = [{}, ASKS, { asked: 2 }]; // record 3 throws
const wants = (target, request = "q") =>
  said("undoAsked", { seat: "red", target: BigInt(target) }, { request });
const undo = (head, request) => ({ kind: UNDO, head: BigInt(head), request });
const REFUSED = said("undoAnswered", { agree: false });
const AGREED = { version: "4", hash: digest(4), target: "1" };

/** look examines a log for blue, and throws what it finds. */
function look(records, kept = {}, left = false, comeback = []) {
  const chain = { last: "", length: 1, next: 1, ...kept };
  const found = judge(log(...records), 0n, chain, "blue", left, comeback, [ANCHOR]);
  if (found.unasked) throw found.unasked;
  return found;
}

test("a consent fits one undo", () => {
  const byQuestion = [...PLAY, wants(1), undo(1)], alone = [...PLAY, undo(1, "r")];
  const asked = { version: "3", hash: digest(3), target: "1", request: "r" };
  const later = [...PLAY, wants(1), ASKS, { asked: 5 }, wants(1), undo(1)]; // record 6 throws again
  const redone = { kind: REDO, parent: 1n, head: 3n };
  const twice = [...PLAY, wants(1), REFUSED, wants(1), undo(1)];
  for (const [what, records, agreed, good] of [
    ["no consent", byQuestion, [], false],
    ["blue agreed", byQuestion, [AGREED], true],
    ["to another target", byQuestion, [{ ...AGREED, target: "2" }], false],
    ["in another log", byQuestion, [{ ...AGREED, hash: digest(9) }], false],
    ["to a record that is not in the log", byQuestion, [{ ...AGREED, version: "9", hash: digest(9) }], false],
    ["to a record that asks for nothing", byQuestion, [{ ...AGREED, version: "3", hash: digest(3) }], false],
    ["to the first of two questions", twice, [AGREED], false],
    ["to the second of two questions", twice, [{ ...AGREED, version: "6", hash: digest(6) }], true],
    ["to a question that was refused", [...PLAY, wants(1), REFUSED, undo(1)], [AGREED], false],
    ["to a question before a throw", later, [AGREED], false],
    ["to the question after that throw", later, [{ ...AGREED, version: "7", hash: digest(7) }], true],
    ["to a question that a command ended", [...PLAY, wants(1), {}, undo(1)], [AGREED], false],
    ["to a question with an aside after it", [...PLAY, wants(1), { aside: true }, undo(1)], [AGREED], true],
    ["to a question for less", [...PLAY, wants(2), undo(1)], [AGREED], false],
    ["before the throw was known", byQuestion, [{ ...AGREED, version: "2", hash: digest(2) }], false],
    ["an older program's", byQuestion, [{ version: "4", target: "1" }], true],
    ["an older program's, before the throw", byQuestion, [{ version: "2", target: "1" }], false],
    ["an older program's, after the undo", byQuestion, [{ version: "6", target: "1" }], false],
    ["blue asked, and it was done at once", alone, [asked], true],
    ["blue asked with another request", alone, [{ ...asked, request: "s" }], false],
    ["blue agreed, and it was done without a question", alone, [{ ...asked, request: undefined }], false],
    ["blue asked, and red agreed", [...PLAY, wants(1, "r"), undo(1)], [asked], true],
    ["blue asked, and red agreed to another question", byQuestion, [asked], false],
    ["blue asked before a throw that red made", [...PLAY, ASKS, { asked: 4 }, undo(1, "r")], [asked], false],
    ["blue accepted it afterwards", byQuestion, [{ ...AGREED, version: "5", hash: digest(5), undo: "5" }], true],
    ["blue accepted another one", byQuestion, [{ ...AGREED, undo: "4" }], false],
    ["it is redone, and undone again", [...byQuestion, redone, undo(1)], [AGREED], false],
    ["the same with two consents", [...byQuestion, redone, wants(1), undo(1)],
      [AGREED, { ...AGREED, version: "7", hash: digest(7) }], true],
    ["it is redone, and undone again as an older program agreed", [...byQuestion, redone, undo(1)],
      [{ version: "4", target: "1" }], false],
  ]) {
    if (!good) assert.throws(() => look(records, { agreed }), ThrowTakenBack, what);
    else assert.ok(look(records, { agreed }).agreed.every((c) => c.undo), what);
  }
});

test("only throws that the player had a part in need consent", () => {
  look([...PLAY, wants(1), undo(1)], { since: "2" }); // asked for before blue had a chain
  const reds = { kind: ASK, events: [{ case: "diceAsked", value: { owed: [{ seat: "red", link: 1 }] } }] };
  look([{}, reds, { asked: 2 }, wants(1), undo(1)]);
  look([{}, {}, {}, undo(1)]);
  assert.throws(() => look([...PLAY, ASKS, { asked: 4 }, undo(1)], { since: "1" }),
    { constructor: ThrowTakenBack, undo: 6n, thrown: 5n });
});

test("whoever left is not asked", () => {
  const own = { request: "mine" }, kept = { leaves: ["mine"] };
  const gone = said("seatLeft", { seat: "blue" }, own), freed = said("seatLeft", { seat: "blue", byOwner: true });
  const sits = (anchor, seat = "blue") =>
    said("seatTaken", { seat, chain: { anchor: Buffer.from(anchor, "hex"), length: 1 } });
  for (const [what, records, good] of [
    ["left, and came back", [...PLAY, gone, undo(1), sits(ANCHOR)], true],
    ["gave up, and came back",
      [...PLAY, said("resigned", { seat: "blue", goesOn: true }, own), undo(1), sits(ANCHOR)], true],
    ["left by a request that was not sent from here",
      [...PLAY, said("seatLeft", { seat: "blue" }, { request: "forged" }), undo(1), sits(ANCHOR)], false],
    ["left by no request", [...PLAY, said("seatLeft", { seat: "blue" }), undo(1), sits(ANCHOR)], false],
    ["gave up, which ended the game", [...PLAY, said("resigned", { seat: "blue" }, own), undo(1), sits(ANCHOR)], false],
    ["left, and did not come back", [...PLAY, gone, undo(1)], false],
    ["left, and another sat down", [...PLAY, gone, undo(1), sits(OTHER)], false],
    ["left, and took another seat", [...PLAY, gone, undo(1), sits(ANCHOR, "red")], false],
    ["was put out", [...PLAY, freed, undo(1), sits(ANCHOR)], false],
    ["red left", [...PLAY, said("seatLeft", { seat: "red" }, own), undo(1), sits(ANCHOR)], false],
    ["came back before it", [...PLAY, gone, sits(ANCHOR), undo(1)], false],
    ["left after it", [...PLAY, undo(1), gone, sits(ANCHOR)], false],
  ]) {
    if (!good) assert.throws(() => look(records, kept, false, [ANCHOR]), ThrowTakenBack, what);
    else assert.equal(look(records, kept, false, [ANCHOR]).left, false, what);
  }
  look([...PLAY, undo(1), sits(ANCHOR)], {}, true, [ANCHOR]);
});

test("the head goes along the line", () => {
  for (const move of [undo(2), { kind: REDO, parent: 1n, head: 9n }])
    assert.throws(() => look([...PLAY, move]), LogInconsistent);
});

test("a consent is kept for a throw of the seat's only, with what the proved log says", async () => {
  const shown = { asked: 4n, seat: "red", target: 1n }, aside = { aside: true }, own = { aside: true, seat: "blue" };
  const kept = { version: "3", hash: digest(3), target: "1", request: "r" };
  const reds = { kind: ASK, events: [{ case: "diceAsked", value: { owed: [{ seat: "red", link: 1 }] } }] };
  const acts = async (seat) => seat === "blue";
  const keep = (records, wish, since = "0") =>
    consentTo(log(...records), { last: "", length: 1, next: 1, since }, "blue", wish, acts);
  const asks = (target) => ({ target: BigInt(target), request: "r" });
  for (const [what, records, wish, want, since] of [
    ["agreed", [...PLAY, wants(1)], { shown }, AGREED],
    ["agreed, a while after", [...PLAY, wants(1), aside], { shown }, AGREED],
    ["agreed to take back no throw", [...PLAY, wants(3)], { shown: { ...shown, target: 3n } }, undefined],
    ["agreed to take back red's throw", [{}, reds, { asked: 2 }, wants(1)], { shown }, undefined],
    ["agreed to take back a throw before blue's chain", [...PLAY, wants(1)], { shown }, undefined, "2"],
    ["asked", PLAY, asks(1), kept],
    ["asked for the last command", PLAY, asks(0), kept],
    ["asked for more", [...PLAY, {}], asks(1), { ...kept, version: "4", hash: digest(4) }],
    ["asked for a command without dice", [...PLAY, {}], asks(0), undefined],
    ["asked for what is no older version", PLAY, asks(3), undefined],
    ["asked for the last command before red's aside", [...PLAY, aside], asks(0),
      { ...kept, version: "4", hash: digest(4) }],
    ["asked to take back an aside", [...PLAY, own], asks(0), undefined],
    ["asked for where no command was", [...PLAY, ASKS, { asked: 4 }], asks(2), undefined],
  ]) assert.deepEqual(await keep(records, wish, since), want, what);
  for (const [what, lie] of [
    ["a smaller undo", { ...shown, target: 3n }],
    ["an undo of another seat", { ...shown, seat: "blue" }],
    ["a record that asks for nothing", { ...shown, asked: 3n }],
    ["a record that is not there", { ...shown, asked: 9n }],
  ]) await assert.rejects(keep([...PLAY, wants(1)], { shown: lie }), LogInconsistent, what);
});
