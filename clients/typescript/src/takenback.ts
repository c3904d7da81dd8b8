import { RecordKind, type RecordHeader, type UndoAsked } from "./gen/warledger/log/v1/log_pb.js";
import type { PendingUndo } from "./gen/warledger/v1/game_service_pb.js";
import { LogInconsistent, ThrowTakenBack } from "./alarm.js";
import type { Chain } from "./chain.js";
import { hex } from "./bytes.js";
import { tableEvents, type Proved } from "./prove.js";

export { ThrowTakenBack };

/**
 * Consent is an undo that a player asked for, or agreed to, and that takes back a throw of the seat's. It is kept
 * before the server is told, serves for one undo, and is forgotten with the next link that is revealed.
 */
export interface Consent {
  /**
   * How far the player knew the game: what came later may not be taken back with this consent. It is the record that
   * asked, if the player agreed.
   */
  version: string;
  /** Hash of that record. Older programs did not keep it, and their consent fits any undo to the target. */
  hash?: string;
  /** The version that shall be the head again. "0", which older programs kept, fits nothing. */
  target: string;
  /** Id of the request in which the player asked; missing if the player agreed. */
  request?: string;
  /** Version of the undo for which it has served; missing before. */
  undo?: string;
}

/** Shown is the question about an undo as the player was shown it: the game's pending undo. */
export type Shown = Pick<PendingUndo, "asked" | "target" | "seat">;

/** Wish is what a player is about to ask for, with the id of the request, or the question that the player agrees to. */
export type Wish = { target: bigint; request: string } | { shown: Shown };

// moves tells whether a record moves the head along the line of play.
function moves(h: RecordHeader): boolean {
  return h.kind === RecordKind.UNDO || h.kind === RecordKind.REDO;
}

/**
 * lowest is the oldest version that must be read to look at every undo among some records, which begin with a known
 * one.
 */
export function lowest(known: bigint, records: Iterable<{ kind: RecordKind; parent: bigint; head: bigint }>): bigint {
  let low = known;
  for (const { kind, parent, head } of records) {
    if (kind !== RecordKind.UNDO && kind !== RecordKind.REDO) continue;
    for (const end of [parent, head]) if (end < low) low = end;
  }
  return low;
}

/** placed tells whether a record leaves the head where its kind does; between looks at where undo and redo go. */
export function placed({ kind, version, parent, head }: RecordHeader): boolean {
  switch (kind) {
    case RecordKind.CREATED: case RecordKind.COMMAND: return head === version;
    case RecordKind.UNDO: return head < parent;
    case RecordKind.REDO: return head > parent;
    default: return head === parent;
  }
}

/** Judged is what was found of the undos of a part of the log. */
export interface Judged {
  /** The undos that the player agreed to, with those noted for which they served. */
  agreed: Consent[];
  /** Whether the player had given the seat up at the end. */
  left: boolean;
  /**
   * The first undo since then that took back a throw of the player's. The server asks such a player nothing, so it
   * counts only if the seat turns out not to have been taken again: then the record in which it was left is a forgery.
   */
  unasked: ThrowTakenBack | undefined;
}

/**
 * judge throws ThrowTakenBack if an undo after a known record took back a throw that the seat had a part in without its
 * player's consent, and LogInconsistent if the head moved where it cannot go. left tells whether the player had given
 * the seat up at first. comeback are the anchors of chains with which such a player was to take it again, and own
 * those of all that are kept here.
 */
export function judge(log: Proved[], known: bigint, kept: Chain, seat: string, left: boolean, comeback: string[],
  own: string[]): Judged {
  const at = byVersion(log), found: Judged = { agreed: (kept.agreed ?? []).map((c) => ({ ...c })), left: false,
    unasked: undefined };
  const player: Player = { seat, comeback, own, leaves: kept.leaves ?? [], out: false, yields: false, spared: [] };
  if (!log.some((p) => p.header.version <= known)) found.left = left;
  for (const p of log) {
    const h = p.header;
    sits(p, player, found);
    if (h.version === known) found.left = left;
    if (h.version <= known || !moves(h)) continue;
    const back = between(at, h), thrown = h.kind === RecordKind.UNDO && newestThrow(at, back, seat, kept);
    if (!thrown) continue;
    const one = found.agreed.find((c) => fits(c, at, p, thrown));
    if (one) one.undo = String(h.version);
    else if (spares(at, h, player)) continue;
    else if (!found.left) throw new ThrowTakenBack(seat, h.version, thrown);
    else found.unasked ??= new ThrowTakenBack(seat, h.version, thrown);
  }
  return found;
}

