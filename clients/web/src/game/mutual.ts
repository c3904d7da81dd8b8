import type { Game } from "../gen/warledger/v1/game_service_pb";
import { DiceKind } from "../gen/warledger/log/v1/log_pb";
import { chainOf, forgetChain, keepChain, seatsOf } from "../wallet";
import { again, as, games, refusal, uuid } from "../wire";
import {
  ChainReplaced, TwoLogs, check, committed, follower, goesOn, goOn, inUse, linkOf, newChain, newest, promise, withComing, type Chain,
} from "./chain";

/** How many records are read at once. */
const PAGE = 200;

/** isMutual reports whether a game has dice in which every seat has a part. */
export function isMutual(game: Game): boolean {
  return game.dice === DiceKind.MUTUAL;
}

/**
 * answerDice reveals what this browser's seats owe for mutual dice, and gives the game as it is then; undefined if nothing was owed that is
 * kept here. Two tabs of one browser take turns. It throws TwoLogs, and reveals nothing, if the server may be choosing the dice. Whether or not a link is
 * owed, it throws ChainReplaced if the server has another chain for a seat than the one that is kept.
 */
export async function answerDice(name: string): Promise<Game | undefined> {
  return alone(name, async () => {
    let { game } = await games.getGame({ name }, as(name));
    for (const seat of seatsOf(name)) {
      game = await keeping(game!, seat, async (now, kept) => {
        if (kept) check(now, seat, kept);
        return { result: now };
      });
    }
    let answered: Game | undefined;
    for (const seat of game?.pendingDice?.missing ?? []) {
      if (!seatsOf(name).includes(seat)) continue;
      game = (await answerFor(game!, seat)) ?? game;
      answered = game;
    }
    return answered;
  });
}

/** How often another tab may change a chain meanwhile before this one gives up. */
const RACES = 8;

/**
 * keeping replaces what is kept of a seat's chain with what decide makes of a game and of it, and gives its result. Where the browser has no locks, other
 * tabs may answer at the same time: a game that was read before the chain, or while it changed, may not fit although nobody cheats. So what it throws counts
 * only if the game was read after the chain, and the chain is still the same.
 */
async function keeping<T>(
  game: Game, seat: string, decide: (game: Game, kept: Chain | undefined) => Promise<{ result: T; after?: Chain }>,
): Promise<T> {
  for (let race = 0; race < RACES; race++) {
    const kept = chainOf(game.name, seat), was = JSON.stringify(kept);
    const same = () => JSON.stringify(chainOf(game.name, seat)) === was;
    if (race > 0) game = (await games.getGame({ name: game.name }, as(game.name))).game!;
    try {
      const { result, after } = await decide(game, kept);
      if (after && !same()) continue;
      if (after) keepChain(game.name, seat, after);
      return result;
    } catch (thrown) {
      if (!(thrown instanceof TwoLogs || thrown instanceof ChainReplaced) || (race > 0 && same())) throw thrown;
    }
  }
  throw new Error(`other tabs keep changing the chain of ${seat}`);
}

async function answerFor(game: Game, seat: string): Promise<Game | undefined> {
  const name = game.name;
  const owed = await keeping(game, seat, async (now, before) => {
    const chain = inUse(now, seat, before), asked = now.pendingDice?.asked;
    if (!before || !chain || asked === undefined) return { result: undefined };
    const { number, kept } = promise(now, seat, chain, before, await recordsFrom(now, BigInt(chain.version), asked));
    return { result: { number, kept, asked }, after: kept };
  });
  if (!owed) return undefined;
  const { number, kept, asked } = owed;
  const request = {
    name, seat, asked, link: linkOf(kept, name, seat, number), requestId: uuid(),
    chain: number === kept.length ? committed(follower(kept)!, name, seat) : undefined,
  };
  try {
    return (await again(() => games.answerDice(request, as(name)))).game;
  } catch (thrown) {
    const r = refusal(thrown);
    if (r.reason === "DICE_NOT_OWED" || r.reason === "GAME_OVER") return undefined; // another program was quicker
    throw r;
  }
}

// recordsFrom reads the records of all lines from one version to another, with their proofs.
async function recordsFrom(game: Game, version: bigint, until: bigint) {
  const all = [], first = version > 0n ? version - 1n : 0n;
  for (let pageToken = ""; ; ) {
    const r = await games.listRecords({ name: game.name, afterVersion: first, pageSize: PAGE, wholeTree: true, includeProofs: true, pageToken }, as(game.name));
    all.push(...r.records);
    pageToken = r.nextPageToken;
    if (!pageToken || (all.at(-1)?.version ?? 0n) >= until) return all;
  }
}

/**
 * comingChain makes a chain for a seat that is taken or renewed, and keeps it before it is sent to the server. Those that were sent before are kept as well: a
 * request that the browser gave up may arrive yet. If one was kept before, the log must go on from what it knows, or a server could have that forgotten with the
 * chain; otherwise it throws TwoLogs.
 */
export async function comingChain(game: Game, seat: string): Promise<{ anchor: Uint8Array; length: number }> {
  return keeping(game, seat, async (now, kept) => {
    const chain = newChain(now);
    const result = committed(chain, now.name, seat);
    if (!kept) return { result, after: chain };
    const awaited = goesOn(now, seat, kept, await recordsFrom(now, BigInt(newest(kept).version), now.version));
    return { result, after: withComing(goOn(kept, inUse(now, seat, kept) ?? kept), { ...chain, awaited }) };
  });
}

/** strayed lists the seats of this browser of which it keeps no chain: another program answers. */
export function strayed(game: Game): string[] {
  if (!isMutual(game)) return [];
  return seatsOf(game.name).filter((seat) => game.seats.some((s) => s.id === seat && s.taken && s.chain) && !chainOf(game.name, seat));
}

/** suspicious tells whether the server's chain of one of this browser's seats does not fit what is kept. */
export function suspicious(game: Game): boolean {
  return isMutual(game) && seatsOf(game.name).some((seat) => {
    const kept = chainOf(game.name, seat);
    try {
      if (kept) check(game, seat, kept);
      return false;
    } catch {
      return true;
    }
  });
}

/** forgetChains forgets the chains of this browser's seats and what they know of the log; of all its seats if none is named. */
export function forgetChains(name: string, seat?: string): void {
  for (const one of seat ? [seat] : seatsOf(name)) forgetChain(name, one);
}

// alone lets one tab of the browser answer at a time, where the browser has locks.
async function alone<T>(name: string, act: () => Promise<T>): Promise<T> {
  const locks = (navigator as { locks?: LockManager }).locks;
  return locks ? ((await locks.request("warledger.dice." + name, act)) as T) : act();
}
