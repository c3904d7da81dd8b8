import { Code, ConnectError } from "@connectrpc/connect";
import { RecordKind } from "./gen/warledger/log/v1/log_pb.js";
import type { Game as GameState, Record as GameRecord } from "./gen/warledger/v1/game_service_pb.js";
import { ChainReplaced, LogInconsistent, NoChain, alarm } from "./alarm.js";
import {
  checkKept, committed, consentOf, follower, goesOn, goOn, inUse, linkOf,
  newChain, newest, promise, withComing, type Chain,
} from "./chain.js";
import { WarledgerError, hasReason } from "./errors.js";
import type { Game } from "./game.js";
import { prove } from "./prove.js";
import { uuid } from "./retry.js";
import { isMutual } from "./tableevents.js";
import { lowest, type Consent, type Wish } from "./takenback.js";

/** How often two programs may change a chain at the same time before one gives up. */
const RACES = 8;

/** answerDice does what Game.answerDice says. */
export async function answerDice(g: Game): Promise<GameState> {
  let state = await g.get();
  if (!g.client.chains) return state;
  await checkChains(g, state);
  for (const seat of state.pendingDice?.missing ?? []) {
    try {
      state = (await answerFor(g, state, seat)) ?? state;
    } catch (thrown) {
      if (hasReason(thrown, "DICE_NOT_OWED", "GAME_OVER")) continue; // another program was quicker
      const others = seat !== g.seat
        && (thrown instanceof NoChain || hasReason(thrown, "NOT_YOUR_SEAT", "TOKEN_TOO_NARROW"));
      if (!others) throw thrown;
    }
  }
  return state;
}

/**
 * checkChains looks at every seat of the caller whose chain is kept here: a server that replaces a chain for one roll
 * must not go unnoticed.
 */
async function checkChains(g: Game, state: GameState): Promise<void> {
  if (!isMutual(state) || state.over) return;
  for (const { id, chain } of state.seats) if (chain) await checkChain(g, state, id);
}

/** checkChain compares the server's chain of a seat with the one that is kept here. */
export async function checkChain(g: Game, state: GameState, seat: string): Promise<void> {
  try {
    await keeping(g, state, seat, async (now, kept) => {
      if (kept) checkKept(now, seat, kept);
      return { result: undefined };
    });
  } catch (thrown) {
    if (!alarm(thrown) || (await holds(g, seat))) throw thrown;
  }
}

// holds tells whether the caller holds a seat: the chain of one that was left may be another player's.
async function holds(g: Game, seat: string): Promise<boolean> {
  const seats = g.tokens.seats?.(g.name);
  if (seats) return seats.includes(seat);
  try {
    for await (const _ of g.records({ viewer: seat, pageSize: 1 })) break;
  } catch (thrown) {
    if (hasReason(thrown, "NOT_YOUR_SEAT")) return false;
  }
  return true;
}

/**
 * keeping replaces what is kept of a seat's chain with what decide makes of a game and of it, and gives its result.
 * Several programs may change a chain at the same time: a game that was read before the chain, or while it changed, may
 * not fit although nobody cheats. So what it throws counts only if the game was read after the chain, and the chain is
 * still the same.
 */
async function keeping<T>(
  g: Game, state: GameState, seat: string,
    decide: (state: GameState, kept: Chain | undefined) => Promise<{ result: T; after?: Chain }>,
): Promise<T> {
  const chains = g.client.chains;
  if (!chains) throw new NoChain(seat);
  for (let race = 0; race < RACES; race++) {
    const kept = await chains.chain(g.name, seat);
    if (race > 0) state = await g.get();
    try {
      const { result, after } = await decide(state, kept);
      if (!after || (await chains.keepChain(g.name, seat, kept, after))) return result;
    } catch (thrown) {
      if (!alarm(thrown)) throw thrown;
      if (race > 0 && JSON.stringify(await chains.chain(g.name, seat)) === JSON.stringify(kept)) throw thrown;
    }
  }
  throw new Error(`other programs keep changing the chain of ${seat}`);
}

