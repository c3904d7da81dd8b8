import { effect, signal } from "@preact/signals";
import { ended, era, ERA, expired, sign, signed, type Signed } from "../person";
import { gone, holder, wallet } from "../wallet";
import { again, refusal } from "../wire";
import { t } from "../words";
import {
  accept, bytesOf, carried, isGone, lacking, leftOut, removeAll, removeKept, squeeze, together, unsqueeze, type Carried,
} from "./carry";
import { decrypt, encrypt } from "./passkey";
import "./words";
import { before, endAll, hasSeen, keyrings, noteSeen, personOf, unsee } from "./sign";

/** How it goes to keep the games of the person who has signed in on the server too. */
export const keeping = signal<{ state: "" | "busy" | "kept" | "forgotten" | "fault"; fault?: string }>({ state: "" });

/** How long after a change it is kept, in milliseconds: several changes come together. */
const REST = 2000;

/** How often a keyring is read again that another device changes at the same time. */
const TRIES = 6;

const as = (who: Signed) => ({ headers: { Authorization: `Bearer ${who.token}` }, timeoutMs: 20_000 });

/** Kept is a keyring as the server has it. */
interface Kept {
  /** Its version. Without a keyring it stands for what was removed before; older servers send none. */
  etag: string;
  what: Carried | null;
  /** It is to be written again, so that it is not removed: half of its time is over. */
  old: boolean;
}

async function read(who: Signed): Promise<Kept> {
  try {
    const { keyring } = await again(() => keyrings.getKeyring({}, as(who)));
    const { content, etag, updateTime, expireTime } = keyring!;
    const plain = who.seal ? await decrypt(bytesOf(who.seal), new Uint8Array(content)) : new Uint8Array(content);
    const until = Number(expireTime?.seconds ?? 0n), since = Number(updateTime?.seconds ?? 0n);
    return { etag, what: await unsqueeze(plain), old: Date.now() / 1000 > (since + until) / 2 };
  } catch (thrown) {
    const { reason, facts } = refusal(thrown);
    if (reason === "KEYRING_NOT_FOUND") return { etag: facts["etag"] ?? "", what: null, old: false };
    throw thrown;
  }
}

// What the server is to keep.
function merged(theirs: Carried | null): Carried {
  const ours = carried(), games: Carried["games"] = {};
  for (const [game, held] of Object.entries(ours.games)) {
    const kept = theirs?.games[game];
    if (!isGone(game, held)) games[game] = kept ? together(kept, held) : held;
  }
  return { holder: theirs?.holder || ours.holder, games, gone: ours.gone };
}

// Equal contents have equal texts, whatever the order of their parts.
function textOf(x: unknown): string {
  return JSON.stringify(x, (_, v: unknown) => (v && typeof v === "object" && !Array.isArray(v)
    ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1))) : v));
}

/** When games were taken in last, by performance.now. */
let accepted = -Infinity;

/** The games that the server had when this tab and the keyring were last brought together. */
let there: Carried["games"] = {};

/** For how long another tab may not know yet that this one has taken games in, in milliseconds. */
const LAG = 1000;

// Another tab has signed everybody out. What this one took in before it was told is removed again.
function heed(): void {
  const who = signed.peek();
  if (!who || !ended(who)) return;
  sign(null);
  keeping.value = { state: "" };
  if (era().startsWith("removed") && performance.now() - accepted < LAG) removeKept(there);
}

addEventListener("storage", (e) => (e.key === ERA || e.key === null) && heed());
addEventListener("pageshow", heed); // a page that was left and is shown again was told nothing

async function exchange(who: Signed): Promise<"" | "kept" | "forgotten"> {
  const person = await personOf(who), out = () => signed.peek() !== who || ended(who);
  let none: string | undefined;
  for (let tries = 1; ; tries++) {
    const kept = await read(who);
    if (out()) return ""; // signed out meanwhile
    // One was made and removed since this tab looked first, before it could write: it must not bring that back.
    if (!kept.what && (none ??= kept.etag) !== kept.etag) noteSeen(person);
    if (!kept.what && hasSeen(person)) return "forgotten"; // whoever removed it does not want it back
    if (kept.what) {
      noteSeen(person);
      accepted = performance.now();
      there = kept.what.games;
      accept(kept.what);
    }
    const fresh = merged(kept.what);
    if (kept.what && !kept.old && textOf(fresh) === textOf(kept.what)) return "kept";
    const plain = await squeeze(fresh), content = who.seal ? await encrypt(bytesOf(who.seal), plain) : plain;
    if (out()) return "";
    try {
      await again(() => keyrings.updateKeyring({ keyring: { content, etag: kept.etag } }, as(who)));
      if (out()) return "";
      noteSeen(person);
      there = fresh.games;
      return "kept";
    } catch (thrown) {
      if (refusal(thrown).reason !== "KEYRING_CHANGED" || tries >= TRIES) throw thrown;
    }
  }
}

