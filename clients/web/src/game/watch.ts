import type { WatchGameResponse } from "../gen/warledger/v1/game_service_pb";
import { as, games, refusal, type Refusal } from "../wire";

/** Seconds between signs of life that are asked for, and how long silence may last before the connection counts as dead. */
const HEARTBEAT = 8, SILENCE = 20;

/** How the watch stands. */
export type Link = "connecting" | "catching-up" | "live" | "lost";

interface Told {
  message(m: WatchGameResponse): void;
  link(l: Link): void;
  /** The watch cannot go on: the token is void or the game gone. */
  failed(r: Refusal): void;
}

/** Watch follows a game for ever: it resumes where it was after every end of a stream, and notices when one has died without saying so. */
export class Watch {
  private token = "";
  private last = 0n;
  private stopped = false;
  private caughtUp = false;
  private heard = Date.now();
  private stream: AbortController | null = null;
  private wake: (() => void) | null = null;
  private readonly clock: ReturnType<typeof setInterval>;

  constructor(private readonly game: string, private readonly viewer: string, private readonly language: string, private readonly told: Told) {
    this.clock = setInterval(() => this.look(), 2000);
    addEventListener("online", this.hurry);
    addEventListener("offline", this.cut);
    document.addEventListener("visibilitychange", this.hurry);
    void this.run();
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.clock);
    removeEventListener("online", this.hurry);
    removeEventListener("offline", this.cut);
    document.removeEventListener("visibilitychange", this.hurry);
    this.stream?.abort();
    this.wake?.();
  }

  private readonly hurry = (): void => {
    this.look();
    this.wake?.();
  };

  private readonly cut = (): void => {
    this.told.link("lost");
    this.stream?.abort();
  };

  // A laptop that slept has timers that slept too: what counts is the time since something was heard.
  private look(): void {
    if (this.stream && Date.now() - this.heard > SILENCE * 1000) this.cut();
  }

  private async run(): Promise<void> {
    for (let tries = 0; !this.stopped; ) {
      this.stream = new AbortController();
      this.heard = Date.now();
      this.caughtUp = false;
      try {
        for await (const m of games.watchGame(this.request(), as(this.game, { signal: this.stream.signal, timeoutMs: 0 }))) {
          tries = 0;
          this.take(m);
        }
      } catch (thrown) {
        const r = refusal(thrown);
        if (this.stopped) return;
        if (r.reason === "RESUME_TOKEN_INVALID") this.token = "";
        else if (r.reason && !r.passing && r.reason !== "CANCELED" && r.reason !== "RATE_LIMITED" && r.reason !== "TOO_MANY_WATCHERS") {
          this.told.link("lost");
          this.told.failed(r);
          return;
        }
      }
      this.stream = null;
      if (this.stopped) return;
      this.told.link("lost");
      await this.pause(Math.min(400 * 2 ** tries++, 8000));
    }
  }

  private request() {
    const start = this.token ? ({ case: "resumeToken", value: this.token } as const) : ({ case: "afterVersion", value: this.last } as const);
    return { name: this.game, start, viewer: this.viewer, languageCode: this.language, heartbeat: { seconds: BigInt(HEARTBEAT) } };
  }

  private take(m: WatchGameResponse): void {
    this.heard = Date.now();
    this.token = m.resumeToken;
    // A record that the last stream brought already, after a start by version instead of by token.
    if (m.kind.case === "record" && m.kind.value.version <= this.last) return;
    if (m.version > this.last) this.last = m.version;
    if (m.kind.case === "caughtUp") this.caughtUp = true;
    this.told.link(this.caughtUp ? "live" : "catching-up");
    this.told.message(m);
  }

  private pause(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.wake = () => {
        clearTimeout(timer);
        this.wake = null;
        done();
      };
    });
  }
}
