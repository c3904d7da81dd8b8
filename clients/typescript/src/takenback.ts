import { RecordKind, type RecordHeader } from "./gen/warledger/log/v1/log_pb.js";
import { LogInconsistent, type Chain } from "./chain.js";
import { tableEvents, type Proved } from "./prove.js";

/**
 * ThrowTakenBack says that an undo took back a throw that a link of the seat went into, and that the player neither
 * asked for the undo nor agreed to it with this client. Whoever has the seat's token can agree in the player's name,
 * and throw again until the dice are better. So no link is revealed. If it was the player, with another program,
 * Game.acceptUndo goes on.
 */
export class ThrowTakenBack extends Error {
  constructor(
    readonly seat: string,
    /** Version of the record that took it back. */
    readonly undo: bigint,
    /** Version of the newest command among those whose dice were taken back. */
    readonly thrown: bigint,
  ) {
    super(`record ${undo} takes back the dice of record ${thrown}, and nobody agreed to that for ${seat} from here: ` +
      "if no other program of yours did, somebody throws again in your name");
  }
}

/** Consent is an undo that a player asked for, or agreed to. It is kept before the server is told. */
export interface Consent {
  /** How far the player knew the game: what came later may not be taken back with this consent. */
  version: string;
  /** The version that shall be the head again; "0" for that before the last command. */
  target: string;
}

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

/**
 * consented throws ThrowTakenBack if an undo after a known record took back a throw that the seat had a part in without
 * its player's consent, and LogInconsistent if the head moved where it cannot go.
 */
export function consented(log: Proved[], known: bigint, kept: Chain, seat: string): void {
  const at = new Map(log.map((p) => [p.header.version, p]));
  for (const { header: h } of log) {
    if (h.version <= known || !moves(h)) continue;
    const back = between(at, h);
    const thrown = h.kind === RecordKind.UNDO
      && back.find(({ asked }) => asked > BigInt(kept.since ?? 0) && owes(at.get(asked), seat))?.version;
    if (thrown && !agreed(kept, h, thrown, back.length)) throw new ThrowTakenBack(seat, h.version, thrown);
  }
}

// between are the commands between the two ends of a move along the line, latest first, asides excepted.
function between(at: Map<bigint, Proved>, h: RecordHeader): RecordHeader[] {
  const [to, from] = h.parent < h.head ? [h.parent, h.head] : [h.head, h.parent], commands: RecordHeader[] = [];
  for (let v = from; v !== to;) {
    const one = at.get(v)?.header;
    if (!one || v < to || one.parent >= v)
      throw new LogInconsistent(
        `record ${h.version} moves the head from ${h.parent} to ${h.head}, which are not on one line`);
    if (!one.aside) commands.push(one);
    v = one.parent;
  }
  return commands;
}

// owes tells whether a record asks the seat for a link.
function owes(p: Proved | undefined, seat: string): boolean {
  return !!p && tableEvents(p.leaves)
    .some(({ event: e }) => e.case === "diceAsked" && e.value.owed.some((o) => o.seat === seat));
}

// agreed tells whether the player agreed to an undo, knowing the newest throw that it takes back.
function agreed(kept: Chain, undo: RecordHeader, thrown: bigint, commands: number): boolean {
  return (kept.agreed ?? []).some(({ version, target }) => {
    const seen = BigInt(version), to = BigInt(target);
    return seen >= thrown && seen <= undo.version && (to === undo.head || (to === 0n && commands === 1));
  });
}
