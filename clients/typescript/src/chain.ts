import { RecordKind } from "./gen/warledger/log/v1/log_pb.js";
import type { Game, Record as GameRecord } from "./gen/warledger/v1/game_service_pb.js";
import { ChainReplaced, LogInconsistent } from "./alarm.js";
import { field, hex, join, sha256, unhex } from "./bytes.js";
import { prove, tableEvents, type Proved } from "./prove.js";
import { consentTo, judge, placed, type Consent, type Judged, type Wish } from "./takenback.js";

/**
 * Chain is a seat's part in mutual dice: the secret end of a hash chain, how much of it was revealed, and what is known
 * of the log. It is as secret as the seat's token (docs/howto/clients.md, "Mutual dice").
 */
export interface Chain {
  /** The last link in hexadecimal, from which all others follow. */
  last: string;
  length: number;
  /** Number of the first link that was not revealed, from 1. */
  next: number;
  /**
   * A record that was seen: at first one from when the seat was taken, then the one that asked for the last revealed
   * link.
   */
  version: string;
  hash: string;
  /** Number of the link that it asked for, 0 before any. */
  revealed: number;
  /** Whether it asked for a link that was revealed. Then its command must come before the next record that asks. */
  asked: boolean;
  /**
   * Version of a record whose command must come before the next record that asks, if the command was still due when the
   * chain was drawn.
   */
  awaited?: string;
  /**
   * Version from when the player's first chain for the seat was drawn: throws that were asked for before it are not the
   * player's. Without it, in chains that older programs kept, all of the seat's count.
   */
  since?: string;
  /**
   * The undos that the player asked for, or agreed to, with this client since it revealed a link, and that take back a
   * throw.
   */
  agreed?: Consent[];
  /**
   * Ids of the requests by which the player gave up the seat here, or agreed that another player takes it, since a link
   * was revealed. Whoever has the seat's token can leave it in the player's name, so no other leaving counts.
   */
  leaves?: string[];
  /**
   * Whether the player did not hold the seat when the chain was drawn: undos from then on, until the seat is taken with
   * it, asked the player nothing.
   */
  left?: boolean;
  /** Whether a coming chain goes with the last link of the one in use. */
  follows?: boolean;
  /**
   * A chain that was sent to the server, which may or may not have taken it. Its own coming one was sent before it, and
   * so on: a request may arrive long after the browser gave it up, and no link of such a chain is known.
   */
  coming?: Chain;
}

export { ChainReplaced, LogInconsistent, NoChain } from "./alarm.js";

/** How many links a new chain has. When they are spent, the seat commits to a new chain. */
const USUAL = 1024;

