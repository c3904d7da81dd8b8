import { RecordKind } from "../gen/warledger/log/v1/log_pb";
import type { Game, Record as GameRecord } from "../gen/warledger/v1/game_service_pb";
import { field, hex, join, sha256, unhex } from "./bytes";
import { prove, tableEvents, type Proved } from "./prove";

/**
 * Chain is a seat's part in mutual dice: the secret end of a hash chain, how much of it was revealed, and what is known of the log. It is as secret as
 * the seat's token (docs/howto/clients.md, "Mutual dice").
 */
export interface Chain {
  /** The last link in hexadecimal, from which all others follow. */
  last: string;
  length: number;
  /** Number of the first link that was not revealed, from 1. */
  next: number;
  /** A record that was seen: at first one from when the seat was taken, then the one that asked for the last revealed link. */
  version: string;
  hash: string;
  /** Number of the link that it asked for, 0 before any. */
  revealed: number;
  /** Whether it asked for a link that was revealed. Then its command must come before the next record that asks. */
  asked: boolean;
  /** A chain that was sent to the server, which may or may not have taken it. */
  coming?: Chain;
}

/** TwoLogs says that the server shows another log than before, or asks for a link twice: it may be choosing the dice. */
export class TwoLogs extends Error {}

/** How many links a new chain has. When they are spent, the seat commits to a new chain. */
const USUAL = 1024;

/** newChain draws a chain for a browser that has seen the game as it is now. */
export function newChain(game: Game): Chain {
  const last = hex(crypto.getRandomValues(new Uint8Array(32)));
  return { last, length: USUAL, next: 1, version: String(game.version), hash: game.lastHash, revealed: 0, asked: false };
}

/** linkOf is a link by its number; 0 is the anchor. */
export function linkOf(c: Chain, game: string, seat: string, n: number): Uint8Array {
  const before = join(field("warledger/dice/2/link"), field(game.replace("games/", "")), field(seat));
  let link = unhex(c.last);
  for (let at = c.length; at > n; at--) link = sha256(join(before, field(link)));
  return link;
}

/** committed is the public part of a chain, for the server. */
export function committed(c: Chain, game: string, seat: string): { anchor: Uint8Array; length: number } {
  return { anchor: linkOf(c, game, seat, 0), length: c.length };
}

/** inUse is the chain that the server has for a seat; undefined if it is not kept here. */
export function inUse(game: Game, seat: string, kept: Chain | undefined): Chain | undefined {
  const state = game.seats.find((s) => s.id === seat)?.chain;
  if (!state) return undefined;
  const anchor = hex(state.anchor);
  return [kept, kept?.coming].find((c) => c && c.length === state.length && hex(linkOf(c, game.name, seat, 0)) === anchor);
}

/**
 * promise decides which link to reveal for the record that asks, and what must be kept before that is done. Records are those of the whole tree from the
 * chain's version on, with proofs.
 */
export function promise(game: Game, seat: string, c: Chain, records: GameRecord[]): { number: number; kept: Chain } {
  const asked = game.pendingDice!.asked;
  const last = follow(game.name, c, asked, records);
  const owed = tableEvents(last.leaves).flatMap((e) => (e.event.case === "diceAsked" ? e.event.value.owed : []));
  const number = owed.find((o) => o.seat === seat)?.link ?? 0;
  const again = c.revealed !== 0 && BigInt(c.version) === asked;
  if (number < 1 || number > c.length) throw new TwoLogs(`record ${asked} asks ${seat} for link ${number} of ${c.length}`);
  if (again ? number !== c.revealed : number < c.next) throw new TwoLogs(`record ${asked} asks for link ${number} of ${seat}, which was revealed before`);
  const seen = { version: String(asked), hash: last.hash, asked: true };
  const kept: Chain = { ...c, ...seen, next: number + 1, revealed: number };
  if (number === c.length && !kept.coming) kept.coming = { ...newChain(game), ...seen };
  else if (kept.coming) kept.coming = { ...kept.coming, ...seen };
  return { number, kept };
}

// follow reads from the record that the chain knows to the one that asks. Each must go on from the one before, and the link that
// was revealed before must have been used.
function follow(game: string, c: Chain, asked: bigint, records: GameRecord[]): Proved {
  const known = BigInt(c.version);
  if (asked < known) throw new TwoLogs(`it asks in record ${asked} and was at ${known} before`);
  let used = !c.asked || (asked === known && c.revealed !== 0), last: Proved | null = null;
  for (const r of records) {
    const p = prove(r.proof);
    if (!p || "games/" + p.header.game !== game || p.header.version !== r.version) throw new TwoLogs(`record ${r.version} is not what it says`);
    if (!last) {
      if (p.header.version !== known || p.hash !== c.hash) throw new TwoLogs(`record ${known} has another hash than before`);
    } else if (p.header.version !== last.header.version + 1n || p.prev !== last.hash) {
      throw new TwoLogs(`record ${p.header.version} does not follow record ${last.header.version}`);
    }
    used ||= p.header.asked === known && p.header.kind === RecordKind.COMMAND;
    last = p;
    if (p.header.version >= asked) break;
  }
  if (!last || last.header.version !== asked || last.header.kind !== RecordKind.ASK) throw new TwoLogs(`record ${asked} asks for nothing`);
  if (!used) throw new TwoLogs(`record ${asked} asks again before the command of record ${known} was carried out`);
  return last;
}