let running: Promise<boolean> | undefined, wanted = false;

/** keep brings this browser and the keyring together, and reports whether they are. One exchange runs at a time. */
export function keep(): Promise<boolean> {
  wanted = true;
  return (running ??= (async () => {
    let well = true;
    while (wanted) {
      wanted = false;
      well = await once();
    }
    running = undefined;
    return well;
  })());
}

async function once(): Promise<boolean> {
  heed();
  const who = signed.peek();
  if (!who || expired(who)) return false;
  keeping.value = { state: "busy" };
  try {
    const state = await exchange(who);
    keeping.value = { state };
    return state === "kept";
  } catch (thrown) {
    const fault = refusal(thrown);
    keeping.value = { state: "fault", fault: fault.message };
    // Without a keyring for people one is still the owner of what one creates.
    if (fault.reason === "KEYRINGS_OFF") keeping.value = { state: "" };
    if (["TOKEN_EXPIRED", "IDENTITY_INVALID"].includes(fault.reason)) sign(null);
    return false;
  }
}

let following = false;

/**
 * follow keeps the games of whoever has signed in where other devices find them: now, after each change, and whenever
 * the page is looked at again.
 */
export function follow(): Promise<boolean> {
  if (!following) {
    following = true;
    let rest: ReturnType<typeof setTimeout> | undefined, first = true;
    effect(() => {
      void [wallet.value, gone.value, holder.value];
      if (first) {
        first = false;
        return;
      }
      clearTimeout(rest);
      if (signed.peek()) rest = setTimeout(() => void keep(), REST);
    });
    addEventListener("visibilitychange", () => document.visibilityState === "visible" && signed.peek() && void keep());
    addEventListener("focus", () => signed.peek() && void keep());
  }
  return keep();
}

/** keepAgain keeps the games again after the keyring that this browser had seen was removed. */
export async function keepAgain(): Promise<void> {
  const who = signed.peek();
  if (who) unsee(await personOf(who));
  await keep();
}

/**
 * forgetAll has the server forget the games. First it signs everybody out in this browser, or the next change would be
 * kept.
 */
export async function forgetAll(): Promise<void> {
  const who = signed.peek();
  if (!who) return;
  const last = before.peek();
  endAll("forgotten");
  try {
    await running; // what it sends must not arrive after the deletion
    await again(() => keyrings.deleteKeyring({}, as(who)));
    unsee(await personOf(who));
  } catch (thrown) {
    before.value = last;
    throw thrown;
  } finally {
    keeping.value = { state: "" };
  }
}

/** leave signs everybody out in this browser. Its games stay. */
export function leave(): void {
  endAll("left");
  keeping.value = { state: "" };
}

/** removeHere takes all games off this browser, and signs everybody out in it: other tabs would bring them back. */
export function removeHere(): void {
  endAll("removed");
  unsee();
  keeping.value = { state: "" };
  removeAll();
}

/** How often games are kept again that another tab has made meanwhile. */
const ROUNDS = 3;

/**
 * outOfHere keeps the newest games and takes them off this browser. It reports why it did not, in words for the person:
 * what the server does not have would be lost. A game stays here that another tab makes in the last moment.
 */
export async function outOfHere(): Promise<string> {
  let other: Carried["games"] = {};
  for (let round = 0; round < ROUNDS; round++) {
    if (!(await keep())) return t("signOutFault", { why: keeping.peek().fault ?? "?" });
    if (leftOut.peek() > 0) return t("leftOut", { n: leftOut.peek() });
    other = lacking(there);
    if (!Object.keys(other).length) break;
  }
  const names = Object.entries(other).map(([name, { title }]) => title || name.replace("games/", ""));
  if (names.length) return t("signOutOther", { games: names.join(", ") });
  endAll("removed");
  unsee();
  keeping.value = { state: "" };
  removeKept(there);
  return "";
}
