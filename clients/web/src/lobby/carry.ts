import { signal } from "@preact/signals";
import { bury, gone, holder, keepAll, markOf, read, wallet, type Held } from "../wallet";

/** Carried is what comes from another browser of the same person. */
export interface Carried {
  holder: string;
  games: Record<string, Held>;
  /** What that browser has forgotten, as the wallet has it; a link brings none of it. */
  gone: Record<string, number>;
}

/** MOST is how many bytes are packed: some thousand games. What older pages packed may be larger. */
const MOST = 1 << 20, MOST_OLD = 4 * MOST;

/** ROOM is how many bytes of games are carried: a keyring holds 256 kB of them, packed, and tokens pack badly. */
const ROOM = 384 << 10;

/** MOST_SEATS is how many seats of a game have their tokens carried: more than any game has. */
const MOST_SEATS = 16;

/** MOST_GAMES is how many games are carried at most. */
const MOST_GAMES = 2000;

/** How many games were left out when this browser's games were last packed, because there are too many. */
export const leftOut = signal(0);

const sizeOf = (x: unknown) => new TextEncoder().encode(JSON.stringify(x)).length;

const opens = (h: Held) => !!h.owner || [h.seats, h.sees, h.invitations].some((all) => Object.keys(all ?? {}).length);

// As many games as can be carried: first those that somebody has opened, of these the ones with a token, and of these
// the ones that were opened last. Their order stays.
function fitting(games: Record<string, Held>, room: number): Record<string, Held> {
  const all = Object.entries(games), best = all.filter(([, h]) => opens(h) || h.title)
    .sort(([, a], [, b]) => Number(a.brought ?? 0) - Number(b.brought ?? 0) || Number(opens(b)) - Number(opens(a))
      || b.opened - a.opened).slice(0, MOST_GAMES);
  const taken = new Set<string>();
  for (const [name, held] of best) {
    room -= sizeOf({ [name]: held });
    if (room < 0) break;
    taken.add(name);
  }
  return Object.fromEntries(all.filter(([name]) => taken.has(name)));
}

/** What the tokens of a wallet begin with, by what they open: wl_s_ and so on. Those of old links say nothing. */
export const KINDS = { seat: "sag", see: "vg", owner: "ocg", invited: "jg" };

/** fits reports whether a string is spelt like a token that opens such a thing. */
export function fits(kind: keyof typeof KINDS, token?: string): boolean {
  return RegExp(`^wl_[${KINDS[kind]}]_[a-z2-7]{52}$`).test(token ?? "");
}

/** carried is all that this browser may play and see. */
export function carried(): Carried {
  const own = { holder: holder.value, gone: gone.value };
  const all = Object.entries(wallet.value).map(([name, held]) => [name, travels(held)] as const);
  const worth = all.filter(([, h]) => opens(h) || h.title);
  const games = fitting(Object.fromEntries(worth), ROOM);
  leftOut.value = worth.length - Object.keys(games).length;
  return { ...own, games };
}

/** squeeze makes few bytes of it, never more than [unsqueeze] reads. */
export async function squeeze(c: Partial<Carried>): Promise<Uint8Array<ArrayBuffer>> {
  const games = fitting(c.games ?? {}, MOST - sizeOf({ ...c, games: {} }));
  return new Uint8Array(await new Response(
    new Blob([JSON.stringify({ ...c, games })]).stream().pipeThrough(new CompressionStream("deflate-raw")))
    .arrayBuffer());
}

/** unsqueeze reads what [squeeze] wrote. It throws if squeeze did not write it, or if it unpacks to too much. */
export async function unsqueeze(bytes: Uint8Array<ArrayBuffer>): Promise<Carried> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "", size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if ((size += part.value.length) > MOST_OLD) throw new RangeError("too large");
    text += decoder.decode(part.value, { stream: true });
  }
  const { holder, games, gone } = JSON.parse(text + decoder.decode());
  const all = Object.entries(games).map(([id, held]) => {
    if (!/^games\/[a-z0-9-]{1,64}$/.test(id)) throw new TypeError("no game: " + id);
    return [id, heldOf(held as Record<string, unknown>)];
  });
  return { holder: name(holder), gone: goneOf(gone), games: fitting(Object.fromEntries(all), MOST) };
}

/** pack puts all that this browser may play and see into one word of an address. */
export async function pack(): Promise<string> {
  const { holder, games } = carried();
  return wordOf(await squeeze({ holder, games }));
}

/**
 * unpack reads what [pack] wrote. It throws if pack did not write the word. Anybody may have written a link, so it
 * takes nothing away: whatever it says is gone stays. Nor can it keep a game from being forgotten, or put games that
 * nobody has opened before one's own.
 */
export async function unpack(word: string): Promise<Carried> {
  const c = await unsqueeze(bytesOf(word)), now = Date.now();
  for (const held of Object.values(c.games)) Object.assign(held, { opened: Math.min(held.opened, now), brought: true });
  return { ...c, gone: {} };
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
  const owner = String(h["owner"]);
  return { title: name(h["title"]), seats: tokens("seat", h["seats"]), sees: tokens("see", h["sees"]),
    invitations: tokens("invited", h["invitations"]), opened: time(h["opened"]) ?? 0,
    ...(h["brought"] === true && { brought: true }), ...(fits("owner", owner) && { owner }) };
}

