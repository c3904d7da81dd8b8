import type { CallOptions, Interceptor } from "@connectrpc/connect";
import { Client, about, again as repeat, type Chains, type TokenSource } from "@warledger/client";
import { earlyFetch } from "./early";
import { identity } from "./person";
import { chainOf, forgetChain, formerOf, keepChain, seatsOf, tokensOf } from "./wallet";

export { WarledgerError as Refusal, toError as refusal, uuid } from "@warledger/client";

/** What this browser holds of games. The page keeps what its calls bring by itself. */
const held: TokenSource & Chains = {
  tokens: tokensOf,
  seats: seatsOf,
  chain: chainOf,
  keepChain(game, seat, old, next) {
    if (JSON.stringify(chainOf(game, seat)) !== JSON.stringify(old)) return false;
    if (next) keepChain(game, seat, next);
    else forgetChain(game, seat);
    return true;
  },
};

/** How long calls are repeated, and how long a call may take before it is given up, in milliseconds. */
const RETRIES = { patience: 8_000, backoff: { shortest: 250, longest: 4000 } }, PATIENCE = 20_000;

/** Calls that make a game, which is then that of whoever has signed in. */
const MAKING = new Set(["CreateGame", "ForkGame", "ImportGame"]);

const byName: Interceptor = (next) => (request) => {
  const token = MAKING.has(request.method.name) && identity();
  if (token) request.header.append("Authorization", `Bearer ${token}`);
  return next(request);
};

/** The server that served the page answers its calls, on the same port. */
export const client = new Client(new URL(".", location.href).href, { tokens: held, timeout: PATIENCE, fetch: earlyFetch,
  interceptors: [byName], ...RETRIES });

export const { access, catalog, computers, deadlines, games, history, notices } = client.services;

/** Options of a call about a game: its name, and all tokens that this browser holds for it, or just some. */
export function as(game: string, extra: CallOptions = {}, tokens = tokensOf(game)): CallOptions {
  const headers: Record<string, string> = about(game);
  if (tokens.length) headers.Authorization = tokens.map((t) => `Bearer ${t}`).join(", ");
  return { timeoutMs: PATIENCE, ...extra, headers };
}

/**
 * asVoter is as for an answer of a seat that is held here, or was held here last. Such a token opens nothing else, so
 * it goes alone.
 */
export function asVoter(game: string, seat: string): CallOptions {
  const former = seatsOf(game).includes(seat) ? undefined : formerOf(game, seat);
  return as(game, {}, former ? [former] : undefined);
}

/** again makes a call until the server has answered it. The id in the request makes that safe. */
export function again<T>(call: () => Promise<T>): Promise<T> {
  return repeat(call, RETRIES);
}
