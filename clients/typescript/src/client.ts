import { createClient, type CallOptions, type Client as Calls, type Interceptor,
  type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AccessService } from "./gen/warledger/v1/access_service_pb.js";
import type { CatalogService } from "./gen/warledger/v1/catalog_service_pb.js";
import type { CheckpointService } from "./gen/warledger/v1/checkpoint_service_pb.js";
import type { ComputerService, Computer } from "./gen/warledger/v1/computer_service_pb.js";
import type { DeadlineService } from "./gen/warledger/v1/deadline_service_pb.js";
import {
  GameService, type CreateGameRequestSchema, type CreateGameResponse, type Game as GameState,
    type ListGamesRequestSchema,
} from "./gen/warledger/v1/game_service_pb.js";
import type { HistoryService, ImportGameResponse } from "./gen/warledger/v1/history_service_pb.js";
import type { NotificationService } from "./gen/warledger/v1/notification_service_pb.js";
import type { TalkService } from "./gen/warledger/v1/talk_service_pb.js";
import { later } from "./later.js";
import { offer, type Offered, type ComputerOffer } from "./computer.js";
import { toError } from "./errors.js";
import { Game } from "./game.js";
import { again, uuid, type Backoff } from "./retry.js";
import { Wallet, about, bearer, type Chains, type TokenSource } from "./tokens.js";

/** ClientOptions change how a client works. */
export interface ClientOptions {
  /** Where the tokens of games come from; a Wallet of the client's own if not given. */
  tokens?: TokenSource;
  /** Where chains for mutual dice are kept; by default that is the source of tokens, if it keeps chains too. */
  chains?: Chains;
  /** Language of narrations, boards, labels and refusals: a BCP 47 tag such as "en", "ja" or "de". */
  language?: string;
  /** For how long calls are repeated while the server cannot be reached, in milliseconds; 30 seconds if not given. */
  patience?: number;
  /** How long to wait between attempts; a quarter of a second to 4 seconds if not given. */
  backoff?: Backoff;
  /** How long one attempt may take, in milliseconds; 20 seconds if not given. */
  timeout?: number;
  /** The fetch to use in place of the usual one. */
  fetch?: typeof globalThis.fetch;
  /** Interceptors of Connect. */
  interceptors?: Interceptor[];
  /** A transport of Connect in place of the one that uses fetch. */
  transport?: Transport;
}

/** Bytes of a file that one call carries. */
const PART = 1 << 20;

/** Client speaks to a server. Its errors are WarledgerErrors. */
export class Client {
  /** The services as they are, with Connect's errors, without tokens and without retries. */
  readonly services: {
    readonly access: Calls<typeof AccessService>;
    readonly catalog: Calls<typeof CatalogService>;
    readonly checkpoints: Calls<typeof CheckpointService>;
    readonly computers: Calls<typeof ComputerService>;
    readonly deadlines: Calls<typeof DeadlineService>;
    readonly games: Calls<typeof GameService>;
    readonly history: Calls<typeof HistoryService>;
    readonly notices: Calls<typeof NotificationService>;
    readonly talk: Calls<typeof TalkService>;
  };
  /** The transport of Connect, for services that are not among these, such as KeyringService. */
  readonly transport: Transport;
  readonly tokens: TokenSource;
  readonly chains: Chains | undefined;
  readonly language: string;
  readonly patience: number;
  readonly backoff: Backoff;
  readonly timeout: number;

  /**
   * address is that of the server's web port, as in "http://localhost:7482" or "https://games.example". Without a
   * scheme the connection is encrypted, unless the server is on this host.
   */
  constructor(address: string, o: ClientOptions = {}) {
    const baseUrl = baseOf(address);
    const transport = this.transport = o.transport ?? createConnectTransport({
      baseUrl, useBinaryFormat: true, ...(o.fetch && { fetch: o.fetch }),
        ...(o.interceptors && { interceptors: o.interceptors }),
    });
    this.services = {
      access: later(transport, async () => (await import("./gen/warledger/v1/access_service_pb.js")).AccessService),
      catalog: later(transport, async () => (await import("./gen/warledger/v1/catalog_service_pb.js")).CatalogService),
      checkpoints: later(transport,
        async () => (await import("./gen/warledger/v1/checkpoint_service_pb.js")).CheckpointService),
      computers: later(transport,
        async () => (await import("./gen/warledger/v1/computer_service_pb.js")).ComputerService),
      deadlines: later(transport,
        async () => (await import("./gen/warledger/v1/deadline_service_pb.js")).DeadlineService),
      games: createClient(GameService, transport),
      history: later(transport, async () => (await import("./gen/warledger/v1/history_service_pb.js")).HistoryService),
      notices: later(transport,
        async () => (await import("./gen/warledger/v1/notification_service_pb.js")).NotificationService),
      talk: later(transport, async () => (await import("./gen/warledger/v1/talk_service_pb.js")).TalkService),
    };
    this.tokens = o.tokens ?? new Wallet();
    this.chains = o.chains ?? ("keepChain" in this.tokens ? (this.tokens as TokenSource & Chains) : undefined);
    this.language = o.language ?? "";
    this.patience = o.patience ?? 30_000;
    this.backoff = o.backoff ?? { shortest: 250, longest: 4000 };
    this.timeout = o.timeout ?? 20_000;
  }

