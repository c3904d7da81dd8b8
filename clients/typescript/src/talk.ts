import { Code, ConnectError } from "@connectrpc/connect";
import { equals } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import type {
  Audience, Message, Report, Talk as TalkState, WatchMessagesResponse,
} from "./gen/warledger/v1/talk_service_pb.js";
import { toError } from "./errors.js";
import type { Game } from "./game.js";
import { after, uuid, wait } from "./retry.js";

// As Audience has them, whose module is fetched with the first call of its service.
const ANY: Audience.UNSPECIFIED = 0, TABLE: Audience.TABLE = 1;

/** Saying is something to say: to the table, unless audience says otherwise. */
export interface Saying {
  text: string;
  audience?: Audience;
  /** Id of the space that it is pinned to, or version of the record; at most one of them. */
  space?: string;
  record?: bigint;
  /** Seat that says it; that of the handle if not given. */
  seat?: string;
  /** Id of the request, a UUID; one is drawn if it is empty. The same request says something once. */
  id?: string;
}

/** ListenOptions say what to listen to. */
export interface ListenOptions {
  /** "spectator", a seat that the caller holds, or empty for all that the caller may read. */
  viewer?: string;
  /** Seconds between signs of life that are asked for; 15 if not given. */
  heartbeat?: number;
  /** Ends the listening. */
  signal?: AbortSignal;
}

/** Heard is one thing that listening brings. One of its fields is set. */
export interface Heard {
  /** A message that is new, or has changed: the record that it is pinned to was undone or brought back. */
  message?: Message;
  /** Name of one that is gone. */
  deleted?: string;
  /** What holds for the talk, at first and when it has changed. */
  talk?: TalkState;
}

/** Codes of errors after which a new stream may do better. */
const MENDABLE = [Code.Unavailable, Code.ResourceExhausted, Code.Canceled, Code.DeadlineExceeded, Code.Aborted,
  Code.Internal, Code.Unknown];

/** Most messages that a stream can begin with. */
const BACKLOG = 500;

/** Talk is what people say to each other in a game. */
export class Talk {
  constructor(private readonly game: Game) {}

  private get service() {
    return this.game.client.services.talk;
  }

  /** say says something. */
  async say({ text, audience = TABLE, space, record, seat, id }: Saying): Promise<Message> {
    const pin = space ? { case: "space" as const, value: space }
      : record ? { case: "record" as const, value: record } : { case: undefined };
    const message = { seat: seat ?? this.game.seat, audience, text, pin };
    const request = { parent: this.game.name, message, requestId: id || uuid() };
    return (await this.game.call((o) => this.service.createMessage(request, o))).message!;
  }

  /** list gives what the caller may read, newest first, of one audience or of all. */
  async *list({ audience = ANY as Audience, viewer = "", pageSize = 0 } = {}): AsyncGenerator<Message, void> {
    for (let pageToken = "";;) {
      const request = { parent: this.game.name, audience, viewer, pageSize, pageToken };
      const page = await this.game.call((o) => this.service.listMessages(request, o));
      yield* page.messages;
      pageToken = page.nextPageToken;
      if (!pageToken) return;
    }
  }

  /** remove deletes a message for everybody, by its name. One that is gone is no error. */
  async remove(name: string): Promise<void> {
    await this.game.call((o) => this.service.deleteMessage({ name }, o));
  }

  /** state is what holds for the talk. */
  async state(): Promise<TalkState> {
    return (await this.game.call((o) => this.service.getTalk({ name: this.game.name + "/talk" }, o))).talk!;
  }

  /** letSpectatorsRead says whether spectators may read what is said at the table; for the owner. */
  async letSpectatorsRead(spectatorsRead: boolean): Promise<TalkState> {
    const request = { name: this.game.name + "/talk", spectatorsRead };
    return (await this.game.call((o) => this.service.updateTalk(request, o))).talk!;
  }

  /** mute hides from a seat what another writes; for the owner, with forAll, the other writes nothing to others. */
  async mute(muted: string, { forAll = false, seat = this.game.seat } = {}): Promise<TalkState> {
    const request = { name: this.game.name, muted, forAll, seat: forAll ? "" : seat };
    return (await this.game.call((o) => this.service.muteSeat(request, o))).talk!;
  }

