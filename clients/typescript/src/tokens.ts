import type { Chain } from "./chain.js";

/**
 * TokenSource gives the tokens that the caller holds of a game ("games/{game}"). The server refuses a call that brings
 * a token of another game.
 */
export interface TokenSource {
  tokens(game: string): string[] | Promise<string[]>;
  /**
   * The seats that the caller holds, if that is known here; otherwise the server is asked. For mutual dice, implement
   * it: otherwise a server that denies the seat silences the alarm about a chain that it replaced.
   */
  seats?(game: string): string[] | undefined;
  /** Keeps the token of a seat that was taken, or of the owner, whose seat is empty. */
  keep?(game: string, seat: string, token: string): void | Promise<void>;
  /** Forgets the token of a seat that was left. */
  drop?(game: string, seat: string): void | Promise<void>;
}

/**
 * Chains keeps what seats need for mutual dice, beside their tokens. If several programs may write to one place,
 * keepChain must compare and store as one step.
 */
export interface Chains {
  /** What is kept for a seat of a game ("games/{game}"). */
  chain(game: string, seat: string): Chain | undefined | Promise<Chain | undefined>;
  /**
   * Stores next in place of old, and returns true. Both may be undefined: without old nothing was stored before, and
   * without next nothing is stored afterwards. If something other than old is stored, it changes nothing and returns
   * false. Once it has returned, next must survive a crash: a link that was revealed and then forgotten could be asked
   * for a second time.
   */
  keepChain(game: string, seat: string, old: Chain | undefined, next: Chain | undefined): boolean | Promise<boolean>;
}

/**
 * Wallet keeps tokens and chains in memory. It is for programs that end with their games, because chains do not outlive
 * it.
 */
export class Wallet implements TokenSource, Chains {
  private readonly held = new Map<string, Map<string, string>>();
  private readonly kept = new Map<string, Chain>();

  tokens(game: string): string[] {
    return [...(this.held.get(game)?.values() ?? [])];
  }

  seats(game: string): string[] {
    return [...(this.held.get(game)?.keys() ?? [])].filter((seat) => seat !== "");
  }

  /** keep keeps the token of a seat; that of an owner has the empty seat. */
  keep(game: string, seat: string, token: string): void {
    if (!this.held.has(game)) this.held.set(game, new Map());
    this.held.get(game)!.set(seat, token);
  }

  drop(game: string, seat: string): void {
    this.held.get(game)?.delete(seat);
  }

  chain(game: string, seat: string): Chain | undefined {
    return this.kept.get(key(game, seat));
  }

  keepChain(game: string, seat: string, old: Chain | undefined, next: Chain | undefined): boolean {
    if (this.kept.get(key(game, seat)) !== old) return false;
    if (next) this.kept.set(key(game, seat), next);
    else this.kept.delete(key(game, seat));
    return true;
  }
}

function key(game: string, seat: string): string {
  return `${game}/${seat}`;
}

/** about is the header that names the game of a call. A load balancer can send all calls about it to one server. */
export function about(game: string): Record<string, string> {
  return game ? { "warledger-game": game } : {};
}

/** bearer is the header that brings tokens. Blanks and line ends around them, as in a file, do not count. */
export function bearer(tokens: readonly string[]): Record<string, string> {
  return { Authorization: tokens.map((t) => `Bearer ${t.trim()}`).join(", ") };
}