  /**
   * game makes a handle; the server is not asked. name is "games/{game}" or the id alone. seat is the seat to act for;
   * empty for whoever holds just one, or none.
   */
  game(name: string, seat = ""): Game {
    return new Game(this, name, seat);
  }

  /** options are those of a call about a game, with the tokens of a source. */
  async options(tokens: TokenSource | undefined, game: string, extra: CallOptions = {}): Promise<CallOptions> {
    const held = tokens && game ? await tokens.tokens(game) : [];
    return { timeoutMs: this.timeout, ...extra, headers: { ...about(game), ...(held.length && bearer(held)) } };
  }

  /**
   * call makes a call that may be repeated, because it changes nothing or carries an id of its own, and repeats it
   * after transient failures.
   */
  call<T>(make: (options: CallOptions) => Promise<T>, tokens?: TokenSource, game = "",
    extra: CallOptions = {}): Promise<T> {
    return again(async () => make(await this.options(tokens, game, extra)),
      { patience: this.patience, backoff: this.backoff, signal: extra.signal });
  }

  /** create begins a game, whose owner's token is kept. A request without an id gets one. */
  async create(request: MessageInitShape<typeof CreateGameRequestSchema>): Promise<CreateGameResponse> {
    const whole = { ...request, requestId: request.requestId || uuid() };
    const created = await this.call((o) => this.services.games.createGame(whole, o));
    await this.tokens.keep?.(created.game!.name, "", created.ownerToken);
    return created;
  }

  /** list yields games by id. */
  async *list(request: MessageInitShape<typeof ListGamesRequestSchema> = {}): AsyncGenerator<GameState, void> {
    for (let pageToken = request.pageToken ?? ""; ; ) {
      const page = await this.call((o) => this.services.games.listGames({ ...request, pageToken }, o));
      yield* page.games;
      pageToken = page.nextPageToken;
      if (!pageToken) return;
    }
  }

  /**
   * computers lists the computer players that are on offer for a ruleset ("rulesets/{ruleset}") and a scenario of it;
   * empty for any.
   */
  async computers(ruleset = "", scenario = ""): Promise<Computer[]> {
    const request = { ruleset, scenario, languageCode: this.language };
    return (await this.call((o) => this.services.computers.listComputers(request, o))).computers;
  }

  /**
   * offer offers a computer, with the token of its account, until it is left or the signal is given. A stream that
   * breaks is begun anew, and seats come again that were told before. It ends with an error that waiting does not mend,
   * such as a name that is taken.
   */
  offer(account: string, request: ComputerOffer, signal?: AbortSignal): AsyncGenerator<Offered, void> {
    return offer(this, account, request, signal);
  }

  /**
   * import sends a file, as Game.export gives it. The response has the game and the token of its owner, who is the
   * caller; it is kept. onProgress hears which share of the file has been sent. A server that forgot what came before
   * says where it has come to, and gets the rest once more.
   */
  async import(file: Blob | Uint8Array<ArrayBuffer>,
    onProgress: (share: number) => void = () => {}): Promise<ImportGameResponse> {
    const whole = file instanceof Blob ? file : new Blob([file]), requestId = uuid();
    for (let at = 0, gaps = 0; ; ) {
      const data = new Uint8Array(await whole.slice(at, at + PART).arrayBuffer()),
        last = at + data.length >= whole.size;
      onProgress(at / Math.max(whole.size, 1));
      try {
        const answer =
          await this.call((o) => this.services.history.importGame({ requestId, offset: BigInt(at), data, last },
          { ...o, timeoutMs: 600_000 }));
        if (last) {
          await this.tokens.keep?.(answer.game!.name, "", answer.ownerToken);
          return answer;
        }
        at += data.length;
      } catch (thrown) {
        const error = toError(thrown), received = Number(error.facts["received"]);
        if (error.reason !== "IMPORT_GAP" || !(received >= 0 && received <= whole.size) || ++gaps > 3) throw error;
        at = received;
      }
    }
  }
}

// baseOf makes a URL of an address. Tokens go over it, so without a scheme it is encrypted; on this host nobody else
// reads along.
function baseOf(address: string): string {
  if (/^https?:\/\//i.test(address)) return address.replace(/\/+$/, "");
  const { hostname } = new URL(`http://${address}`), here = hostname === "localhost" || hostname === "[::1]"
    || /^127(\.\d+){3}$/.test(hostname);
  return `${here ? "http" : "https"}://${address.replace(/\/+$/, "")}`;
}
