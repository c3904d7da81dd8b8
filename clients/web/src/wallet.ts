import { signal } from "@preact/signals";
import type { Chain } from "@warledger/client";

/** Held is what this browser holds of a game. */
export interface Held {
  title: string;
  owner?: string;
  /** Tokens by seat. */
  seats: Record<string, string>;
  /** Tokens that only see, by seat. */
  sees?: Record<string, string>;
  /** Invitations by seat: tokens that open the seat and nothing else. */
  invitations?: Record<string, string>;
  /**
   * Tokens of seats held here last that are void, by seat: they answer for the seat when it is offered and take it
   * again.
   */
  former?: Record<string, string>;
  /** Chains for mutual dice by seat, as secret as the tokens. */
  chains?: Record<string, Chain>;
  /** The game that it was forked from, by this browser. */
  origin?: string;
  /** When it was last opened, in milliseconds since 1970. */
  opened: number;
  /** A link for other devices brought it, and nobody has opened it since. Anybody may have made such a link. */
  brought?: true;
}

const KEY = "warledger.games";

const GONE = "warledger.gone";

/** Every game that this browser holds a token of or has opened, by name. */
export const wallet = signal<Record<string, Held>>(read());

/**
 * What does not come back from another browser, with the time in milliseconds since 1970: names of games that were
 * forgotten, and beginnings of tokens that have become void.
 */
export const gone = signal<Record<string, number>>(read(GONE));

/** read is what any tab has kept: of the games, or of what is gone. */
export function read<T = Held>(key = KEY): Record<string, T> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}");
  } catch {
    return {};
  }
}

// Another tab of the same browser may have taken a seat meanwhile.
addEventListener("storage", (e) => {
  if (e.key === KEY) wallet.value = read();
  if (e.key === GONE) gone.value = read(GONE);
});

/** markOf is how much of a token says which one it was: 60 bits, which open nothing. */
export const markOf = (token: string) => token.slice(0, 17);

/** MOST_GONE is how much is remembered that does not come back. */
const MOST_GONE = 1000;

/** bury remembers what is gone. What was remembered longest ago is forgotten, in the same way by every browser. */
export function bury(more: Record<string, number>): void {
  const all = { ...read<number>(GONE) };
  for (const [what, when] of Object.entries(more)) all[what] = Math.max(all[what] ?? 0, when);
  const newest = Object.entries(all).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MOST_GONE);
  const text = JSON.stringify(Object.fromEntries(newest));
  if (text === localStorage.getItem(GONE)) return;
  localStorage.setItem(GONE, text);
  gone.value = JSON.parse(text);
}

function change(game: string, edit: (h: Held) => void): void {
  const all = read();
  const held = all[game] ?? { title: "", seats: {}, opened: 0 };
  edit(held);
  all[game] = held;
  keepAll(all);
}

/**
 * open edits a game as it is opened. From then on it does not count as forgotten, whichever device forgot it and
 * however wrong the clock there was.
 */
export function open(game: string, edit: (h: Held) => void): void {
  change(game, (h) => {
    edit(h);
    delete h.brought;
    h.opened = Math.max(Date.now(), (read<number>(GONE)[game] ?? 0) + 1);
  });
}

export function keepOwner(game: string, title: string, token: string): void {
  open(game, (h) => {
    h.title = title;
    h.owner = token;
  });
}

/** keepSeat keeps the token of a seat. An invitation to that seat is of no use then, here or on other devices. */
export function keepSeat(game: string, seat: string, token: string): void {
  buryInvitation(game, seat);
  open(game, (h) => {
    h.seats[seat] = token;
    delete h.invitations?.[seat];
    delete h.former?.[seat];
  });
}

/** keepChain keeps a seat's chain for mutual dice. It is stored when this returns. */
export function keepChain(game: string, seat: string, chain: Chain): void {
  change(game, (h) => {
    h.chains = { ...h.chains, [seat]: chain };
  });
}

