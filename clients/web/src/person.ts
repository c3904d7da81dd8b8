import { signal } from "@preact/signals";

/** Signed is who has signed in in this tab, and how. */
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
}

const KEY = "warledger.signed";

/** Who has signed in. It lasts as long as the tab: the storage of a tab is shared with no other, and not kept. */
export const signed = signal<Signed | null>(read());

function read(): Signed | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}

/** sign keeps who has signed in; null for nobody. */
export function sign(who: Signed | null): void {
  if (who) sessionStorage.setItem(KEY, JSON.stringify(who));
  else sessionStorage.removeItem(KEY);
  signed.value = who;
}

/** expired reports whether somebody would have to sign in again. */
export function expired(who: Signed): boolean {
  return who.expires !== undefined && who.expires <= Date.now();
}

/** identity is the token of whoever has signed in with the server's provider. */
export function identity(): string | undefined {
  const who = signed.peek();
  return who?.how === "provider" && !expired(who) ? who.token : undefined;
}