// Player is what is known of whether a player holds the seat.
interface Player {
  seat: string;
  comeback: string[];
  own: string[];
  leaves: string[];
  /** Whether the owner has put the player out, and whether the player has agreed since that another sits down. */
  out: boolean;
  yields: boolean;
  /**
   * Questions that did not ask the player, who had left. An undo that follows from one asked the player nothing, even
   * if the player took the seat again meanwhile.
   */
  spared: bigint[];
}

// sits follows whether the player holds the seat, and which questions ask the player. The server does ask one whom the
// owner put out. Whoever has the token can leave the seat, so only what was sent from here counts.
function sits(p: Proved, player: Player, found: Judged): void {
  if (p.header.kind !== RecordKind.TABLE) return;
  const { commandId, version } = p.header, sent = commandId !== "" && player.leaves.includes(commandId);
  for (const { event: e } of tableEvents(p.leaves)) {
    if (e.case === "undoAsked" && found.left && !e.value.needed.includes(player.seat)) player.spared.push(version);
    if (!e.value || !("seat" in e.value) || e.value.seat !== player.seat) continue;
    if (e.case === "seatLeft" && e.value.byOwner) [player.out, player.yields] = [true, false];
    else if (e.case === "seatLeft" || (e.case === "resigned" && e.value.goesOn)) found.left ||= sent;
    else if (e.case === "seatAnswered" && e.value.agree) player.yields = player.out && sent;
    else if (e.case === "seatTaken") {
      const anchor = e.value.chain ? hex(e.value.chain.anchor) : "";
      if (player.comeback.includes(anchor)) {
        found.left = false;
        found.unasked = undefined;
      } else if (!player.own.includes(anchor)) found.left ||= player.out && player.yields;
      player.out = player.yields = false;
    }
  }
}

// spares tells whether an undo follows from a question that did not ask the player.
function spares(at: Map<bigint, Proved>, undo: RecordHeader, player: Player): boolean {
  const asked = undo.commandId ? undefined : question(at, undo.version);
  return !!asked && undoAsked(asked)!.target === undo.head && player.spared.includes(asked.header.version);
}

function byVersion(log: Proved[]): Map<bigint, Proved> {
  return new Map(log.map((p) => [p.header.version, p]));
}

// line are the commands from a version of the line of play back to an older one, latest first; undefined if the older
// one is not on that line.
function line(at: Map<bigint, Proved>, from: bigint, to: bigint): RecordHeader[] | undefined {
  const commands: RecordHeader[] = [];
  for (let v = from; v !== to;) {
    const one = at.get(v)?.header;
    if (!one || v < to || one.parent >= v) return undefined;
    commands.push(one);
    v = one.parent;
  }
  return commands;
}

// between are the commands between the two ends of a move of the head, latest first.
function between(at: Map<bigint, Proved>, h: RecordHeader): RecordHeader[] {
  const [to, from] = h.parent < h.head ? [h.parent, h.head] : [h.head, h.parent], commands = line(at, from, to);
  if (!commands)
    throw new LogInconsistent(
      `record ${h.version} moves the head from ${h.parent} to ${h.head}, which are not on one line`);
  return commands;
}

// newestThrow is the first of some commands whose dice a link of the seat went into.
function newestThrow(at: Map<bigint, Proved>, commands: RecordHeader[], seat: string, kept: Chain): bigint | undefined {
  return commands.find(({ asked }) => asked > BigInt(kept.since ?? 0) && owes(at.get(asked), seat))?.version;
}