/** forgetChain forgets a seat's chain. */
export function forgetChain(game: string, seat: string): void {
  change(game, (h) => {
    delete h.chains?.[seat];
  });
}

/** chainOf is what any tab has kept of a seat's chain. */
export function chainOf(game: string, seat: string): Chain | undefined {
  return read()[game]?.chains?.[seat];
}

/** keepAll keeps all games, and tells nobody where nothing has changed. */
export function keepAll(all: Record<string, Held>): void {
  const text = JSON.stringify(all);
  if (text !== localStorage.getItem(KEY)) localStorage.setItem(KEY, text);
  // Another tab may have written the same just now.
  if (text !== JSON.stringify(wallet.peek())) wallet.value = all;
}

export function invitationOf(game: string, seat: string): string | undefined {
  return wallet.value[game]?.invitations?.[seat];
}

/** keepFork notes where a fork of this browser's came from. */
export function keepFork(game: string, origin: string): void {
  change(game, (h) => {
    h.origin = origin;
  });
}

/** dropToken forgets a token that has become void. That of a seat is put aside: its last holder may be asked. */
export function dropToken(game: string, token: string): void {
  bury({ [markOf(token)]: Date.now() });
  change(game, (h) => {
    if (h.owner === token) delete h.owner;
    for (const [seat, t] of Object.entries(h.seats)) if (t === token) h.former = { ...h.former, [seat]: t };
    for (const held of [h.seats, h.sees ?? {}]) {
      for (const [seat, t] of Object.entries(held)) if (t === token) delete held[seat];
    }
  });
}

/** dropSeat puts the token of a seat aside that was left. */
export function dropSeat(game: string, seat: string): void {
  const token = wallet.value[game]?.seats[seat];
  if (token) dropToken(game, token);
}

/** formerOf is the token of a seat that was held here last. */
export function formerOf(game: string, seat: string): string | undefined {
  return wallet.value[game]?.former?.[seat];
}

/** dropFormer forgets a token that was put aside, since somebody else has held the seat. */
export function dropFormer(game: string, seat: string): void {
  change(game, (h) => {
    delete h.former?.[seat];
  });
}

// Without this the keyring would bring it back.
function buryInvitation(game: string, seat: string): void {
  const invitation = read()[game]?.invitations?.[seat];
  if (invitation) bury({ [markOf(invitation)]: Date.now() });
}

/** dropInvitation forgets an invitation that opens nothing. */
export function dropInvitation(game: string, seat: string): void {
  buryInvitation(game, seat);
  change(game, (h) => {
    delete h.invitations?.[seat];
  });
}

export function forget(game: string): void {
  const all = read();
  bury({ [game]: Math.max(Date.now(), all[game]?.opened ?? 0) });
  delete all[game];
  keepAll(all);
}

export function noteOpened(game: string, title: string): void {
  open(game, (h) => {
    h.title = title;
  });
}

export function seatsOf(game: string): string[] {
  return Object.keys(wallet.value[game]?.seats ?? {});
}

export function tokensOf(game: string): string[] {
  const h = wallet.value[game];
  // No game has more seats. With too many tokens a call is refused for the size of its headers.
  return h ? [...Object.values(h.seats), ...Object.values(h.sees ?? {}).slice(0, 16),
    ...(h.owner ? [h.owner] : [])] : [];
}

/** stored is a setting of this browser. */
export function stored<T>(key: string, otherwise: T) {
  const full = "warledger." + key;
  let first = otherwise;
  try {
    const text = localStorage.getItem(full);
    if (text !== null) first = JSON.parse(text);
  } catch {
    // What cannot be read is as good as not there.
  }
  const s = signal<T>(first);
  s.subscribe((v) => {
    if (v !== first || localStorage.getItem(full) !== null) localStorage.setItem(full, JSON.stringify(v));
  });
  return s;
}

/** Name by which the person at this browser sits down. */
export const holder = stored("holder", "");
