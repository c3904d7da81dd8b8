import { signal } from "@preact/signals";

/** Signed is who has signed in in this browser, and how. */
export interface Signed {
  how: "provider" | "passkey";
  /** What the person is called; may be empty. */
  name: string;
  /** The token that opens the keyring: an identity token, or a secret that the passkey has made. */
  token: string;
  /** When the token stops being worth anything, in milliseconds since 1970; absent for never. */
  expires?: number;
  /** What the contents of the keyring are encrypted with, where the passkey has made that too: base 64. */
  seal?: string;
  /** The era of the browser in which the person signed in. */
  era?: string;
}

const KEY = "warledger.signed";

/** Where the browser keeps its era: when a new one begins, everybody is signed out in all tabs, also restored ones. */
export const ERA = "warledger.era";

/** era is the browser's current era, the same in every tab. */
export const era = () => localStorage.getItem(ERA) ?? "";

/** ended reports whether the era in which somebody signed in is over. */
export const ended = (who: Signed) => (who.era ?? "") !== era();

/**
 * Who has signed in. It is in the storages of the open tabs alone, which no other origin sees and the browser does not
 * keep: so it lasts until the last of them is closed. A new tab asks the others.
 */
export const signed = signal<Signed | null>(read());

const tabs = new BroadcastChannel(KEY);
tabs.onmessage = ({ data }: MessageEvent<Signed | null>) => {
  const who = signed.peek(), here = who && !expired(who);
  if (here && !data) tabs.postMessage(who);
  if (!here && data && !expired(data)) take(data);
};
if (!signed.peek()) tabs.postMessage(null);

function read(): Signed | null {
  try {
    const who = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    if (!who || !ended(who)) return who;
    sessionStorage.removeItem(KEY);
  } catch {
    // What cannot be read is as good as not there.
  }
  return null;
}

function take(who: Signed): void {
  sessionStorage.setItem(KEY, JSON.stringify(who));
  signed.value = who;
}

/** sign keeps who has signed in, in all tabs; null for nobody, in this one. */
export function sign(who: Signed | null): void {
  if (who) {
    who = { ...who, era: era() };
    take(who);
    tabs.postMessage(who);
  } else {
    sessionStorage.removeItem(KEY);
    signed.value = null;
  }
}

/** expired reports whether somebody would have to sign in again. */
export function expired(who: Signed): boolean {
  return ended(who) || (who.expires !== undefined && who.expires <= Date.now());
}

/** identity is the token of whoever has signed in with the server's provider. */
export function identity(): string | undefined {
  const who = signed.peek();
  return who?.how === "provider" && !expired(who) ? who.token : undefined;
}
