import { isMutual, type Wish } from "@warledger/client";
import type { Game } from "@warledger/client/proto/v1/game_service";
import { chainOf, forgetChain, seatsOf } from "../wallet";
import { client } from "../wire";

export { isMutual };

/**
 * answerDice reveals what this browser's seats owe for mutual dice, and gives the game as it is then; undefined while
 * something is owed whose chain is not kept here. Two tabs of one browser take turns. It throws LogInconsistent, and
 * reveals nothing, if the server may be choosing the dice, ThrowTakenBack if a throw was taken back to which the player
 * did not agree here, and ChainReplaced if the server has another chain for a seat than the one that is kept.
 */
export async function answerDice(name: string): Promise<Game | undefined> {
  const game = await alone(name, () => client.game(name).answerDice());
  return game.pendingDice?.missing.some((seat) => seatsOf(name).includes(seat)) ? undefined : game;
}

/** comingChain makes a chain for a seat that is taken or renewed, and keeps it before it is sent to the server. */
export function comingChain(game: Game, seat: string): Promise<{ anchor: Uint8Array; length: number }> {
  return client.game(game.name).commitChain(seat, game);
}

/**
 * consents keeps that the player asks here for an undo in the name of a seat, or agrees to one, if that takes back a
 * throw. It gives the target to send.
 */
export async function consents(game: Game, seat: string, wish: Wish): Promise<bigint> {
  if (isMutual(game)) return alone(game.name, () => client.game(game.name, seat).consents(wish));
  return "target" in wish ? wish.target : 0n;
}

/** refused forgets what was kept for a request that the server refused. */
export async function refused(game: Game, seat: string, thrown: unknown, wish: Wish): Promise<void> {
  if (isMutual(game)) await alone(game.name, () => client.game(game.name, seat).refused(thrown, wish));
}

/**
 * acceptUndo has the seats of which this browser keeps a chain go on after an undo: the player agreed elsewhere. The
 * player may have left them, and be about to sit down again.
 */
export async function acceptUndo(game: Game, undo: bigint): Promise<void> {
  const seats = game.seats.map(({ id }) => id).filter((seat) => chainOf(game.name, seat));
  await alone(game.name, async () => {
    for (const seat of seats) await client.game(game.name, seat).acceptUndo(undo);
  });
}

/** strayed lists the seats of this browser of which it keeps no chain: another program answers. */
export function strayed(game: Game): string[] {
  if (!isMutual(game)) return [];
  return seatsOf(game.name)
    .filter((seat) => game.seats.some((s) => s.id === seat && s.taken && s.chain) && !chainOf(game.name, seat));
}

/** suspicious tells whether the server's chain of one of this browser's seats does not fit what is kept. */
export async function suspicious(game: Game): Promise<boolean> {
  if (!isMutual(game)) return false;
  const { checkKept } = await import("./kept");
  return seatsOf(game.name).some((seat) => {
    const kept = chainOf(game.name, seat);
    try {
      if (kept) checkKept(game, seat, kept);
      return false;
    } catch {
      return true;
    }
  });
}

/**
 * forgetChains forgets the chains of this browser's seats and what they know of the log; of all its seats if none is
 * named.
 */
export function forgetChains(name: string, seat?: string): void {
  for (const one of seat ? [seat] : seatsOf(name)) forgetChain(name, one);
}

// alone lets one tab of the browser answer at a time, where the browser has locks.
async function alone<T>(name: string, act: () => Promise<T>): Promise<T> {
  const locks = (navigator as { locks?: LockManager }).locks;
  return locks ? ((await locks.request("warledger.dice." + name, act)) as T) : act();
}