  /** unmute takes that back. */
  async unmute(muted: string, { forAll = false, seat = this.game.seat } = {}): Promise<TalkState> {
    const request = { name: this.game.name, muted, forAll, seat: forAll ? "" : seat };
    return (await this.game.call((o) => this.service.unmuteSeat(request, o))).talk!;
  }

  /** report tells the owner of a message of somebody else, by its name. */
  async report(name: string, reason: string, seat = this.game.seat): Promise<void> {
    await this.game.call((o) => this.service.reportMessage({ name, reason, seat }, o));
  }

  /** reports lists what was reported, oldest first; for the owner. */
  async reports(): Promise<Report[]> {
    return (await this.game.call((o) => this.service.listReports({ parent: this.game.name }, o))).reports;
  }

  /**
   * listen yields what is said and may be read, the newest five hundred messages first. After a stream has ended, what
   * was said and deleted meanwhile comes, and nothing comes twice. It ends with an error that trying again would not
   * mend.
   */
  async *listen({ viewer = "", heartbeat = 15, signal }: ListenOptions = {}): AsyncGenerator<Heard, void> {
    const known = new Map<string, Message>();
    let talk: TalkState | undefined;
    for (let failures = 1; !signal?.aborted; failures++) {
      const stream = new AbortController(), stop = () => stream.abort();
      signal?.addEventListener("abort", stop);
      let silence: ReturnType<typeof setTimeout> | undefined;
      const alive = () => {
        clearTimeout(silence);
        silence = setTimeout(stop, heartbeat * 2500);
      };
      try {
        alive();
        const o = await this.game.client.options(this.game.tokens, this.game.name,
          { signal: stream.signal, timeoutMs: 0 });
        const request = { parent: this.game.name, viewer, backlog: BACKLOG,
          heartbeat: { seconds: BigInt(Math.floor(heartbeat)), nanos: Math.round((heartbeat % 1) * 1e9) } };
        let came: Map<string, Message> | undefined = new Map();
        for await (const m of this.service.watchMessages(request, o) as AsyncIterable<WatchMessagesResponse>) {
          const { MessageSchema, TalkSchema } = await import("./gen/warledger/v1/talk_service_pb.js");
          alive();
          failures = 0;
          const { kind } = m;
          if (kind.case === "talk" && !(talk && equals(TalkSchema, talk, kind.value))) {
            talk = kind.value;
            yield { talk };
          }
          if (kind.case === "message") came?.set(kind.value.name, kind.value);
          if (kind.case === "message" && !same(MessageSchema, known.get(kind.value.name), kind.value)) {
            known.set(kind.value.name, kind.value);
            yield { message: kind.value };
          }
          if (kind.case === "deleted" && known.delete(kind.value)) yield { deleted: kind.value };
          if (kind.case === "caughtUp") {
            for (const name of gone(known, came!)) if (known.delete(name)) yield { deleted: name };
            came = undefined;
          }
          if (kind.case === "goingAway") break;
        }
      } catch (thrown) {
        if (signal?.aborted) return;
        if (!MENDABLE.includes(ConnectError.from(thrown).code)) throw toError(thrown);
      } finally {
        clearTimeout(silence);
        signal?.removeEventListener("abort", stop);
        stream.abort();
      }
      await wait(after(this.game.client.backoff, Math.max(failures, 1)), signal).catch(() => undefined);
    }
  }
}

function same(schema: GenMessage<Message>, a: Message | undefined, b: Message): boolean {
  return a !== undefined && equals(schema, a, b);
}

/**
 * gone are the messages that a stream does not begin with any more. What is older than its oldest may still be there.
 */
function gone(known: Map<string, Message>, came: Map<string, Message>): string[] {
  const time = (m: Message) => m.createTime!.seconds * 1_000_000_000n + BigInt(m.createTime!.nanos);
  const [first] = came.values();
  return [...known.values()].filter((m) => !came.has(m.name)
    && !(came.size >= BACKLOG && first && time(m) < time(first))).map((m) => m.name);
}
