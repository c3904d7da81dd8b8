import { Code, ConnectError } from "@connectrpc/connect";
import type { Board } from "./gen/warledger/board/v1/board_pb.js";
import { RecordKind } from "./gen/warledger/log/v1/log_pb.js";
import type { Game as GameState, Record as GameRecord, WatchGameResponse } from "./gen/warledger/v1/game_service_pb.js";
import { alarm } from "./alarm.js";
import { toError, WarledgerError } from "./errors.js";
import type { Game } from "./game.js";
import { after, type Backoff } from "./retry.js";
import { commitsAnyone, isMutual } from "./tableevents.js";

/** Link says how a watch stands. */
export type Link = "catching-up" | "live" | "lost";

/**
 * WatchOptions say what to watch and from where. At most one of after, resumeToken and boardFirst is given; without
 * them it begins with the first record.
 */
export interface WatchOptions {
  /** Version before the first record wanted. */
  after?: bigint;
  /** Where an earlier watch stopped. */
  resumeToken?: string;
  /** Gives the board as it is now, then what follows. */
  boardFirst?: boolean;
  /** "spectator", a seat that the caller holds, or empty for all that the caller may see. */
  viewer?: string;
  /** Adds to each record what is stored of it. */
  proofs?: boolean;
  /**
   * Seconds between signs of life that are asked for; 15 if not given. A stream that is silent for two and a half times
   * as long is begun anew.
   */
  heartbeat?: number;
  /** How long to wait between attempts; as the client does if not given. */
  backoff?: Backoff;
  /** Hears how the watch stands. */
  onLink?(link: Link): void;
  /** Hears why a stream ended, and for how many milliseconds it waits. */
  onLost?(error: WarledgerError | undefined, pause: number): void;
  /** Hears why a link for mutual dice that is owed could not be sent. */
  onUnanswered?(error: unknown): void;
  /** Answers nothing for mutual dice. */
  silent?: boolean;
  /** Ends the watch, with the signal's reason as its error. */
  signal?: AbortSignal;
}

/** Update is one thing that a watch brings: a board, a record or the game when everything older has come. */
export interface Update {
  /** Where to go on from after it. */
  resumeToken: string;
  /** Version of the last record that the watch has covered. */
  version: bigint;
  /** The board as it is at the version, if it was asked for first. */
  board?: Board;
  /** The next record of the log. */
  record?: GameRecord;
  /** The game as it is now. It comes again after each new beginning. */
  caughtUp?: GameState;
}

/** How often in a row a server may leave records out before the watch is given up. */
const GAPS = 3;

/** Gap says that a stream left a record out. */
class Gap extends Error {}

/** Codes of errors after which a new stream may do better. */
const MENDABLE = [Code.Unavailable, Code.ResourceExhausted, Code.Canceled, Code.DeadlineExceeded, Code.Aborted];

/** Codes of errors which a new stream only repeats, even where something other than the server gave them. */
const FINAL = [Code.Unimplemented, Code.NotFound, Code.InvalidArgument, Code.PermissionDenied, Code.Unauthenticated];

/**
 * Watch yields what happens in a game: every record once, in order, without gaps. It resumes where it was after every
 * end of a stream, and notices when one has died without saying so. It ends with an error that trying again would not
 * mend: the game is not there, a token is void. Leaving the loop ends it too; a new loop over the same watch goes on.
 */
export class Watch implements AsyncIterable<Update> {
  private token: string;
  private at: bigint;
  /** Before anything came, whether the version counts. */
  private begun: boolean;
  private caught = false;
  private failures = 0;
  private gaps = 0;
  private stopped = false;
  private heard = 0;
  /** Whether something is expected of the server; while the receiver is busy it is not. */
  private expecting = false;
  private stream: AbortController | undefined;
  private wake: (() => void) | undefined;
  private readonly heartbeat: number;

  constructor(private readonly game: Game, private readonly o: WatchOptions = {}) {
    this.token = o.resumeToken ?? "";
    this.at = o.after ?? 0n;
    this.begun = !o.boardFirst && this.token === "";
    this.heartbeat = o.heartbeat || 15;
  }

  /** stop ends the watch. */
  stop(): void {
    this.stopped = true;
    this.stream?.abort();
    this.wake?.();
  }

  /**
   * hurry looks at once whether the stream has died, and does not wait for the next attempt: the network is back, or
   * somebody is looking.
   */
  hurry(): void {
    this.look();
    this.wake?.();
  }

