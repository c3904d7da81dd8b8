import { Code, ConnectError, createClient, type CallOptions } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { CatalogService } from "./gen/warledger/v1/catalog_service_pb";
import { ComputerService } from "./gen/warledger/v1/computer_service_pb";
import { AccessService } from "./gen/warledger/v1/access_service_pb";
import { DeadlineService } from "./gen/warledger/v1/deadline_service_pb";
import { NotificationService } from "./gen/warledger/v1/notification_service_pb";
import { GameService } from "./gen/warledger/v1/game_service_pb";
import { HistoryService } from "./gen/warledger/v1/history_service_pb";
import { formerOf, seatsOf, tokensOf } from "./wallet";

// The server that served the page answers its calls, on the same port.
const transport = createConnectTransport({ baseUrl: new URL(".", location.href).href.replace(/\/$/, ""), useBinaryFormat: true });

export const catalog = createClient(CatalogService, transport);
export const access = createClient(AccessService, transport);
export const deadlines = createClient(DeadlineService, transport);
export const notices = createClient(NotificationService, transport);
export const computers = createClient(ComputerService, transport);
export const games = createClient(GameService, transport);
export const history = createClient(HistoryService, transport);

/** How long a call may take before it is given up, in milliseconds. */
const PATIENCE = 20_000;

/** Options of a call about a game: all tokens that this browser holds for it, or just some. */
export function as(game: string, extra: CallOptions = {}, tokens = tokensOf(game)): CallOptions {
  const headers: Record<string, string> = tokens.length ? { Authorization: tokens.map((t) => `Bearer ${t}`).join(", ") } : {};
  return { timeoutMs: PATIENCE, ...extra, headers };
}

/** asVoter is as for an answer of a seat that is held here, or was held here last. Such a token opens nothing else, so it goes alone. */
export function asVoter(game: string, seat: string): CallOptions {
  const former = seatsOf(game).includes(seat) ? undefined : formerOf(game, seat);
  return as(game, {}, former ? [former] : undefined);
}

/** Refusal is an error of the server in the terms of docs/reference/errors.md. */
export class Refusal extends Error {
  /** Reason of the table of errors, empty if the call never reached the server. */
  reason = "";
  /** What is dynamic in the message: rule, pieces, spaces, numbers. */
  facts: Record<string, string> = {};
  readonly code: Code;

  constructor(error: ConnectError) {
    super(error.rawMessage);
    this.code = error.code;
    for (const detail of error.details) {
      if (!("type" in detail) || !("value" in detail) || !(detail.value instanceof Uint8Array)) continue;
      if (detail.type === "google.rpc.ErrorInfo") {
        const info = readInfo(detail.value);
        this.reason = info.reason;
        this.facts = info.facts;
      } else if (detail.type === "google.rpc.LocalizedMessage") {
        this.message = readText(detail.value, 2) || this.message;
      }
    }
  }

  /** Rule id that the command breaks, if a rule does. */
  get rule(): string {
    return this.facts["rule"] ?? "";
  }

  /** Whether the very same request may simply be sent again. */
  get passing(): boolean {
    return this.code === Code.Unavailable || (this.reason === "" && (this.code === Code.Unknown || this.code === Code.DeadlineExceeded));
  }
}

/** refusal makes a Refusal of whatever was thrown by a call. */
export function refusal(thrown: unknown): Refusal {
  return thrown instanceof Refusal ? thrown : new Refusal(ConnectError.from(thrown));
}

function readText(bytes: Uint8Array, field: number): string {
  const r = new BinaryReader(bytes);
  while (r.pos < r.len) {
    const [no, type] = r.tag();
    if (no === field) return r.string();
    r.skip(type);
  }
  return "";
}

// google.rpc.ErrorInfo: reason = 1, domain = 2, metadata = 3, a map of strings.
function readInfo(bytes: Uint8Array): { reason: string; facts: Record<string, string> } {
  const r = new BinaryReader(bytes);
  let reason = "";
  const facts: Record<string, string> = {};
  while (r.pos < r.len) {
    const [no, type] = r.tag();
    if (no === 1) reason = r.string();
    else if (no === 3) {
      const entry = r.bytes();
      facts[readText(entry, 1)] = readText(entry, 2);
    } else r.skip(type);
  }
  return { reason, facts };
}

/** uuid makes a random id of a request; crypto.randomUUID is missing where the page came without TLS. */
export function uuid(): string {
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6]! & 0x0f) | 0x40;
  b[8] = (b[8]! & 0x3f) | 0x80;
  const hex = [...b].map((x) => x.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** again makes a call until the server has answered it. The id in the request makes that safe. */
export async function again<T>(call: () => Promise<T>, tries = 6): Promise<T> {
  for (let i = 0; ; i++) {
    try {
      return await call();
    } catch (thrown) {
      const r = refusal(thrown);
      if (!r.passing || i + 1 >= tries) throw r;
      await new Promise((done) => setTimeout(done, Math.min(250 * 2 ** i, 4000)));
    }
  }
}
