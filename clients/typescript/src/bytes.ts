import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";

// Hashed bytes are made of these parts; docs/reference/log-format.md has the notation. A library computes the hashes,
// because browsers have none of their own on pages without TLS.

export { sha256 };

/** hmacOf is HMAC-SHA-256. */
export function hmacOf(key: Uint8Array, message: Uint8Array): Uint8Array {
  return hmac(sha256, key, message);
}

/** field is bytes, or a text, after its length. */
export function field(x: string | Uint8Array): Uint8Array {
  const bytes = typeof x === "string" ? new TextEncoder().encode(x) : x;
  return join(u32(bytes.length), bytes);
}

export function u32(n: number): Uint8Array {
  const b = new Uint8Array(4);
  new DataView(b.buffer).setUint32(0, n);
  return b;
}

export function u64(n: bigint): Uint8Array {
  const b = new Uint8Array(8);
  new DataView(b.buffer).setBigUint64(0, n);
  return b;
}

export function join(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) {
    all.set(p, at);
    at += p.length;
  }
  return all;
}

export function hex(bytes: Uint8Array): string {
  return [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
}

export function unhex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));
}
