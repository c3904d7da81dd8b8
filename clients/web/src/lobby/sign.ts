import { createClient } from "@connectrpc/connect";
import { signal } from "@preact/signals";
import { KeyringService, type GetSignInResponse } from "@warledger/client/proto/v1/keyring_service";
import { ERA, sign, type Signed } from "../person";
import { stored } from "../wallet";
import { again, client, refusal } from "../wire";
import { bytesOf, wordOf } from "./carry";

export const keyrings = createClient(KeyringService, client.transport);

/** How one can sign in on this server; null until it has said so. */
export const offer = signal<GetSignInResponse | null>(null);

/** ask asks the server how one can sign in. */
export async function ask(): Promise<GetSignInResponse> {
  return (offer.value = await again(() => keyrings.getSignIn({})));
}

/** How this person has signed in last, so that the page can offer it first. */
export const before = stored<"" | "provider" | "passkey">("signedBefore", "");

addEventListener("storage", (e) => {
  if (e.key === "warledger.signedBefore") before.value = JSON.parse(e.newValue || '""');
});

/** endAll signs everybody out in all tabs of this browser. A tab that is restored later is signed out too. */
export function endAll(why: "left" | "forgotten" | "removed"): void {
  localStorage.setItem(ERA, why + random()); // without a clock, which may go back
  sign(null);
  before.value = "";
}

const SEEN = "warledger.seen.", seenHere = new Set<string>();

/**
 * personOf is a digest that stands for whoever has signed in, the same in all their sessions. It shows who that is only
 * to somebody who guesses the person.
 */
export async function personOf({ how, token }: Signed): Promise<string> {
  let who = token;
  if (how === "provider") {
    const { iss, sub } = JSON.parse(new TextDecoder().decode(bytesOf(token.split(".")[1] ?? "")));
    who = JSON.stringify([iss, sub]);
  }
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("warledger/seen/1/" + who));
  return wordOf(new Uint8Array(hash)).slice(0, 22);
}

/** hasSeen reports whether this browser has seen a keyring of a person. If it is gone, it was removed. */
export const hasSeen = (person: string) => seenHere.has(person) || localStorage.getItem(SEEN + person) !== null;

/** noteSeen remembers that a person has a keyring. */
export function noteSeen(person: string): void {
  seenHere.add(person);
  localStorage.setItem(SEEN + person, "1");
}

/** unsee forgets that a person has a keyring; without a person, that anybody has. */
export function unsee(person?: string): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(SEEN) && key.endsWith(person ?? "")) localStorage.removeItem(key);
  }
  if (person) seenHere.delete(person);
  else seenHere.clear();
}

/** Why signing in has failed. */
export const failure = signal("");

/** Attempt is what is kept of a request to the provider until it has answered. */
interface Attempt {
  state: string;
  nonce: string;
  verifier: string;
  /** Where the person was. */
  back: string;
}

const KEY = "warledger.attempt";

const random = () => wordOf(crypto.getRandomValues(new Uint8Array(32)));

/** Where the provider sends people back to: the page, without a place in it. It knows no other address. */
const here = () => new URL(".", location.href).href;

/**
 * away sends the person to the provider. Only the tab that asked can use the answer: it alone knows state, nonce and
 * verifier.
 */
export async function away(to: GetSignInResponse): Promise<void> {
  const attempt: Attempt = { state: random(), nonce: random(), verifier: random(), back: location.hash };
  const at = new URL(to.authorizationUri);
  if (!/^https?:$/.test(at.protocol)) throw new TypeError("no address: " + at.protocol);
  const challenge = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(attempt.verifier));
  for (const [name, value] of Object.entries({
    response_type: "code", client_id: to.clientId, redirect_uri: here(), scope: "openid profile", state: attempt.state,
    nonce: attempt.nonce, code_challenge: wordOf(new Uint8Array(challenge)), code_challenge_method: "S256",
  })) at.searchParams.set(name, value);
  sessionStorage.setItem(KEY, JSON.stringify(attempt));
  location.assign(at);
}

/** come takes in what the provider has sent the person back with. The address loses it at once. */
export async function come(): Promise<void> {
  const said = new URLSearchParams(location.search);
  if (!said.has("state")) return;
  const kept = sessionStorage.getItem(KEY), attempt: Attempt | null = kept === null ? null : JSON.parse(kept);
  sessionStorage.removeItem(KEY); // an attempt is good for one answer
  history.replaceState(null, "", location.pathname + (attempt?.back || location.hash || "#/"));
  dispatchEvent(new HashChangeEvent("hashchange"));
  if (!attempt || said.get("state") !== attempt.state) return; // nothing that this tab has asked for
  const code = said.get("code");
  if (!code) {
    failure.value = said.get("error") ?? "?";
    return;
  }
  try {
    const given = await keyrings.exchangeCode({ code, codeVerifier: attempt.verifier, nonce: attempt.nonce,
      redirectUri: here() });
    before.value = "provider";
    sign({ how: "provider", name: given.displayName, token: given.identityToken,
      expires: Number(given.expireTime?.seconds ?? 0n) * 1000 });
  } catch (thrown) {
    failure.value = refusal(thrown).message;
  }
}