  /** cut gives the stream up: the network is gone. */
  cut(): void {
    this.o.onLink?.("lost");
    this.stream?.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Update, void> {
    const { signal } = this.o, stop = () => this.stop();
    this.stopped = false;
    signal?.throwIfAborted();
    signal?.addEventListener("abort", stop);
    // A laptop that slept has timers that slept too: what counts is the time since something was heard.
    const clock = setInterval(() => this.look(), Math.min(2000, this.heartbeat * 500));
    try {
      for (;;) {
        let error: WarledgerError | undefined;
        try {
          yield* this.one();
        } catch (thrown) {
          if (!this.stopped) error = this.mendable(thrown);
        }
        signal?.throwIfAborted();
        if (this.stopped) return;
        await this.rest(error);
        signal?.throwIfAborted();
        if (this.stopped) return;
      }
    } finally {
      clearInterval(clock);
      signal?.removeEventListener("abort", stop);
    }
  }

  private look(): void {
    if (this.expecting && Date.now() - this.heard > this.heartbeat * 2500) this.cut();
  }

  // one gives out what one stream brings until it ends.
  private async *one(): AsyncGenerator<Update, void> {
    const stream = new AbortController(), { client } = this.game;
    const given = new Promise<never>((_, fail) => stream.signal.addEventListener("abort",
      () => fail(new ConnectError("the stream was given up", Code.Canceled))));
    given.catch(() => {}); // most streams end by themselves
    this.stream = stream;
    this.caught = false;
    try {
      this.expect(true);
      const options = await client.options(this.game.tokens, this.game.name, { signal: stream.signal, timeoutMs: 0 });
      const messages = client.services.games.watchGame(this.request(), options)[Symbol.asyncIterator]();
      for (;;) {
        this.expect(true);
        const next = await Promise.race([messages.next(), given]);
        this.expect(false);
        if (next.done || this.stopped) return;
        const update = this.take(next.value);
        if (next.value.kind.case === "goingAway") return;
        if (this.stream === stream) this.o.onLink?.(this.caught ? "live" : "catching-up");
        if (!update) continue;
        await this.answer(update);
        yield update;
      }
    } finally {
      this.expect(false);
      stream.abort();
      if (this.stream === stream) this.stream = undefined;
    }
  }

  private expect(on: boolean): void {
    this.heard = Date.now();
    this.expecting = on;
  }

  private request() {
    const start = this.token
      ? ({ case: "resumeToken", value: this.token } as const)
      : this.begun ? ({ case: "afterVersion", value: this.at } as const)
        : ({ case: "boardFirst", value: true } as const);
    return {
      name: this.game.name, start, viewer: this.o.viewer ?? "", languageCode: this.game.language,
        includeProofs: this.o.proofs ?? false,
      heartbeat: { seconds: BigInt(Math.floor(this.heartbeat)), nanos: Math.round((this.heartbeat % 1) * 1e9) },
    };
  }

  // take is what a message brings, if it is anything new.
  private take(m: WatchGameResponse): Update | undefined {
    const place = { resumeToken: m.resumeToken, version: m.version };
    switch (m.kind.case) {
      case "board":
        if (this.begun) return undefined; // it was asked for once
        this.pass(m);
        return { ...place, board: m.kind.value };
      case "record": {
        const { version } = m.kind.value;
        if (this.begun && version <= this.at) return undefined;
        if (this.begun && version > this.at + 1n) throw new Gap(`record ${version} came after ${this.at}`);
        this.pass(m);
        return { ...place, record: m.kind.value };
      }
      default:
        if (this.begun && m.version > this.at)
          throw new Gap(`the server says version ${m.version} after record ${this.at}`);
        this.pass(m);
        if (m.kind.case !== "caughtUp") return undefined; // a heartbeat, or what later servers may say
        this.caught = true;
        return { ...place, caughtUp: m.kind.value.game! };
    }
  }

  // pass keeps where the stream is. Something came, so what went wrong before is over.
  private pass(m: WatchGameResponse): void {
    this.failures = this.gaps = 0;
    if (this.begun && m.version < this.at) return;
    this.at = m.version;
    this.begun = true;
    if (m.resumeToken) this.token = m.resumeToken;
  }

  // answer reveals what is owed for mutual dice, and looks whether the chains of the caller's seats are its own.
  private async answer({ record, caughtUp }: Update): Promise<void> {
    if (this.o.silent || !this.caught || !this.game.client.chains) return;
    if (caughtUp ? !isMutual(caughtUp) : record?.kind !== RecordKind.ASK && !(record && commitsAnyone(record))) return;
    try {
      await this.game.answerDice();
    } catch (thrown) {
      this.o.onUnanswered?.(thrown);
      if (alarm(thrown)) throw thrown;
    }
  }

  // mendable prepares a new stream, or throws if that would not do better.
  private mendable(thrown: unknown): WarledgerError | undefined {
    if (thrown instanceof Gap) {
      this.token = ""; // it may be what is wrong
      if (++this.gaps >= GAPS) throw thrown;
      return undefined;
    }
    if (alarm(thrown)) throw thrown;
    const error = toError(thrown);
    if (error.reason === "RESUME_TOKEN_INVALID" && this.token && this.begun) {
      this.token = ""; // another server, or another viewer since a seat was left: the version is as good
      return error;
    }
    const may = MENDABLE.includes(error.code) || (error.reason === "" && !FINAL.includes(error.code));
    if (!may) {
      this.o.onLink?.("lost");
      throw error;
    }
    return error;
  }

  // rest waits before the next stream.
  private async rest(error: WarledgerError | undefined): Promise<void> {
    const backoff = this.o.backoff ?? this.game.client.backoff;
    const pause = Math.max(after(backoff, ++this.failures), Math.min(error?.retryAfter ?? 0, backoff.longest));
    this.o.onLink?.("lost");
    this.o.onLost?.(error, pause);
    await new Promise<void>((done) => {
      const timer = setTimeout(done, pause);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
    this.wake = undefined;
  }
}
