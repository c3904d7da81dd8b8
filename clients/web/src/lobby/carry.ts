import { holder, takeOver, wallet, type Held } from "../wallet";

/** Carried is what a link brings from another browser of the same person. */
export interface Carried {
  holder: string;
  games: Record<string, Held>;
}

/** MOST is how many bytes a link may unpack to: some thousand games. */
const MOST = 1 << 20;

/**
 * pack puts all that this browser may play and see into one word of an address. Chains for mutual dice stay: a link of
 * a chain must never be shown twice, so each device needs a chain of its own. Void tokens stay as well.
 */
export async function pack(): Promise<string> {
  const games: Record<string, Partial<Held>> = {};
  for (const [name, { title, owner, seats, sees, invitations, opened }] of Object.entries(wallet.value)) {
    games[name] = { title, ...(owner && { owner }), seats, ...(sees && { sees }), ...(invitations && { invitations }),
      opened };
  }
  const text = JSON.stringify({ holder: holder.value, games });
  const bytes = new Uint8Array(await new Response(
    new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
  let binary = "";
  for (const b of bytes) binary += String.fromCharCode(b);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** unpack reads what [pack] wrote. It throws if pack did not write the word, or if it unpacks to too much. */
export async function unpack(word: string): Promise<Carried> {
  const bytes = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "", size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if ((size += part.value.length) > MOST) throw new RangeError("too large");
    text += decoder.decode(part.value, { stream: true });
  }
  const { holder, games } = JSON.parse(text + decoder.decode());
  return { holder: name(holder), games: Object.fromEntries(Object.entries(games).map(([id, held]) => {
    if (!/^games\/[a-z0-9-]{1,64}$/.test(id)) throw new TypeError("no game: " + id);
    return [id, heldOf(held as Record<string, unknown>)];
  })) };
}

// One game of a link. Anybody may have written the link, so every value is checked.
function heldOf(h: Record<string, unknown>): Held {
  const opened = Number(h["opened"]);
  return { title: name(h["title"]), seats: tokens(h["seats"]), sees: tokens(h["sees"]),
    invitations: tokens(h["invitations"]), opened: Number.isFinite(opened) ? Math.min(opened, Date.now()) : 0,
    ...(h["owner"] !== undefined && { owner: token(h["owner"]) }) };
}

const name = (x: unknown): string => (typeof x === "string" ? x.slice(0, 200) : "");

function tokens(x: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(x ?? {}).map(([seat, t]) => [seat.slice(0, 64), token(t)]));
}

function token(x: unknown): string {
  if (typeof x !== "string" || !/^wl_[a-z]_[a-z2-7]{1,400}$/.test(x)) throw new TypeError("no token");
  return x;
}

/** accept adds what a link brought. What this browser has already stays as it is. */
export function accept(c: Carried): void {
  takeOver(c.games);
  if (!holder.value) holder.value = c.holder;
}
