import { fromBinary } from "@bufbuild/protobuf";
import { DiceSource, GameCreatedSchema, LeafKind } from "./gen/warledger/log/v1/log_pb.js";
import type { Game as GameState, Record as GameRecord } from "./gen/warledger/v1/game_service_pb.js";
import { field, hex, hmacOf, join, sha256, u32, u64 } from "./bytes.js";
import { tableEventsOf } from "./tableevents.js";
import type { Game } from "./game.js";
import { prove, tableEvents, type Proved } from "./prove.js";

/** Verdict is what checking a record by docs/reference/log-format.md and the rules of the dice has shown. */
export interface Verdict {
  /** "later" while the secret of the dice is not out, "copied" for a record that a fork took over from its origin. */
  dice: "proved" | "false" | "later" | "copied";
  /** "unchecked" if records before it are not shown. */
  chain: "proved" | "false" | "unchecked";
}

/** verifyRecord checks the hash of a record, and its dice once the secret is out. It computes it all by itself. */
export async function verifyRecord(g: Game, record: GameRecord, viewer = ""): Promise<Verdict> {
  const state = await g.get(), log: (Proved | null)[] = [];
  let secret: Uint8Array | undefined;
  for await (const one of g.records({ wholeTree: true, proofs: true, viewer })) {
    if (one.version <= record.version) log.push(prove(one.proof));
    secret ??= releasedBy(one);
    if (one.version >= record.version && (secret || !state.over)) break;
  }
  return { dice: verifyDice(state, record, log, secret), chain: verifyHash(record, log) };
}

function verifyHash(record: GameRecord, log: (Proved | null)[]): Verdict["chain"] {
  if (BigInt(log.length) !== record.version) return "unchecked";
  let before = "0".repeat(64);
  for (const p of log) {
    if (!p || p.prev !== before) return "false";
    before = p.hash;
  }
  return before === record.hash ? "proved" : "false";
}

function verifyDice(game: GameState, record: GameRecord, log: (Proved | null)[],
  secret: Uint8Array | undefined): Verdict["dice"] {
  if (game.forkedFrom && record.version <= game.forkedFrom.records) return "copied";
  if (!secret) return "later";
  if (hex(sha256(join(field("warledger/dice/1/commitment"), field(secret)))) !== game.diceCommitment) return "false";
  const die = log.some((p) => !p) ? null : formatOf(log) === 2 ? counted(game.name, secret, log)
    : first(record, game.name, secret, log);
  if (!die) return "false";
  return record.rolls.every((roll) => die(roll.index, roll.sides) === roll.value) ? "proved" : "false";
}

// releasedBy is the secret of the dice, if a record brings it.
function releasedBy(r: GameRecord): Uint8Array | undefined {
  for (const { event: e } of tableEventsOf(r)) if (e.case === "secretsReleased" && e.value.diceSecret.length)
    return e.value.diceSecret;
  return undefined;
}

function formatOf(log: (Proved | null)[]): number {
  for (const l of log[0]?.leaves ?? []) if (l.payload?.type === GameCreatedSchema.typeName)
    return fromBinary(GameCreatedSchema, l.payload.data).diceFormat;
  return 0;
}

type Die = (index: number, sides: number) => number;

// counted are dice of the second format. They depend on the number of dice before them in the log; mutual ones also on
// the links of seats.
function counted(game: string, secret: Uint8Array, log: (Proved | null)[]): Die | null {
  const isRoll = (l: { kind: LeafKind }) => l.kind === LeafKind.ROLL;
  const before = log.slice(0, -1).reduce((n, p) => n + p!.leaves.filter(isRoll).length, 0);
  const here = log.at(-1)!;
  const mutual = here.header.diceSource === DiceSource.MUTUAL;
  const links = mutual ? linksOf(log, here.header.asked) : [];
  if (mutual && !links.length) return null;
  const parts = links.flatMap(([seat, link]) => [field(seat), field(link)]);
  const key = mutual ? sha256(join(field("warledger/dice/2/mutual-key"), field(secret), u32(links.length), ...parts))
    : sha256(join(field("warledger/dice/2/key"), field(secret)));
  const start = join(field(mutual ? "warledger/dice/2/mutual-roll" : "warledger/dice/2/roll"),
    field(game.replace("games/", "")));
  return (index, sides) => dieOf(key, join(start, u64(BigInt(before + index))), sides);
}

// linksOf are the links revealed for the record that asked, sorted by the bytes of the seats' ids, which are ASCII.
function linksOf(log: (Proved | null)[], asked: bigint): [string, Uint8Array][] {
  const links = new Map<string, Uint8Array>();
  for (const p of log) {
    for (const e of tableEvents(p!.leaves)) if (e.event.case === "diceAnswered" && e.event.value.asked === asked)
      links.set(e.event.value.seat, e.event.value.link);
  }
  return [...links].sort(([a], [b]) => (a < b ? -1 : 1));
}

// first are dice of the first format: they depend on the version of their record and on what seats brought before it.
function first(record: GameRecord, game: string, secret: Uint8Array, log: (Proved | null)[]): Die {
  const entropy = new Map<string, Uint8Array>();
  for (const p of log.slice(0, -1)) {
    for (const e of tableEvents(p!.leaves)) if (e.event.case === "seatTaken" && e.event.value.entropy.length)
      entropy.set(e.event.value.seat, e.event.value.entropy);
  }
  const given = [...entropy].sort(([a], [b]) => (a < b ? -1 : 1));
  const key = sha256(join(field("warledger/dice/1/key"), field(secret), u32(given.length),
    ...given.flatMap(([seat, bytes]) => [field(seat), field(bytes)])));
  const start = join(field("warledger/dice/1/roll"), field(game.replace("games/", "")), u64(record.version));
  return (index, sides) => dieOf(key, join(start, u32(index)), sides);
}

function dieOf(key: Uint8Array, start: Uint8Array, sides: number): number {
  for (let attempt = 0; ; attempt++) {
    const byte = hmacOf(key, join(start, u32(attempt))).find((b) => b < 256 - (256 % sides));
    if (byte !== undefined) return (byte % sides) + 1;
  }
}