// owes tells whether a record asks the seat for a link.
function owes(p: Proved | undefined, seat: string): boolean {
  return !!p && tableEvents(p.leaves)
    .some(({ event: e }) => e.case === "diceAsked" && e.value.owed.some((o) => o.seat === seat));
}

// fits tells whether the player agreed to that undo, knowing the newest throw that it takes back.
function fits(c: Consent, at: Map<bigint, Proved>, { header: undo }: Proved, thrown: bigint): boolean {
  const version = BigInt(c.version);
  if (BigInt(c.target) !== undo.head || version < thrown || version > undo.version) return false;
  if (c.undo !== undefined && BigInt(c.undo) !== undo.version) return false;
  if (c.hash === undefined) return true;
  if (at.get(version)?.hash !== c.hash) return false;
  if (version === undo.version) return true; // accepted afterwards
  if (undo.commandId) return c.request === undo.commandId; // a seat did it alone
  const asked = question(at, undo.version);
  if (!asked || undoAsked(asked)!.target !== undo.head) return false;
  return c.request === undefined ? asked.header.version === version : asked.header.commandId === c.request;
}

// question is the record that asked for an undo that follows from consent. A command, a move of the head, dice that are
// asked for, and a refusal end a question, and an aside does not.
function question(at: Map<bigint, Proved>, undo: bigint): Proved | undefined {
  for (let v = undo - 1n; ; v--) {
    const p = at.get(v);
    if (!p || (p.header.kind !== RecordKind.TABLE && !p.header.aside)) return undefined;
    if (undoAsked(p)) return p;
    if (tableEvents(p.leaves).some(({ event: e }) => e.case === "undoAnswered" && !e.value.agree)) return undefined;
  }
}

// undoAsked is the question about an undo that a record asks.
function undoAsked(p: Proved): UndoAsked | undefined {
  for (const { event: e } of tableEvents(p.leaves)) if (e.case === "undoAsked") return e.value;
  return undefined;
}

/**
 * consentTo is what must be kept for a seat before a wish is sent: undefined if what it takes back has no throw of the
 * seat's. If the log does not reach back far enough it gives the version from which it must be read. acts tells whether
 * the player speaks for a seat.
 */
export async function consentTo(log: Proved[], kept: Chain, seat: string, wish: Wish,
  acts: (seat: string) => Promise<boolean>): Promise<Consent | bigint | undefined> {
  const at = byVersion(log), first = log[0]!.header.version, last = log.at(-1)!, { head } = last.header;
  let consent: Consent;
  if ("shown" in wish) {
    // A server could show a small undo, ask for a large one in the log, and have the player agree to that.
    const { shown } = wish;
    if (shown.asked < first) return shown.asked;
    const asked = at.get(shown.asked), q = asked && undoAsked(asked);
    if (!q) throw new LogInconsistent(`record ${shown.asked} asks for no undo`);
    if (q.target !== shown.target || q.seat !== shown.seat)
      throw new LogInconsistent(`in record ${shown.asked} ${q.seat} asks to go back to ${q.target}, and shown was ` +
        `that ${shown.seat} asks to go back to ${shown.target}`);
    consent = { version: String(shown.asked), hash: asked.hash, target: String(q.target) };
  } else {
    let to = wish.target;
    for (let v = head; to === 0n;) { // before the last command, asides of others passed over
      if (v < first) return v;
      const one = at.get(v)?.header;
      if (!one || one.parent >= v) throw new LogInconsistent(`the head is at ${v}, which is no command`);
      if (one.parent === 0n) return undefined; // the server refuses
      if (!one.aside || (await acts(one.seat))) to = one.parent;
      else v = one.parent;
    }
    consent = { version: String(last.header.version), hash: last.hash, target: String(to), request: wish.request };
  }
  const to = BigInt(consent.target);
  if (to >= head) return undefined; // the server refuses
  if (to < first) return to;
  const back = line(at, head, to);
  return back && newestThrow(at, back, seat, kept) ? consent : undefined;
}