const DAY = 86_400_000;

// A time that is long to come would count for ever. Clocks of two devices may differ a little.
function time(x: unknown): number | undefined {
  const when = Number(x);
  return when >= 0 && when <= Date.now() + DAY ? when : undefined;
}

function goneOf(x: unknown): Record<string, number> {
  return Object.fromEntries(Object.entries(x ?? {}).flatMap(([what, at]) => {
    if (!/^(games\/[a-z0-9-]{1,64}|wl_[a-z]_[a-z2-7]{1,12})$/.test(what)) throw new TypeError("nothing: " + what);
    const when = time(at);
    return when === undefined ? [] : [[what, when]];
  }));
}

const name = (x: unknown): string => (typeof x === "string" ? x.slice(0, 200) : "");

// Values that are not tokens of that kind stay behind, and so do more of them than a game can have.
function tokens(kind: keyof typeof KINDS, x: unknown): Record<string, string> {
  return few(Object.entries(x ?? {}).filter(([seat, t]) => SEAT.test(seat) && typeof t === "string" && fits(kind, t)));
}

const SEAT = /^[a-z][a-z0-9_-]{0,63}$/;

const few = (all: [string, string][]) => Object.fromEntries(all.slice(0, MOST_SEATS));

/**
 * travels is what of a game goes to other browsers of the same person. Chains for mutual dice stay: a link of a chain
 * must never be shown twice, so each device needs a chain of its own. Void tokens stay as well.
 */
export function travels({ title, owner, seats, sees, invitations, opened, brought }: Held): Held {
  const good = (token: string) => !(markOf(token) in gone.value);
  const among = (kind: keyof typeof KINDS, all?: Record<string, string>) =>
    Object.fromEntries(Object.entries(tokens(kind, all)).filter(([, t]) => good(t)));
  return { title, ...(owner && fits("owner", owner) && good(owner) && { owner }), seats: among("seat", seats),
    sees: among("see", sees), invitations: among("invited", invitations), opened, ...(brought && { brought }) };
}

// What the first has stays, and goes before what the other adds.
function both(first: Record<string, string> = {}, more: Record<string, string> = {}): Record<string, string> {
  return few(Object.entries({ ...first, ...more, ...first }));
}

/**
 * joined is what two browsers hold of a game. If both have a token for the same thing, the first one's is kept. An
 * invitation stays, even if there is a token of its seat: that token may be void or made up. Whoever has opened the
 * game has opened it for both.
 */
export function joined({ brought, ...first }: Held, more: Held): Held {
  const owner = first.owner ?? more.owner, seats = both(first.seats, more.seats);
  return { ...first, title: first.title || more.title, ...(owner !== undefined && { owner }), seats,
    sees: both(first.sees, more.sees), invitations: both(first.invitations, more.invitations),
    opened: Math.max(first.opened, more.opened), ...(brought && more.brought && { brought }) };
}

/**
 * together is what the server is to keep of a game that it keeps already and that this browser holds. What it keeps
 * goes first: otherwise two browsers with different tokens of one seat would replace each other's for ever. But tokens
 * that a link brought, and with which nobody has opened the game since, may be made up: they go after this browser's.
 */
export function together(kept: Held, held: Held): Held {
  return kept.brought && !held.brought ? joined(held, travels(kept)) : joined(travels(kept), held);
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
    all[game] = joined(all[game] ?? { title: "", seats: {}, opened: 0, brought: true }, travels(more));
  }
  keepAll(Object.fromEntries(Object.entries(all).filter(([game, held]) => !isGone(game, held))));
}

/** removeAll takes all games off this browser. */
export function removeAll(): void {
  keepAll({});
}

// Every token that would be lost with a game, and what it opens. Void tokens would not; nor would what is no token.
function losable(h: Held): string[][] {
  const all = [["owner", "", h.owner ?? ""], ...(["seats", "sees", "invitations"] as const).flatMap((where) =>
    Object.entries(h[where] ?? {}).map(([seat, token]) => [where, seat, token]))];
  return all.filter(([, , token]) => /^wl_[a-z]_[a-z2-7]{52}$/.test(token!) && !(markOf(token!) in gone.value));
}

/**
 * lacking are the games of this browser that open something, or are known, and of which something is kept nowhere else.
 * Another token for the same seat is no substitute: anybody may have made it up, or it may expire sooner.
 */
export function lacking(kept: Record<string, Held>): Record<string, Held> {
  return Object.fromEntries(Object.entries(read()).filter(([game, held]) => {
    const there = kept[game], here = losable(held);
    if (!there) return here.length > 0 || opens(travels(held)) || held.title;
    const safe = new Set(losable(there).map((x) => x.join()));
    return here.some((x) => !safe.has(x.join()));
  }));
}

/**
 * removeKept takes the games off this browser that are kept elsewhere. Those stay that have come since, such as one
 * that another tab has just made.
 */
export function removeKept(kept: Record<string, Held>): void {
  keepAll(lacking(kept));
}

/** accept adds what came. What this browser has already stays as it is. */
export function accept(c: Carried): void {
  takeOver(c.games, c.gone);
  if (!holder.value) holder.value = c.holder;
}
