import { Code } from "@connectrpc/connect";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Computer, ComputerSeat, OfferComputerRequestSchema } from "./gen/warledger/v1/computer_service_pb.js";
import type { Client } from "./client.js";
import { toError } from "./errors.js";
import { after, wait } from "./retry.js";
import { bearer } from "./tokens.js";

/**
 * Offered is one thing that an offer brings: the computer as the server lists it, each time that the stream begins, or
 * a seat that it is to play.
 */
export interface Offered {
  computer?: Computer;
  seat?: ComputerSeat;
}

/** ComputerOffer says what a computer is called and what it plays. */
export type ComputerOffer = Omit<MessageInitShape<typeof OfferComputerRequestSchema>,
  "heartbeat" | "$typeName" | "$unknown">;

/** Seconds between signs of life that are asked for. */
const HEARTBEAT = 15;

/**
 * newAccount draws the token of an account for a computer. Whoever has it is that computer, at every server: keep it as
 * a secret, and use it for one computer only.
 */
export function newAccount(): string {
  const letters = "abcdefghijklmnopqrstuvwxyz234567", random = crypto.getRandomValues(new Uint8Array(32));
  const bits = [...random].map((b) => b.toString(2).padStart(8, "0")).join("");
  return "wl_b_" + bits.match(/.{1,5}/g)!.map((five) => letters[parseInt(five.padEnd(5, "0"), 2)]).join("");
}

/** offer does what Client.offer says. */
export async function* offer(
  client: Client, account: string, request: ComputerOffer, signal?: AbortSignal,
): AsyncGenerator<Offered, void> {
  for (let failures = 0; ; ) {
    const stream = new AbortController(), cut = () => stream.abort();
    signal?.throwIfAborted();
    signal?.addEventListener("abort", cut);
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const whole = { ...request, heartbeat: { seconds: BigInt(HEARTBEAT), nanos: 0 } };
      const messages = client.services.computers.offerComputer(whole,
        { headers: bearer([account]), signal: stream.signal, timeoutMs: 0 })[Symbol.asyncIterator]();
      for (;;) {
        timer = setTimeout(cut, HEARTBEAT * 2500); // the receiver may take its time, the server may not
        const { done, value } = await messages.next();
        clearTimeout(timer);
        if (done || value.kind.case === "goingAway") break;
        failures = 0;
        if (value.kind.case === "offered") yield { computer: value.kind.value };
        else if (value.kind.case === "seat") yield { seat: value.kind.value };
      }
    } catch (thrown) {
      signal?.throwIfAborted();
      if (!mendable(thrown, failures)) throw toError(thrown);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cut);
      stream.abort();
    }
    await wait(after(client.backoff, ++failures), signal);
  }
}

function mendable(thrown: unknown, failures: number): boolean {
  const { code, reason, transient } = toError(thrown);
  if (transient) return true;
  if (reason === "OFFER_REPLACED") return false; // the two would end each other for ever
  if ([Code.ResourceExhausted, Code.Canceled, Code.DeadlineExceeded, Code.Aborted].includes(code)) return true;
  // what a broken connection leaves behind has no reason
  return reason === "" && code === Code.Internal && failures < 3;
}
