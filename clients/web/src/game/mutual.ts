import type { Game } from "../gen/warledger/v1/game_service_pb";
import { DiceKind } from "../gen/warledger/log/v1/log_pb";
import { chainOf, forgetChain, keepChain, seatsOf } from "../wallet";
import { again, as, games, refusal, uuid } from "../wire";
import { check, committed, goesOn, inUse, linkOf, newChain, newest, promise } from "./chain";

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
    let game = await checked(name).catch(() => checked(name)); // another tab may have renewed a chain just now
    let answered: Game | undefined;
    for (const seat of game?.pendingDice?.missing ?? []) {
      if (!seatsOf(name).includes(seat)) continue;
      game = (await answerFor(game!, seat)) ?? game;
      answered = game;
    }
    return answered;
  });
}

// checked is the game, if the server's chains of this browser's seats are those that are kept. They are read before the game, which can then not be older.
async function checked(name: string): Promise<Game | undefined> {
  const kept = seatsOf(name).map((seat) => [seat, chainOf(name, seat)] as const);
  const { game } = await games.getGame({ name }, as(name));
  for (const [seat, chain] of kept) if (game && chain) check(game, seat, chain);
  return game;
}

async function answerFor(game: Game, seat: string): Promise<Game | undefined> {
  const before = chainOf(game.name, seat), chain = inUse(game, seat, before);
  if (!before || !chain) return undefined;
  const { number, kept } = promise(game, seat, chain, before, await recordsFrom(game, BigInt(chain.version), game.pendingDice!.asked));
  keepChain(game.name, seat, kept);
  const request = {
    name: game.name, seat, asked: game.pendingDice!.asked, link: linkOf(kept, game.name, seat, number), requestId: uuid(),
    chain: number === kept.length ? committed(kept.coming!, game.name, seat) : undefined,
  };
  try {
    return (await again(() => games.answerDice(request, as(game.name)))).game;
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
 * comingChain makes a chain for a seat that is taken or renewed, and keeps it before it is sent to the server. If one was kept before, the log must go on from
 * what it knows, or a server could have that forgotten with the chain; otherwise it throws TwoLogs.
 */
export async function comingChain(game: Game, seat: string): Promise<{ anchor: Uint8Array; length: number }> {
  const chain = newChain(game), kept = chainOf(game.name, seat);
  if (kept) goesOn(game, newest(kept), await recordsFrom(game, BigInt(newest(kept).version), game.version));
  if (kept) keepChain(game.name, seat, { ...(inUse(game, seat, kept) ?? kept), coming: chain });
  else keepChain(game.name, seat, chain);
  return committed(chain, game.name, seat);
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
