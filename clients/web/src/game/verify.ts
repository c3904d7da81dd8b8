import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { LeafKind, TableEventSchema, type Leaf, type TableEvent } from "../gen/warledger/log/v1/log_pb";
import type { Record as GameRecord } from "../gen/warledger/v1/game_service_pb";
import { as, games } from "../wire";
import type { Key } from "../words";
import type { GameModel } from "./model";

/** Verdict is what checking a record by docs/log-format.md and the rules of the dice has shown. */
export interface Verdict {
  dice: Extract<Key, "diceProved" | "diceFalse" | "diceLater" | "diceCopied" | "diceUnchecked">;
  chain: Extract<Key, "chainProved" | "chainFalse" | "chainUnchecked">;
}

/** verifyRecord checks the hash of a record, and its dice once the secret is out. The browser computes it all by itself. */
export async function verifyRecord(model: GameModel, record: GameRecord): Promise<Verdict> {
  if (!globalThis.crypto?.subtle) return { dice: "diceUnchecked", chain: "chainUnchecked" };
  const [dice, chain] = await Promise.all([verifyDice(model, record), verifyHash(model, record)]);
  return { dice, chain };
}

async function verifyHash(model: GameModel, record: GameRecord): Promise<Verdict["chain"]> {
  const r = await games.listRecords({ name: model.name, afterVersion: record.version - 1n, pageSize: 1, wholeTree: true, includeProofs: true, viewer: model.viewer.value }, as(model.name));
  const proof = r.records[0]?.proof;
  if (!proof || r.records[0]!.version !== record.version) return "chainUnchecked";
  const leaves = await Promise.all(proof.leaves.map(leafBytes));
  const header = await sha256(proof.header);
  const hash = await sha256(join(field("warledger/log/1/record"), proof.prevHash, header, u32(leaves.length), ...leaves));
  const before = model.records.value.get(record.version - 1n);
  const linked = record.version === 1n ? proof.prevHash.every((b) => b === 0) : !before || before.hash === hex(proof.prevHash);
  return hex(hash) === record.hash && linked ? "chainProved" : "chainFalse";
}

async function leafBytes(l: Leaf): Promise<Uint8Array> {
  const digest = l.payload
    ? await sha256(join(field("warledger/log/1/leaf"), field(l.salt), field(l.payload.type), u32(l.payload.schema), field(l.payload.data)))
    : l.digest;
  return join(u32(l.kind satisfies LeafKind), u32(l.audience), digest);
}

async function verifyDice(model: GameModel, record: GameRecord): Promise<Verdict["dice"]> {
  const game = model.game.value!;
  if (game.forkedFrom && record.version <= game.forkedFrom.records) return "diceCopied";
  const told = tableEvents(model.records.value.values());
  const secret = told.map(([, e]) => (e.event.case === "secretsReleased" ? e.event.value.diceSecret : undefined)).find((s) => s?.length);
  if (!secret) return "diceLater";
  if (hex(await sha256(join(field("warledger/dice/1/commitment"), field(secret)))) !== game.diceCommitment) return "diceFalse";
  const entropy = new Map<string, Uint8Array>();
  for (const [version, e] of told) {
    if (version < record.version && e.event.case === "seatTaken" && e.event.value.entropy.length) entropy.set(e.event.value.seat, e.event.value.entropy);
  }
  const given = [...entropy].sort(([a], [b]) => (a < b ? -1 : 1)); // ids are ASCII
  const key = await sha256(join(field("warledger/dice/1/key"), field(secret), u32(given.length), ...given.flatMap(([seat, bytes]) => [field(seat), field(bytes)])));
  const mac = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (const roll of record.rolls) {
    if ((await rollOf(mac, game.name.replace("games/", ""), record.version, roll.index, roll.sides)) !== roll.value) return "diceFalse";
  }
  return "diceProved";
}

async function rollOf(mac: CryptoKey, game: string, version: bigint, index: number, sides: number): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    const message = join(field("warledger/dice/1/roll"), field(game), u64(version), u32(index), u32(attempt));
    const block = new Uint8Array(await crypto.subtle.sign("HMAC", mac, message));
    const byte = block.find((b) => b < 256 - (256 % sides));
    if (byte !== undefined) return (byte % sides) + 1;
  }
}

function tableEvents(records: Iterable<GameRecord>): [bigint, TableEvent][] {
  const all: [bigint, TableEvent][] = [];
  for (const r of records) {
    for (const { event } of r.events) {
      const e = event && anyUnpack(event, TableEventSchema);
      if (e) all.push([r.version, e]);
    }
  }
  return all;
}

async function sha256(data: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", data as BufferSource));
}

function field(x: string | Uint8Array): Uint8Array {
  const bytes = typeof x === "string" ? new TextEncoder().encode(x) : x;
  return join(u32(bytes.length), bytes);
}

function u32(n: number): Uint8Array {
  const b = new Uint8Array(4);
  new DataView(b.buffer).setUint32(0, n);
  return b;
}

function u64(n: bigint): Uint8Array {
  const b = new Uint8Array(8);
  new DataView(b.buffer).setBigUint64(0, n);
  return b;
}

function join(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) {
    all.set(p, at);
    at += p.length;
  }
  return all;
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
}
