import { Code, ConnectError } from "@connectrpc/connect";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import type { Reason } from "./reasons.js";

/** FieldFault is what is wrong with one field of a request or of a scenario document. */
export interface FieldFault {
  /** Path of the field ("units[3].hex"). */
  path: string;
  /** What is wrong and what was expected, in English. */
  what: string;
}

/** WarledgerError is an error of the server, in the terms of docs/reference/errors.md, or of the way to it. */
export class WarledgerError extends Error {
  /** Code of gRPC. */
  readonly code: Code;
  /**
   * Reason of docs/reference/errors.md. It is empty if the error came from the network or a proxy, not from the server.
   */
  readonly reason: Reason;
  /**
   * What was wrong and what was expected, in English, with the rule's id at the end. The message is in the language
   * that was asked for.
   */
  readonly english: string;
  /** What is dynamic in the message: rule, pieces, spaces, numbers. */
  readonly facts: Readonly<Record<string, string>>;
  /** What is wrong with single fields. */
  readonly fields: readonly FieldFault[];
  /** How long to wait before trying again, in milliseconds; 0 if the server did not say. */
  readonly retryAfter: number;

  constructor(error: ConnectError) {
    const read = readDetails(error);
    super(read.words || error.rawMessage, { cause: error });
    this.name = "WarledgerError";
    this.code = error.code;
    this.english = error.rawMessage;
    this.reason = read.reason;
    this.facts = read.facts;
    this.fields = read.fields;
    this.retryAfter = read.retryAfter;
  }

  /** Rule that a command breaks ("DF 13.10-4"); empty if no rule is concerned. */
  get rule(): string {
    return this.facts["rule"] ?? "";
  }

  /** Whether the very same request may succeed if it is sent again. */
  get transient(): boolean {
    if (this.code === Code.Unavailable) return true;
    if (this.reason !== "") return false;
    return this.code === Code.DeadlineExceeded || (this.code === Code.Unknown && broken(this.cause));
  }
}

/** Refused is a command that the rules refused. Nothing happened. */
export class Refused extends WarledgerError {
  constructor(error: ConnectError) {
    super(error);
    this.name = "Refused";
  }

  /** Name of the ruleset that the rule belongs to. */
  get ruleset(): string {
    return this.facts["ruleset"] ?? "";
  }

  /** Ids of the pieces concerned. */
  get pieces(): string[] {
    return list(this.facts["pieces"]);
  }

  /** Ids of the spaces concerned. */
  get spaces(): string[] {
    return list(this.facts["spaces"]);
  }
}

/** toError makes a typed error of whatever a call has thrown. */
export function toError(thrown: unknown): WarledgerError {
  if (thrown instanceof WarledgerError) return thrown;
  const error = ConnectError.from(thrown);
  return error.details.some((d) => "type" in d && d.type === "google.rpc.PreconditionFailure") ? new Refused(error)
    : new WarledgerError(error);
}

/** hasReason tells whether something thrown is an error of the server with a reason. */
export function hasReason(thrown: unknown, ...any: Reason[]): thrown is WarledgerError {
  return thrown instanceof WarledgerError && any.includes(thrown.reason);
}

// broken tells whether an error without words of the server comes of the connection: fetch throws TypeErrors for it.
// Others are faults of the program.
function broken(error: unknown): boolean {
  const cause = error instanceof ConnectError ? error.cause : error;
  return !(cause instanceof Error) || cause instanceof TypeError;
}

function list(joined: string | undefined): string[] {
  return joined ? joined.split(",") : [];
}

interface Details {
  reason: string;
  facts: Record<string, string>;
  fields: FieldFault[];
  words: string;
  retryAfter: number;
}

// The messages of google.rpc are few and fixed, so their fields are read by number.
function readDetails(error: ConnectError): Details {
  const read: Details = { reason: "", facts: {}, fields: [], words: "", retryAfter: 0 };
  for (const detail of error.details) {
    if (!("type" in detail) || !("value" in detail) || !(detail.value instanceof Uint8Array)) continue;
    const fields = fieldsOf(detail.value);
    switch (detail.type) {
      case "google.rpc.ErrorInfo": // reason = 1, domain = 2, metadata = 3, a map of strings
        if (text(fields, 2) !== "warledger") break;
        read.reason = text(fields, 1);
        for (const entry of parts(fields, 3)) read.facts[text(entry, 1)] = text(entry, 2);
        break;
      case "google.rpc.BadRequest": // field_violations = 1, of field = 1 and description = 2
        for (const fault of parts(fields, 1)) read.fields.push({ path: text(fault, 1), what: text(fault, 2) });
        break;
      case "google.rpc.LocalizedMessage": // message = 2
        read.words = text(fields, 2);
        break;
      case "google.rpc.RetryInfo": // retry_delay = 1, of seconds = 1 and nanos = 2
        for (const delay of parts(fields, 1)) read.retryAfter = number(delay, 1) * 1000 + number(delay, 2) / 1e6;
        break;
    }
  }
  return read;
}

type Field = [no: number, value: Uint8Array | number];

function fieldsOf(bytes: Uint8Array): Field[] {
  const r = new BinaryReader(bytes), all: Field[] = [];
  while (r.pos < r.len) {
    const [no, type] = r.tag();
    if (type === WireType.LengthDelimited) all.push([no, r.bytes()]);
    else if (type === WireType.Varint) all.push([no, Number(r.int64())]);
    else r.skip(type);
  }
  return all;
}

function text(fields: Field[], no: number): string {
  const found = fields.find(([n, value]) => n === no && typeof value !== "number");
  return found ? new TextDecoder().decode(found[1] as Uint8Array) : "";
}

function number(fields: Field[], no: number): number {
  const found = fields.find(([n, value]) => n === no && typeof value === "number");
  return found ? (found[1] as number) : 0;
}

function parts(fields: Field[], no: number): Field[][] {
  return fields.flatMap(([n, value]) => (n === no && typeof value !== "number" ? [fieldsOf(value)] : []));
}
