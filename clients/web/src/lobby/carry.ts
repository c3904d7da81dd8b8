import { bury, gone, holder, keepAll, markOf, read, wallet, type Held } from "../wallet";

/** Carried is what comes from another browser of the same person. */
export interface Carried {
  holder: string;
  games: Record<string, Held>;
  /** What that browser has forgotten, as the wallet has it; a link brings none of it. */
  gone: Record<string, number>;
}

/** MOST is how many bytes may be unpacked: some thousand games. */
const MOST = 1 << 20;

/** carried is all that this browser may play and see. */
export function carried(): Carried {
  const games = Object.entries(wallet.value).map(([name, held]) => [name, travels(held)]);
  return { holder: holder.value, games: Object.fromEntries(games), gone: gone.value };
}

/** squeeze makes few bytes of it. */
export async function squeeze(c: Partial<Carried>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(
    new Blob([JSON.stringify(c)]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
}

/** unsqueeze reads what [squeeze] wrote. It throws if squeeze did not write it, or if it unpacks to too much. */
export async function unsqueeze(bytes: Uint8Array<ArrayBuffer>): Promise<Carried> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "", size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if ((size += part.value.length) > MOST) throw new RangeError("too large");
    text += decoder.decode(part.value, { stream: true });
  }
  const { holder, games, gone } = JSON.parse(text + decoder.decode());
  const all = Object.entries(games).map(([id, held]) => {
    if (!/^games\/[a-z0-9-]{1,64}$/.test(id)) throw new TypeError("no game: " + id);
    return [id, heldOf(held as Record<string, unknown>)];
  });
  return { holder: name(holder), gone: goneOf(gone), games: Object.fromEntries(all) };
}

/** pack puts all that this browser may play and see into one word of an address. */
export async function pack(): Promise<string> {
  const { holder, games } = carried();
  return wordOf(await squeeze({ holder, games }));
}

/**
 * unpack reads what [pack] wrote. It throws if pack did not write the word. Anybody may have written a link, so that it
 * takes nothing away: whatever it says is gone stays.
 */
export async function unpack(word: string): Promise<Carried> {
  return { ...(await unsqueeze(bytesOf(word))), gone: {} };
}

/** wordOf spells bytes so that they can stand in an address: base 64. */
export function wordOf(bytes: Uint8Array): string {
  let binary = "";
  for (const b of bytes) binary += String.fromCharCode(b);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** bytesOf reads what [wordOf] wrote. */
export function bytesOf(word: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}

// One game. Anybody may have written a link, so every value is checked.
function heldOf(h: Record<string, unknown>): Held {
  return { title: name(h["title"]), seats: tokens(h["seats"]), sees: tokens(h["sees"]),
    invitations: tokens(h["invitations"]), opened: time(h["opened"]),
    ...(h["owner"] !== undefined && { owner: token(h["owner"]) }) };
}

const DAY = 86_400_000;

// A time that is long to come would count for ever. Clocks of two devices may differ a little.
function time(x: unknown): number {
  const when = Number(x);
  return Number.isFinite(when) && when <= Date.now() + DAY ? when : 0;
}

function goneOf(x: unknown): Record<string, number> {
  return Object.fromEntries(Object.entries(x ?? {}).map(([what, when]) => {
    if (!/^(games\/[a-z0-9-]{1,64}|wl_[a-z]_[a-z2-7]{1,12})$/.test(what)) throw new TypeError("nothing: " + what);
    return [what, time(when)];
  }));
}

const name = (x: unknown): string => (typeof x === "string" ? x.slice(0, 200) : "");

function tokens(x: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(x ?? {}).map(([seat, t]) => [seat.slice(0, 64), token(t)]));
}

function token(x: unknown): string {
  if (typeof x !== "string" || !/^wl_[a-z]_[a-z2-7]{1,400}$/.test(x)) throw new TypeError("no token");
  return x;
}

/**
 * travels is what of a game goes to other browsers of the same person. Chains for mutual dice stay: a link of a chain
 * must never be shown twice, so each device needs a chain of its own. Void tokens stay as well.
 */
export function travels({ title, owner, seats, sees, invitations, opened }: Held): Held {
  const good = (token?: string) => token !== undefined && !(markOf(token) in gone.value);
  const among = (all: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(all).filter(([, t]) => good(t)));
  return { title, ...(good(owner) && { owner: owner! }), seats: among(seats), sees: among(sees),
    invitations: among(invitations), opened };
}

/** joined is what two browsers hold of a game. Of two tokens for one thing that of the first is kept. */
export function joined(first: Held, more: Held): Held {
  const owner = first.owner ?? more.owner, seats = { ...more.seats, ...first.seats };
  const invitations = Object.entries({ ...more.invitations, ...first.invitations })
    .filter(([seat]) => !(seat in seats));
  return { ...first, title: first.title || more.title, ...(owner !== undefined && { owner }), seats,
    sees: { ...more.sees, ...first.sees }, invitations: Object.fromEntries(invitations),
    opened: Math.max(first.opened, more.opened) };
}

/** isGone reports whether a game was forgotten after it was opened last. */
export function isGone(game: string, { opened }: Held): boolean {
  return (gone.value[game] ?? -1) >= opened;
}

/**
 * takeOver adds games that were held in another browser. What this browser has of a game stays, unless the other has
 * forgotten the game since.
 */
export function takeOver(games: Record<string, Held>, buried: Record<string, number> = {}): void {
  bury(buried);
  const all = read();
  for (const [game, more] of Object.entries(games)) {
    all[game] = joined(all[game] ?? { title: "", seats: {}, opened: 0 }, travels(more));
  }
  keepAll(Object.fromEntries(Object.entries(all).filter(([game, held]) => !isGone(game, held))));
}

/** removeAll takes all games off this browser. They come back from where else they are kept. */
export function removeAll(): void {
  keepAll({});
}

/** accept adds what came. What this browser has already stays as it is. */
export function accept(c: Carried): void {
  takeOver(c.games, c.gone);
  if (!holder.value) holder.value = c.holder;
}
