import type { Signed } from "../person";
import { wordOf } from "./carry";

type Bytes = Uint8Array<ArrayBuffer>;

// What is derived for one purpose is of no use for another. Whoever changes one of these loses all keyrings.
const PRF = bytes("warledger/passkey/prf/1"), BEARER = bytes("warledger/passkey/bearer/1"),
  SEAL = bytes("warledger/passkey/seal/1"), BOUND = bytes("warledger/passkey/keyring/1");

function bytes(text: string): Bytes {
  return new TextEncoder().encode(text);
}

const random = (n: number) => crypto.getRandomValues(new Uint8Array(n));

/**
 * canPasskey reports whether this browser has passkeys that can make secrets (WebAuthn's extension PRF). Passkeys
 * belong to the name of a host, so there are none where the server has only a number.
 */
export async function canPasskey(): Promise<boolean> {
  if (!isSecureContext || /^[\d.]+$|:/.test(location.hostname)) return false;
  const can: Record<string, boolean> | undefined = await window.PublicKeyCredential?.getClientCapabilities?.();
  return !!can?.["extension:prf"];
}

/** NoSecrets is thrown where a passkey makes no secrets: its maker, such as an older security key, cannot. */
export class NoSecrets extends Error {}

/**
 * make makes a passkey, which belongs to this server's name and to nobody by name: the server learns nothing of it.
 * holder helps its person tell it from others.
 */
export async function make(holder: string): Promise<Signed> {
  const called = holder ? `Warledger: ${holder}` : "Warledger";
  const made = (await navigator.credentials.create({ publicKey: {
    rp: { name: "Warledger" }, user: { id: random(32), name: called, displayName: called }, challenge: random(32),
    pubKeyCredParams: [{ type: "public-key", alg: -7 }, { type: "public-key", alg: -257 }], attestation: "none",
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    extensions: { prf: { eval: { first: PRF } } },
  } })) as PublicKeyCredential;
  const { prf } = made.getClientExtensionResults();
  if (!prf?.enabled) throw new NoSecrets();
  // Many tell the secret only when the passkey is used.
  return prf.results?.first ? signedBy(prf.results.first) : use(made.rawId);
}

/** use has the person choose a passkey and makes its secrets. id is that of a certain one. */
export async function use(id?: ArrayBuffer): Promise<Signed> {
  const got = (await navigator.credentials.get({ publicKey: {
    challenge: random(32), allowCredentials: id ? [{ type: "public-key", id }] : [], userVerification: "required",
    extensions: { prf: { eval: { first: PRF } } },
  } })) as PublicKeyCredential;
  const first = got.getClientExtensionResults().prf?.results?.first;
  if (!first) throw new NoSecrets();
  return signedBy(first);
}

/** signedBy derives what opens a keyring, and what encrypts it, from the secret of a passkey. */
async function signedBy(secret: BufferSource): Promise<Signed> {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const derive = async (info: Bytes) => new Uint8Array(await crypto.subtle.deriveBits(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info }, key, 256));
  return { how: "passkey", name: "", token: "wl_k_" + base32(await derive(BEARER)), seal: wordOf(await derive(SEAL)) };
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

// The server spells tokens so.
function base32(bytes: Uint8Array): string {
  let text = "", bits = 0, value = 0;
  for (const b of bytes) {
    value = (value << 8) | b;
    for (bits += 8; bits >= 5; bits -= 5) text += LETTERS[(value >> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits ? text + LETTERS[(value << (5 - bits)) & 31] : text;
}

const IV = 12;

/** encrypt encrypts the contents of a keyring, with a fresh IV in front. */
export async function encrypt(seal: Bytes, text: Bytes): Promise<Bytes> {
  const iv = random(IV), sealed = await crypto.subtle.encrypt(params(iv), await keyOf(seal), text);
  return new Uint8Array([...iv, ...new Uint8Array(sealed)]);
}

/** decrypt reads what [encrypt] wrote. It throws if another key was used, or if something was changed. */
export async function decrypt(seal: Bytes, all: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.decrypt(params(all.slice(0, IV)), await keyOf(seal), all.slice(IV)));
}

const params = (iv: Bytes): AesGcmParams => ({ name: "AES-GCM", iv, additionalData: BOUND });

const keyOf = (seal: Bytes) => crypto.subtle.importKey("raw", seal, "AES-GCM", false,
  ["encrypt", "decrypt"]);