/** newChain draws a chain for somebody who has seen the game as it is now. */
export function newChain(game: Game): Chain {
  const last = hex(crypto.getRandomValues(new Uint8Array(32)));
  return { last, length: USUAL, next: 1, version: String(game.version), hash: game.lastHash, revealed: 0,
    asked: false };
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

// all are the chain and those that are coming, the newest of these first.
function all(c: Chain | undefined): Chain[] {
  return c ? [c, ...all(c.coming)] : [];
}

/**
 * goOn is what is kept from now on: the chain, or one that was coming. The others stay, because the server may still
 * take them, unless their links are known.
 */
export function goOn(kept: Chain, next: Chain): Chain {
  const [own, ...coming] = all(kept);
  const { coming: _, follows: __, since: ___, agreed: ____, leaves: _____, ...now } = next;
  const { since, agreed, leaves } = kept;
  const first: Chain = { ...now, ...(since && { since }), ...(agreed && { agreed }),
    ...(leaves && { leaves }) };
  return [own!, ...coming.reverse()].filter((c) => c !== next && c.revealed === 0).reduce<Chain>(withComing, first);
}

/** withComing is a chain with one more that is coming, as the newest. */
export function withComing(c: Chain, newest: Chain): Chain {
  const { coming: _, since: __, agreed: ___, leaves: ____, ...own } = newest;
  return { ...c, coming: c.coming ? { ...own, coming: c.coming } : own };
}

// saw notes the record that asks for a link. Whichever chain the server uses next, the log must go on from that record
// and carry its command out.
function saw(c: Chain, version: string, hash: string): Chain {
  const { awaited: _, left: __, ...rest } = c;
  return { ...rest, version, hash, asked: true, ...(c.coming && { coming: saw(c.coming, version, hash) }) };
}

/** follower is the coming chain that goes with the last link. */
export function follower(c: Chain): Chain | undefined {
  return all(c.coming).find((one) => one.follows);
}

// due is the version of the record whose command must come before the next record that asks; 0 if none must.
function due(c: Chain): bigint {
  return BigInt(c.asked ? c.version : c.awaited ?? 0);
}

/** inUse is the chain that the server has for a seat; undefined if it is not kept here. */
export function inUse(game: Game, seat: string, kept: Chain | undefined): Chain | undefined {
  const state = game.seats.find((s) => s.id === seat)?.chain;
  if (!state) return undefined;
  const anchor = hex(state.anchor);
  return all(kept).find((c) => c.length === state.length && hex(linkOf(c, game.name, seat, 0)) === anchor);
}

/** checkKept throws if the server's chain of a seat is not the one that is kept, or begins again. */
export function checkKept(game: Game, seat: string, kept: Chain): void {
  const state = game.seats.find((s) => s.id === seat)?.chain;
  if (!state || game.over) return;
  const c = inUse(game, seat, kept);
  if (!c) throw new ChainReplaced(seat);
  if (game.version < BigInt(c.version))
    throw new LogInconsistent(`it is at record ${game.version} and was at ${c.version} before`);
  if (state.next < c.next && game.pendingDice?.asked !== BigInt(c.version))
    throw new LogInconsistent(`link ${state.next} of ${seat} was revealed before`);
}

/** newest is the chain that knows the newest record: the one that is kept or one that is coming. */
export function newest(c: Chain): Chain {
  return all(c).reduce((a, b) => (BigInt(b.version) > BigInt(a.version) ? b : a));
}

/**
 * goesOn throws LogInconsistent unless the log goes on from what is known of it, begins no chain of the seat again, and
 * has used the link that was revealed last, and ThrowTakenBack if a throw was taken back without consent. Records begin
 * with the one that the newest chain knows, or before it where an undo reaches further back. If the server says that
 * the command for the link is still due, awaited is the version of the record that asked: the next chain must wait for
 * the command, because the server may lie. sits is true if the player is about to take the seat.
 */
export function goesOn(game: Game, seat: string, kept: Chain, records: GameRecord[],
  sits = false): Judged & { awaited: string | undefined } {
  const c = newest(kept), log = follow(game.name, c, game.version, records), last = log.at(-1), awaited = due(c);
  if (last?.header.version !== game.version || last.hash !== game.lastHash)
    throw new LogInconsistent(`it does not show record ${game.version} as before`);
  counted(log, c, seat, tally(game.name, seat, kept), () => undefined);
  const used = !awaited || log.some((p) => carriesOut(p, awaited));
  if (!used && game.pendingDice?.asked !== awaited && !game.over)
    throw new LogInconsistent(`the command of record ${awaited} was never carried out`);
  const undos = judged(game.name, log, c, kept, seat);
  if (undos.unasked && !sits) throw undos.unasked;
  return { ...undos, awaited: used ? undefined : String(awaited) };
}

// judged looks at the undos after the record that a chain knows.
function judged(game: string, log: Proved[], c: Chain, kept: Chain, seat: string): Judged {
  const comeback = all(kept).filter((one) => one.left).map((one) => hex(linkOf(one, game, seat, 0)));
  const own = all(kept).map((one) => hex(linkOf(one, game, seat, 0)));
  return judge(log, BigInt(c.version), kept, seat, !!c.left, comeback, own);
}

/**
 * consentOf is what must be kept of an undo before it is asked for or agreed to (consentTo). Records are those from the
 * newest chain's version on, or from before it. All is read from the log that goes on from what is kept. The server's
 * word would not do: it could show the game as it will be, and take back later what is thrown until then.
 */
export function consentOf(game: Game, seat: string, kept: Chain, records: GameRecord[], wish: Wish,
  acts: (seat: string) => Promise<boolean>): Promise<Consent | bigint | undefined> {
  const log = follow(game.name, newest(kept), game.version, records), last = log.at(-1);
  if (last?.header.version !== game.version || last.hash !== game.lastHash)
    throw new LogInconsistent(`it does not show record ${game.version} as before`);
  return consentTo(log, kept, seat, wish, acts);
}

/**
 * promise decides which link to reveal for the record that asks, and what must be kept before that is done. Records are
 * those of the whole tree from the chain's version on, or from before it where an undo reaches further back, with
 * proofs. It throws ThrowTakenBack if a throw was taken back without consent.
 */
export function promise(game: Game, seat: string, c: Chain, kept: Chain,
  records: GameRecord[]): { number: number; kept: Chain } {
  const asked = game.pendingDice!.asked;
  const last = asking(game.name, seat, c, kept, asked, records);
  const owed = tableEvents(last.leaves).flatMap((e) => (e.event.case === "diceAsked" ? e.event.value.owed : []));
  const number = owed.find((o) => o.seat === seat)?.link ?? 0;
  const again = c.revealed !== 0 && BigInt(c.version) === asked;
  if (number < 1 || number > c.length)
    throw new LogInconsistent(`record ${asked} asks ${seat} for link ${number} of ${c.length}`);
  if (again ? number !== c.revealed : number < c.next)
    throw new LogInconsistent(`record ${asked} asks for link ${number} of ${seat}, which was revealed before`);
  // The undos up to here were judged, and a question that was open has ended with this record.
  const { agreed: _, leaves: __, ...going } = goOn(kept, c);
  let after: Chain = { ...going, next: number + 1, revealed: number };
  if (number === c.length && !follower(after)) after = withComing(after, { ...newChain(game), follows: true });
  return { number, kept: saw(after, String(asked), last.hash) };
}

// tally tells which chains a log may still commit a seat to: each that was sent from here once, and none of which a
// link was revealed. The server has all revealed links, and could answer with them in the player's name.
function tally(game: string, seat: string, kept: Chain): Map<string, boolean> {
  return new Map(all(kept).map((c) => [hex(linkOf(c, game, seat, 0)), c.revealed === 0]));
}

// counted follows to which chains a log commits a seat, after the record that a chain knows. It tells of the others,
// and throws LogInconsistent for one that begins again.
function counted(log: Proved[], c: Chain, seat: string, left: Map<string, boolean>, other: () => void,
  own = () => {}): void {
  for (const p of log) {
    const { version } = p.header;
    if (version < BigInt(c.version)) continue;
    for (const anchor of commits(p, seat).map(hex)) {
      const may = left.get(anchor);
      if (may !== undefined) own();
      if (version <= BigInt(c.version)) continue;
      if (may === undefined) other();
      else if (!may)
        throw new LogInconsistent(
          `record ${version} commits ${seat} again to a chain that it had before, whose links are known`);
      else left.set(anchor, false);
    }
  }
}

// carriesOut tells whether a record is the command for whose dice the record of a version asked.
function carriesOut(p: Proved, asked: bigint): boolean {
  return p.header.asked === asked && p.header.kind === RecordKind.COMMAND;
}

// follow reads from the record that a chain knows, or from an older one, to a later one. Each must go on from the one
// before. What is older is proved by the hashes that lead to the known one.
function follow(game: string, c: Chain, until: bigint, records: GameRecord[]): Proved[] {
  const known = BigInt(c.version), log: Proved[] = [];
  if (until < known) throw new LogInconsistent(`it is at record ${until} and was at ${known} before`);
  for (const r of records) {
    const p = prove(r.proof), last = log.at(-1);
    if (!p || "games/" + p.header.game !== game || p.header.version !== r.version)
      throw new LogInconsistent(`record ${r.version} is not what it says`);
    const { version } = p.header;
    if ((!last && version > known) || (version === known && p.hash !== c.hash))
      throw new LogInconsistent(`record ${known} has another hash than before`);
    if (last && (version !== last.header.version + 1n || p.prev !== last.hash))
      throw new LogInconsistent(`record ${version} does not follow record ${last.header.version}`);
    if (p.header.aside && p.header.asked)
      throw new LogInconsistent(`record ${version} is an aside and throws dice`);
    if ((last && p.header.parent !== last.header.head) || !placed(p.header))
      throw new LogInconsistent(`record ${version} leaves the line of play`);
    log.push(p);
    if (p.header.version >= until) break;
  }
  return log;
}

// asking is the record that asks, if the link that was revealed before has been used, nobody has replaced the chain in
// between, and no throw was taken back without consent.
function asking(game: string, seat: string, c: Chain, kept: Chain, asked: bigint, records: GameRecord[]): Proved {
  const known = BigInt(c.version), log = follow(game, c, asked, records), last = log.at(-1), awaited = due(c);
  let ours = c.asked; // a chain that has answered is the seat's; before that the log may hold older ones
  const replaced = () => {
    if (ours) throw new ChainReplaced(seat);
  };
  counted(log, c, seat, tally(game, seat, kept), replaced, () => (ours = true));
  if (!last || last.header.version !== asked || last.header.kind !== RecordKind.ASK)
    throw new LogInconsistent(`record ${asked} asks for nothing`);
  const used = !awaited || (asked === known && c.revealed !== 0) || log.some((p) => carriesOut(p, awaited));
  if (!used)
    throw new LogInconsistent(`record ${asked} asks again before the command of record ${awaited} was carried out`);
  const { unasked } = judged(game, log, c, kept, seat);
  if (unasked) throw unasked; // a seat that was left is asked for nothing
  return last;
}

// commits are the anchors of the chains that a record commits a seat to.
function commits(p: Proved, seat: string): Uint8Array[] {
  return tableEvents(p.leaves).flatMap(({ event }) => {
    const may = event.case === "seatTaken" || event.case === "chainRenewed" || event.case === "diceAnswered";
    return may && event.value.seat === seat && event.value.chain ? [event.value.chain.anchor] : [];
  });
}
