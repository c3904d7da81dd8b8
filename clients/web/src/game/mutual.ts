import type { Game } from "../gen/warledger/v1/game_service_pb";
import { DiceKind } from "../gen/warledger/log/v1/log_pb";
import { chainOf, keepChain, seatsOf } from "../wallet";
import { again, as, games, refusal, uuid } from "../wire";
import { committed, inUse, linkOf, newChain, promise } from "./chain";

/** How many records are read at once. */
const PAGE = 200;

/** isMutual reports whether a game has dice in which every seat has a part. */
export function isMutual(game: Game): boolean {
  return game.dice === DiceKind.MUTUAL;
}

/**
 * answerDice reveals what this browser's seats owe for mutual dice, and gives the game as it is then; undefined if nothing was owed that is
 * kept here. Two tabs of one browser take turns. It throws TwoLogs, and reveals nothing, if the server may be choosing the dice.
 */
export async function answerDice(name: string): Promise<Game | undefined> {
  return alone(name, async () => {
    let { game } = await games.getGame({ name }, as(name));
    let answered: Game | undefined;
    for (const seat of game?.pendingDice?.missing ?? []) {
      if (!seatsOf(name).includes(seat)) continue;
      game = (await answerFor(game!, seat)) ?? game;
      answered = game;
    }
    return answered;
  });
}

async function answerFor(game: Game, seat: string): Promise<Game | undefined> {
  const chain = inUse(game, seat, chainOf(game.name, seat));
  if (!chain) return undefined;
  const { number, kept } = promise(game, seat, chain, await recordsFrom(game, BigInt(chain.version)));
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

// recordsFrom reads the records of all lines from a version to the one that asks, with their proofs.
async function recordsFrom(game: Game, version: bigint) {
  const all = [], first = version > 0n ? version - 1n : 0n;
  for (let pageToken = ""; ; ) {
    const r = await games.listRecords({ name: game.name, afterVersion: first, pageSize: PAGE, wholeTree: true, includeProofs: true, pageToken }, as(game.name));
    all.push(...r.records);
    pageToken = r.nextPageToken;
    if (!pageToken || (all.at(-1)?.version ?? 0n) >= game.pendingDice!.asked) return all;
  }
}

/** comingChain makes a chain for a seat that is taken or renewed, and keeps it before it is sent to the server. */
export function comingChain(game: Game, seat: string): { anchor: Uint8Array; length: number } {
  const chain = newChain(game), kept = chainOf(game.name, seat);
  if (kept) keepChain(game.name, seat, { ...(inUse(game, seat, kept) ?? kept), coming: chain });
  else keepChain(game.name, seat, chain);
  return committed(chain, game.name, seat);
}

/** strayed lists the seats of this browser whose chain is kept elsewhere. */
export function strayed(game: Game): string[] {
  if (!isMutual(game)) return [];
  return seatsOf(game.name).filter((seat) => game.seats.some((s) => s.id === seat && s.taken && s.chain) && !inUse(game, seat, chainOf(game.name, seat)));
}

// alone lets one tab of the browser answer at a time, where the browser has locks.
async function alone<T>(name: string, act: () => Promise<T>): Promise<T> {
  const locks = (navigator as { locks?: LockManager }).locks;
  return locks ? ((await locks.request("warledger.dice." + name, act)) as T) : act();
}