// answerFor stores and then reveals what one seat owes.
async function answerFor(g: Game, state: GameState, seat: string): Promise<GameState | undefined> {
  const owed = await keeping(g, state, seat, async (now, before) => {
    const asked = now.pendingDice?.asked;
    if (!before) throw new NoChain(seat);
    if (asked === undefined || !now.pendingDice!.missing.includes(seat)) return { result: undefined };
    const chain = inUse(now, seat, before);
    if (!chain) throw new ChainReplaced(seat);
    const { number, kept } = promise(now, seat, chain, before, await recordsFrom(g, BigInt(chain.version), asked));
    return { result: { number, kept, asked }, after: kept };
  });
  if (!owed) return undefined;
  const { number, kept, asked } = owed;
  const request = {
    name: g.name, seat, asked, link: linkOf(kept, g.name, seat, number), requestId: uuid(),
    ...(number === kept.length && { chain: committed(follower(kept)!, g.name, seat) }),
  };
  return (await g.call((o) => g.client.services.games.answerDice(request, o))).game;
}

// recordsFrom reads the records of all lines from one version to another, with their proofs, and older ones as far as
// an undo among them reaches back.
async function recordsFrom(g: Game, version: bigint, until: bigint): Promise<GameRecord[]> {
  const all = await recordsOf(g, version, until), low = lowest(version, all);
  return low < version ? recordsOf(g, low, until) : all;
}

async function recordsOf(g: Game, version: bigint, until: bigint): Promise<GameRecord[]> {
  const all: GameRecord[] = [];
  for await (const r of g.records({ after: version > 0n ? version - 1n : 0n, wholeTree: true, proofs: true })) {
    all.push(r);
    if (r.version >= until) break;
  }
  return all;
}

/**
 * comingChain makes a chain for a seat that is taken or renewed, and keeps it before it is sent to the server. Those
 * that were sent before are kept as well: a request that was given up may arrive yet. If one was kept before, the log
 * must go on from what it knows, or a server could have that forgotten with the chain; otherwise it throws
 * LogInconsistent, or ThrowTakenBack if it took back a throw without consent. sits is true if the player does not hold
 * the seat now, and is about to take it with the chain.
 */
export async function comingChain(g: Game, state: GameState, seat: string,
  sits: boolean): Promise<{ anchor: Uint8Array; length: number }> {
  return keeping(g, state, seat, async (now, kept) => {
    const chain = newChain(now);
    const result = committed(chain, now.name, seat);
    if (!kept) return { result, after: { ...chain, since: chain.version } };
    const records = await recordsFrom(g, BigInt(newest(kept).version), now.version);
    const { awaited, agreed, left } = goesOn(now, seat, kept, records, sits);
    const { agreed: _, ...going } = goOn(kept, inUse(now, seat, kept) ?? kept);
    const next: Chain = { ...going, ...(agreed.length > 0 && { agreed }) };
    return { result,
      after: withComing(next, { ...chain, ...(awaited !== undefined && { awaited }), ...(left && { left }) }) };
  });
}

/** renewChain does what Game.renewChain says. */
export async function renewChain(g: Game): Promise<GameState> {
  const chain = await comingChain(g, await g.get(), g.seat, false);
  const request = { name: g.name, seat: g.seat, chain, requestId: uuid() };
  const { game } = await g.call((o) => g.client.services.games.renewChain(request, o));
  await checkChain(g, game!, g.seat);
  return game!;
}

/** forgetChain does what Game.forgetChain says. */
export async function forgetChain(g: Game): Promise<void> {
  const { chains } = g.client;
  for (let race = 0; chains && race < RACES; race++) {
    const kept = await chains.chain(g.name, g.seat);
    if (!kept || (await chains.keepChain(g.name, g.seat, kept, undefined))) return;
  }
}

/** consents does what Table.consents says. */
export async function consents(g: Game, wish: Wish): Promise<bigint> {
  let target = "target" in wish ? wish.target : 0n;
  if (!g.client.chains) return target;
  const { reader, state } = await readable(g);
  if (!isMutual(state)) return target;
  for (const { id } of state.seats) {
    const kept = await g.client.chains.chain(g.name, id);
    if (!kept || !(await acts(g, id))) continue; // the chain may be another player's
    const found = await keeping(reader, state, id, async (now, kept) => {
      if (!kept || ("shown" in wish && now.pendingUndo?.asked !== wish.shown.asked)) return { result: undefined };
      const result = await consentFor(g, reader, now, id, kept, wish); // otherwise the server refuses
      return { result, ...(result && { after: { ...kept, agreed: [...(kept.agreed ?? []), result] } }) };
    });
    if (found) target = BigInt(found.target);
  }
  return target;
}

// consentFor reads the log as far back as the wish goes.
async function consentFor(g: Game, reader: Game, now: GameState, seat: string, kept: Chain,
  wish: Wish): Promise<Consent | undefined> {
  for (let from = BigInt(newest(kept).version); ;) {
    const found = await consentOf(now, seat, kept, await recordsOf(reader, from, now.version), wish, (s) => acts(g, s));
    if (typeof found !== "bigint") return found;
    if (found >= from) throw new LogInconsistent(`it does not show record ${found}`);
    from = found;
  }
}

