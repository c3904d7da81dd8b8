import { fromBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { DiceSource, GameCreatedSchema, LeafKind, TableEventSchema, type TableEvent } from "../gen/warledger/log/v1/log_pb";
import type { Record as GameRecord } from "../gen/warledger/v1/game_service_pb";
import { as, games } from "../wire";
import type { Key } from "../words";
import { field, hex, hmacOf, join, sha256, u32, u64 } from "./bytes";
import type { GameModel } from "./model";
import { prove, tableEvents, type Proved } from "./prove";

/** Verdict is what checking a record by docs/reference/log-format.md and the rules of the dice has shown. */
export interface Verdict {
  dice: Extract<Key, "diceProved" | "diceFalse" | "diceLater" | "diceCopied">;
  chain: Extract<Key, "chainProved" | "chainFalse" | "chainUnchecked">;
}

/** How many records are read at once. */
const PAGE = 200;

/** verifyRecord checks the hash of a record, and its dice once the secret is out. The browser computes it all by itself. */
export async function verifyRecord(model: GameModel, record: GameRecord): Promise<Verdict> {
  const log = await provedUpTo(model, record.version);
  return { dice: verifyDice(model, record, log), chain: verifyHash(record, log) };
}

// provedUpTo reads the log to a version. A record that does not fit its hash is null.
async function provedUpTo(model: GameModel, version: bigint): Promise<(Proved | null)[]> {
  const log: (Proved | null)[] = [];
  for (let pageToken = ""; ; ) {
    const request = { name: model.name, pageSize: PAGE, wholeTree: true, includeProofs: true, viewer: model.viewer.value, pageToken };
    const r = await games.listRecords(request, as(model.name));
    for (const one of r.records) if (one.version <= version) log.push(prove(one.proof));
    pageToken = r.nextPageToken;
    if (!pageToken || (r.records.at(-1)?.version ?? 0n) >= version) return log;
  }
}

function verifyHash(record: GameRecord, log: (Proved | null)[]): Verdict["chain"] {
  if (BigInt(log.length) !== record.version) return "chainUnchecked";
  let before = "0".repeat(64);
  for (const p of log) {
    if (!p || p.prev !== before) return "chainFalse";
    before = p.hash;
  }
  return before === record.hash ? "chainProved" : "chainFalse";
}

function verifyDice(model: GameModel, record: GameRecord, log: (Proved | null)[]): Verdict["dice"] {
  const game = model.game.value!;
  if (game.forkedFrom && record.version <= game.forkedFrom.records) return "diceCopied";
  const secret = released(model);
  if (!secret) return "diceLater";
  if (hex(sha256(join(field("warledger/dice/1/commitment"), field(secret)))) !== game.diceCommitment) return "diceFalse";
  const die = log.some((p) => !p) ? null : formatOf(log) === 2 ? counted(game.name, secret, log) : first(record, game.name, secret, log);
  if (!die) return "diceFalse";
  return record.rolls.every((roll) => die(roll.index, roll.sides) === roll.value) ? "diceProved" : "diceFalse";
}

// released is the secret of the dice, once the log has it.
function released(model: GameModel): Uint8Array | undefined {
  for (const r of model.records.value.values()) {
    for (const e of eventsOf(r)) if (e.event.case === "secretsReleased" && e.event.value.diceSecret.length) return e.event.value.diceSecret;
  }
  return undefined;
}

function formatOf(log: (Proved | null)[]): number {
  for (const l of log[0]?.leaves ?? []) if (l.payload?.type === GameCreatedSchema.typeName) return fromBinary(GameCreatedSchema, l.payload.data).diceFormat;
  return 0;
}

type Die = (index: number, sides: number) => number;

// counted are dice of the second format. They depend on the number of dice before them in the log; mutual ones also on the links of seats.
function counted(game: string, secret: Uint8Array, log: (Proved | null)[]): Die | null {
  const isRoll = (l: { kind: LeafKind }) => l.kind === LeafKind.ROLL;
  const before = log.slice(0, -1).reduce((n, p) => n + p!.leaves.filter(isRoll).length, 0);
  const here = log.at(-1)!;
  const mutual = here.header.diceSource === DiceSource.MUTUAL;
  const links = mutual ? linksOf(log, here.header.asked) : [];
  if (mutual && !links.length) return null;
  const parts = links.flatMap(([seat, link]) => [field(seat), field(link)]);
  const key = mutual ? sha256(join(field("warledger/dice/2/mutual-key"), field(secret), u32(links.length), ...parts)) : sha256(join(field("warledger/dice/2/key"), field(secret)));
  const start = join(field(mutual ? "warledger/dice/2/mutual-roll" : "warledger/dice/2/roll"), field(game.replace("games/", "")));
  return (index, sides) => dieOf(key, join(start, u64(BigInt(before + index))), sides);
}

// linksOf are the links revealed for the record that asked, sorted by the bytes of the seats' ids, which are ASCII.
function linksOf(log: (Proved | null)[], asked: bigint): [string, Uint8Array][] {
  const links = new Map<string, Uint8Array>();
  for (const p of log) {
    for (const e of tableEvents(p!.leaves)) if (e.event.case === "diceAnswered" && e.event.value.asked === asked) links.set(e.event.value.seat, e.event.value.link);
  }
  return [...links].sort(([a], [b]) => (a < b ? -1 : 1));
}

// first are dice of the first format: they depend on the version of their record and on what seats brought before it.
function first(record: GameRecord, game: string, secret: Uint8Array, log: (Proved | null)[]): Die {
  const entropy = new Map<string, Uint8Array>();
  for (const p of log.slice(0, -1)) {
    for (const e of tableEvents(p!.leaves)) if (e.event.case === "seatTaken" && e.event.value.entropy.length) entropy.set(e.event.value.seat, e.event.value.entropy);
  }
  const given = [...entropy].sort(([a], [b]) => (a < b ? -1 : 1));
  const key = sha256(join(field("warledger/dice/1/key"), field(secret), u32(given.length), ...given.flatMap(([seat, bytes]) => [field(seat), field(bytes)])));
  const start = join(field("warledger/dice/1/roll"), field(game.replace("games/", "")), u64(record.version));
  return (index, sides) => dieOf(key, join(start, u32(index)), sides);
}

function dieOf(key: Uint8Array, start: Uint8Array, sides: number): number {
  for (let attempt = 0; ; attempt++) {
    const byte = hmacOf(key, join(start, u32(attempt))).find((b) => b < 256 - (256 % sides));
    if (byte !== undefined) return (byte % sides) + 1;
  }
}

function eventsOf(r: GameRecord): TableEvent[] {
  return r.events.flatMap(({ event }) => {
    const e = event && anyUnpack(event, TableEventSchema);
    return e ? [e] : [];
  });
}
