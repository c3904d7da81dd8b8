import { toError } from "./errors.js";

/**
 * uuid draws a random id of a request, which for some is a secret. crypto.randomUUID is missing where a page came
 * without TLS.
 */
export function uuid(): string {
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6]! & 0x0f) | 0x40;
  b[8] = (b[8]! & 0x3f) | 0x80;
  const hex = [...b].map((x) => x.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/**
 * Backoff is how long to wait between attempts, in milliseconds: at first about the shortest, then twice as long each
 * time.
 */
export interface Backoff {
  shortest: number;
  longest: number;
}

/**
 * after is the time to wait after a number of failures in a row, from 1: somewhere between half and all of a time that
 * doubles, so that many clients who lost the same server do not come back together.
 */
export function after(pause: Backoff, failures: number): number {
  const d = Math.min(pause.shortest * 2 ** Math.min(failures - 1, 30), pause.longest);
  return d / 2 + Math.random() * (d / 2);
}

/** wait waits for a time in milliseconds, or until a signal says that it is no use. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    if (signal?.aborted) return fail(signal.reason);
    const ended = () => {
      clearTimeout(timer);
      fail(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", ended);
      done();
    }, ms);
    signal?.addEventListener("abort", ended, { once: true });
  });
}

/** Retries say how long a call is repeated, in milliseconds, and how often. */
export interface Retries {
  patience: number;
  backoff: Backoff;
  signal?: AbortSignal | undefined;
}

const usual: Retries = { patience: 30_000, backoff: { shortest: 250, longest: 4000 } };

/**
 * again makes a call until the server has answered it, as long as its error is transient. The call must change nothing,
 * or carry an id that stays the same.
 */
export async function again<T>(call: () => Promise<T>, { patience, backoff, signal }: Retries = usual): Promise<T> {
  const begun = Date.now();
  for (let failures = 1; ; failures++) {
    try {
      return await call();
    } catch (thrown) {
      const error = toError(thrown), pause = Math.max(after(backoff, failures), error.retryAfter);
      if (!error.transient || signal?.aborted || Date.now() - begun + pause > patience) throw error;
      await wait(pause, signal);
    }
  }
}