// acts tells whether the caller speaks for a seat.
async function acts(g: Game, seat: string): Promise<boolean> {
  return seat === g.seat || holds(g, seat);
}

/** refused does what Table.refused says. */
export async function refused(g: Game, thrown: unknown, wish: Wish): Promise<void> {
  const { chains } = g.client;
  const told = thrown instanceof WarledgerError || thrown instanceof ConnectError;
  if (!chains || !("request" in wish) || !told || !REFUSALS.includes(thrown.code)) return;
  const { state } = await readable(g);
  for (const { id } of state.seats)
    await changeConsents(g, id, (agreed) => agreed.filter(({ request }) => request !== wish.request));
}

/** Codes of calls that the server did not carry out, and will not. */
const REFUSALS = [Code.InvalidArgument, Code.NotFound, Code.AlreadyExists, Code.PermissionDenied,
  Code.FailedPrecondition, Code.OutOfRange, Code.Unimplemented, Code.Unauthenticated];

// readable reads the game. The token of a seat's last holder agrees for the seat and shows nothing, so it may have to
// be read without.
async function readable(g: Game): Promise<{ reader: Game; state: GameState }> {
  try {
    return { reader: g, state: await g.get() };
  } catch (thrown) {
    if (!hasReason(thrown, "TOKEN_REVOKED")) throw thrown;
    const reader = g.withTokens({ tokens: () => [] });
    return { reader, state: await reader.get() };
  }
}

// changeConsents replaces what is kept of a seat's consents, if a chain is.
async function changeConsents(g: Game, seat: string, change: (agreed: Consent[]) => Consent[]): Promise<void> {
  const chains = g.client.chains!;
  for (let race = 0; race < RACES; race++) {
    const kept = await chains.chain(g.name, seat);
    if (!kept) return;
    const { agreed: before = [], ...rest } = kept, agreed = change(before);
    if (JSON.stringify(agreed) === JSON.stringify(before)) return;
    if (await chains.keepChain(g.name, seat, kept, { ...rest, ...(agreed.length > 0 && { agreed }) })) return;
  }
  throw new Error(`other programs keep changing the chain of ${seat}`);
}

/** leaving does what Table.leaving says. */
export async function leaving<T>(g: Game, seat: string, send: (requestId: string) => Promise<T>,
  requestId = uuid()): Promise<T> {
  const change = (edit: (leaves: string[]) => string[]) => changeLeaves(g, seat, edit);
  await change((leaves) => [...leaves.filter((id) => id !== requestId), requestId]);
  try {
    return await send(requestId);
  } catch (thrown) {
    const told = thrown instanceof WarledgerError || thrown instanceof ConnectError;
    if (told && REFUSALS.includes(thrown.code)) await change((leaves) => leaves.filter((id) => id !== requestId));
    throw thrown;
  }
}

// changeLeaves replaces what is kept of a seat's leavings, if a chain is.
async function changeLeaves(g: Game, seat: string, edit: (leaves: string[]) => string[]): Promise<void> {
  const { chains } = g.client;
  for (let race = 0; chains && race < RACES; race++) {
    const kept = await chains.chain(g.name, seat);
    if (!kept) return;
    const { leaves: before = [], ...rest } = kept, leaves = edit(before);
    if (await chains.keepChain(g.name, seat, kept, { ...rest, ...(leaves.length > 0 && { leaves }) })) return;
  }
}

/** acceptUndo does what Game.acceptUndo says. */
export async function acceptUndo(g: Game, undo: bigint): Promise<void> {
  if (!g.client.chains) throw new NoChain(g.seat);
  const after = undo > 0n ? undo - 1n : 0n, { reader } = await readable(g);
  for await (const { proof } of reader.records({ after, wholeTree: true, proofs: true, pageSize: 1 })) {
    const proved = prove(proof);
    if (!proved) throw new LogInconsistent(`record ${undo} is not what it says`);
    const { header, hash } = proved;
    if (header.version !== undo || header.kind !== RecordKind.UNDO) break;
    const one = { version: String(undo), hash, target: String(header.head), undo: String(undo) };
    return changeConsents(g, g.seat, (agreed) => [...agreed.filter((c) => c.undo !== one.undo), one]);
  }
  throw new Error(`record ${undo} is not an undo`);
}
