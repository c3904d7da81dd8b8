import type { CallOptions } from "@connectrpc/connect";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import type { Action } from "./gen/warledger/board/v1/board_pb.js";
import type {
  AuditGameResponse, Game as GameState, GetBoardResponse, GetPositionResponse, ListLegalActionsResponse,
    NextQuerySchema, Record as GameRecord,
  SubmitCommandResponse, TakeSeatResponse,
} from "./gen/warledger/v1/game_service_pb.js";
import type { BattleForceSchema, CalculateBattleResponse } from "./gen/warledger/v1/battle_pb.js";
import type { ForkGameRequestSchema, ForkGameResponse } from "./gen/warledger/v1/history_service_pb.js";
import type { PreviewCommandResponse } from "./gen/warledger/v1/preview_pb.js";
import type { Client } from "./client.js";
import { hasReason, toError } from "./errors.js";
import { uuid } from "./retry.js";
import type { Wish } from "./takenback.js";
import { Table, timestampOf } from "./table.js";
import { tableEventsOf } from "./tableevents.js";
import { Talk } from "./talk.js";
import type { TokenSource } from "./tokens.js";
import { Watch, type WatchOptions } from "./watch.js";

// dice is the code for mutual dice, which a page fetches when a game first needs it.
const dice = () => import("./dice.js");

/** Look says which position to show, and to whom. */
export interface Look {
  /** Version of the record after which to look; the current position if not given. */
  version?: bigint;
  /** "spectator", a seat that the caller holds, or empty for all that the caller may see. */
  viewer?: string;
  /** Adds the map to a board. */
  withMap?: boolean;
}

/** LogQuery says which part of the log to list. */
export interface LogQuery {
  /** Version before the first record wanted. */
  after?: bigint;
  /** Adds records that were undone; otherwise the line to the head is listed. */
  wholeTree?: boolean;
  /** As in Look. */
  viewer?: string;
  /** Adds to each record what is stored of it. */
  proofs?: boolean;
  /** How many records a call asks for. */
  pageSize?: number;
}

/** LegalQuery narrows a list of legal actions. */
export interface LegalQuery {
  /** Kind of command. */
  kind?: string;
  /** Piece that must act. */
  piece?: string;
  /** Space that the command must aim at. */
  space?: string;
  /** Adds the ruleset's message of each command. */
  typed?: boolean;
  /** How many actions a call asks for. */
  pageSize?: number;
}

/** LegalAction is one thing that the seat may do. */
export type LegalAction = Action & {
  /** The ruleset's message, if asked for. */
  typed?: Any;
  /** Version of the last record: what to expect when sending it. */
  version: bigint;
  /** Place of the action in its list, from 0, and how many there are. */
  index: number;
  total: number;
};

/** MoveOptions say how a command is sent. */
export interface MoveOptions {
  /** Version of the last record that the caller knows; with a later one the command is refused (VERSION_CONFLICT). */
  expected?: bigint;
  /** Values of manual dice, in order. */
  dice?: number[];
  /** Only asks what the answer would be. Nothing happens. */
  checkOnly?: boolean;
  /** Id of the command; a random one if empty. Keep it to repeat the command safely after a crash. */
  id?: string;
  /** Does not wait for mutual dice. The answer then has the record that asks for them. */
  pending?: boolean;
  /** Also asks what the seat may do after the command: Game.nextLegal reads it from the answer. */
  next?: boolean | MessageInitShape<typeof NextQuerySchema>;
  signal?: AbortSignal;
}

/** PreviewOptions say how to look ahead. */
export interface PreviewOptions {
  /** As in MoveOptions. */
  expected?: bigint;
  /** Policies for the choices within forecasts, by id. Those left out have their defaults. */
  policies?: Record<string, string>;
}

/** BattleOptions describe a battle to calculate. What is left out is taken from the position. */
export interface BattleOptions {
  /** Kind of battle, as a form lists it. */
  kind?: string;
  /** The sides. */
  attacker?: MessageInitShape<typeof BattleForceSchema>;
  defender?: MessageInitShape<typeof BattleForceSchema>;
  /** As in PreviewOptions. */
  policies?: Record<string, string>;
  /** As in Look. */
  version?: bigint;
  viewer?: string;
}

/** Game is a game as the holder of a seat, or a spectator, sees and plays it. */
export class Game extends Table {
  /** What people say to each other in the game. */
  readonly talk = new Talk(this);

  constructor(client: Client, name: string, seat = "", language?: string, tokens?: TokenSource) {
    super(client, name.startsWith("games/") ? name : `games/${name}`, seat, language ?? client.language,
      tokens ?? client.tokens);
  }

  /** as returns the game as another seat plays it. */
  as(seat: string): Game {
    return new Game(this.client, this.name, seat, this.language, this.tokens);
  }

  /** inLanguage returns the game with narrations, boards and labels in a language: a tag such as "ja" or "de". */
  inLanguage(language: string): Game {
    return new Game(this.client, this.name, this.seat, language, this.tokens);
  }

  /** withTokens returns the game with tokens of its own instead of the client's. */
  withTokens(tokens: TokenSource): Game {
    return new Game(this.client, this.name, this.seat, this.language, tokens);
  }

  /**
   * take takes a seat under a name to be known by, and keeps its token and, in a game with mutual dice, its chain. If
   * the seat is taken, but the server's answer has another chain, it throws ChainReplaced.
   */
  async take(seat: string, holder: string): Promise<TakeSeatResponse> {
    const request = { name: this.name, seat, holder, requestId: uuid() };
    const take = (more = {}) => this.call((o) => this.games.takeSeat({ ...request, ...more }, o));
    let taken: TakeSeatResponse, chained = false;
    try {
      taken = await take();
    } catch (thrown) {
      if (!hasReason(thrown, "CHAIN_REQUIRED") || !this.client.chains) throw thrown;
      chained = true;
      taken = await take({ chain: await this.coming(seat) });
    }
    await this.tokens.keep?.(this.name, seat, taken.seatToken);
    if (chained) await (await dice()).checkChain(this, taken.game!, seat);
    return taken;
  }

  // coming makes the chain for a seat. The token of the seat's last holder takes it and shows nothing, so the game may
  // have to be read without.
  private async coming(seat: string): Promise<{ anchor: Uint8Array; length: number }> {
    try {
      return await (await dice()).comingChain(this, await this.get(), seat, true);
    } catch (thrown) {
      if (!hasReason(thrown, "TOKEN_REVOKED")) throw thrown;
      const reader = this.withTokens({ tokens: () => [] });
      return (await dice()).comingChain(reader, await reader.get(), seat, true);
    }
  }

  /**
   * join takes a seat with an invitation to it, in games whose owner says who may play. No other token will do: whoever
   * made it could take the seat away.
   */
  async join(seat: string, holder: string, invitation: string): Promise<TakeSeatResponse> {
    if (!/^wl_[jg]_/.test(invitation)) throw new Error("this token is no invitation: those begin with wl_j_");
    const { tokens } = this;
    const invited = this.withTokens({ tokens: async (game) => [...(await tokens.tokens(game)), invitation],
      keep: (...kept) => tokens.keep?.(...kept) });
    return invited.take(seat, holder);
  }

  /**
   * submit sends a command, in notation or as the ruleset's message, and returns the record that it made. It is safe
   * to repeat with the same id. It throws Refused if the rules forbid the command. If the command needs mutual dice,
   * submit answers for the caller's own seats and waits for the others. If the game ends first, the answer is still
   * pending.
   */
  async submit(command: string | Any,
    { expected, dice, checkOnly, id, pending, next, signal }: MoveOptions = {}): Promise<SubmitCommandResponse> {
    const request = {
      name: this.name, seat: this.seat, commandId: id || uuid(), form: formOf(command), languageCode: this.language,
      manualDice: dice ?? [], validateOnly: checkOnly ?? false,
      ...(expected !== undefined && { expectedVersion: expected }), ...(next && { next: next === true ? {} : next }),
    };
    const send = () => this.call((o) => this.games.submitCommand(request, o), signal && { signal });
    const answer = await send();
    if (!answer.pending || pending) return answer;
    return this.awaitDice(answer, request.commandId, send, signal);
  }

  // awaitDice waits until a command that needs mutual dice is carried out.
  private async awaitDice(
    pending: SubmitCommandResponse, id: string, send: () => Promise<SubmitCommandResponse>, signal?: AbortSignal,
  ): Promise<SubmitCommandResponse> {
    const asked = pending.record!.version;
    for await (const { record, caughtUp } of this.watch({ after: asked, ...(signal && { signal }) })) {
      if (caughtUp?.over) break; // the command itself may have ended the game
      if (record && endsGame(record)) return { ...pending, game: await this.get() };
      if (record?.asked === asked && record.commandId === id) break;
    }
    try {
      return await send();
    } catch (thrown) {
      if (!hasReason(thrown, "GAME_OVER")) throw thrown;
      return { ...pending, game: await this.get() };
    }
  }

  /**
   * legal yields the answers to what the seat is asked, page by page; offers are not among them. When the game moves on
   * between two pages the list begins anew, with another version and index 0: drop what came before, as listLegal does.
   */
  legal(query: LegalQuery = {}): AsyncGenerator<LegalAction, void> {
    return this.legalFrom(query);
  }

  private async *legalFrom(query: LegalQuery, page?: ListLegalActionsResponse): AsyncGenerator<LegalAction, void> {
    for (let pageToken = "", index = 0; ; ) {
      try {
        page ??= await this.page(query, pageToken);
      } catch (thrown) {
        if (!hasReason(thrown, "VERSION_CONFLICT") || !pageToken) throw thrown;
        pageToken = "";
        index = 0;
        continue;
      }
      for (const [i, action] of page.actions.entries())
        yield listed(action, page.commands[i], page.version, index++, page.totalSize);
      pageToken = page.nextPageToken;
      if (!pageToken) return;
      page = undefined;
    }
  }

  private page({ kind = "", piece = "", space = "", typed = false, pageSize = 0 }: LegalQuery,
    pageToken: string): Promise<ListLegalActionsResponse> {
    const request = { name: this.name, seat: this.seat, kind, piece, space, includeCommands: typed, pageSize, pageToken,
      languageCode: this.language };
    return this.call((o) => this.games.listLegalActions(request, o));
  }

  /**
   * listLegal collects the answers to what the seat is asked, all of one version. It is empty for a seat that is not
   * asked, and never holds an offer.
   */
  listLegal(query: LegalQuery = {}): Promise<LegalAction[]> {
    return collect(this.legalFrom(query));
  }

  /**
   * nextLegal returns what listLegal does, from the answer to a command that asked for it with next. It calls the
   * server only if not all of it was in the answer. The game may have moved on by then.
   */
  nextLegal(answer: SubmitCommandResponse, query: Pick<LegalQuery, "typed" | "pageSize"> = {}): Promise<LegalAction[]> {
    return collect(this.legalFrom(query, answer.next?.legal));
  }

  /**
   * offers yields what the seat may say outside the game's questions, such as to concede. A program asks its player
   * once more before it sends one with confirm set, as that may end the game; a bot leaves offers alone.
   */
  async *offers(query: LegalQuery = {}): AsyncGenerator<LegalAction, void> {
    const all: [Action, Any | undefined, bigint][] = [];
    for (let pageToken = ""; ; ) {
      try {
        const page = await this.page(query, pageToken);
        for (const [i, action] of page.offers.entries()) all.push([action, page.offerCommands[i], page.version]);
        pageToken = page.actions.length ? "" : page.nextPageToken;
        if (!pageToken) break;
      } catch (thrown) {
        if (!hasReason(thrown, "VERSION_CONFLICT") || !pageToken) throw thrown;
        pageToken = "";
        all.length = 0;
      }
    }
    for (const [index, [action, typed, version]] of all.entries())
      yield listed(action, typed, version, index, all.length);
  }

  /**
   * preview says what a command of the seat would cost and lead to, and with what chances. Nothing happens. It throws
   * Refused if the rules forbid the command.
   */
  preview(command: string | Any, { expected, policies = {} }: PreviewOptions = {}): Promise<PreviewCommandResponse> {
    const request = {
      name: this.name, seat: this.seat, form: formOf(command), policies, languageCode: this.language,
        ...(expected !== undefined && { expectedVersion: expected }),
    };
    return this.call((o) => this.games.previewCommand(request, o));
  }

  /**
   * battle calculates a battle in any space. A side that is left out is taken from the position. The form in the answer
   * can be changed and sent again.
   */
  battle(space: string, options: BattleOptions = {}): Promise<CalculateBattleResponse> {
    const { kind = "", attacker, defender, policies = {}, version = 0n, viewer = "" } = options;
    const request = { name: this.name, space, kind, policies, version, viewer, languageCode: this.language,
      ...(attacker && { attacker }), ...(defender && { defender }) };
    return this.call((o) => this.games.calculateBattle(request, o));
  }

  /** board returns the board of a position. */
  board({ version = 0n, viewer = "", withMap = false }: Look = {}): Promise<GetBoardResponse> {
    return this.call((o) =>
      this.games.getBoard({ name: this.name, version, viewer, includeMap: withMap, languageCode: this.language }, o));
  }

  /** position returns the ruleset's typed position. */
  position({ version = 0n, viewer = "" }: Look = {}): Promise<GetPositionResponse> {
    return this.call((o) => this.games.getPosition({ name: this.name, version, viewer }, o));
  }

  /** records yields the log, oldest first. */
  async *records({ after = 0n, wholeTree = false, viewer = "", proofs = false,
    pageSize = 200 }: LogQuery = {}): AsyncGenerator<GameRecord, void> {
    const request = { name: this.name, afterVersion: after, wholeTree, viewer, includeProofs: proofs, pageSize,
      languageCode: this.language };
    for (let pageToken = ""; ; ) {
      const page = await this.call((o) => this.games.listRecords({ ...request, pageToken }, o));
      yield* page.records;
      pageToken = page.nextPageToken;
      if (!pageToken) return;
    }
  }

  /** watch follows the game, and answers for the seats that are held when mutual dice are asked for. */
  watch(options: WatchOptions = {}): Watch {
    return new Watch(this, options);
  }

  /**
   * audit has the server check the game's chain and dice and decide every command again. It yields what the server
   * says, the summary last.
   */
  async *audit(): AsyncGenerator<AuditGameResponse, void> {
    yield* this.stream((o) => this.games.auditGame({ name: this.name }, o));
  }

  /**
   * export yields the whole game as the parts of one file, as far as the caller may see it. After an error the file is
   * not whole.
   */
  async *export(): AsyncGenerator<Uint8Array, void> {
    for await (const { data } of this.stream((o) => this.games.exportGame({ name: this.name }, o))) yield data;
  }

  /**
   * fork begins a game of its own from a version of this one, the current one if not given. All tokens of the response
   * are kept.
   */
  async fork(fork: Omit<MessageInitShape<typeof ForkGameRequestSchema>,
    "name" | "requestId" | "$typeName"> = {}): Promise<ForkGameResponse> {
    const request = { ...fork, name: this.name, requestId: uuid() };
    const forked = await this.call((o) => this.client.services.history.forkGame(request, o));
    for (const [seat, token] of [["", forked.ownerToken] as const, ...Object.entries(forked.seatTokens)]) {
      if (token) await this.tokens.keep?.(forked.game!.name, seat, token);
    }
    return forked;
  }

  /**
   * versionOf returns the version with which a game turn begins on the line to the current position, or the last one at
   * a given time.
   */
  async versionOf(at: number | Date): Promise<bigint> {
    const place = typeof at === "number" ? ({ case: "turn", value: at } as const)
      : ({ case: "time", value: timestampOf(at) } as const);
    return (await this.call((o) => this.client.services.history.resolveVersion({ name: this.name, at: place }, o)))
      .version;
  }

  /**
   * answerDice reveals what seats owe for mutual dice, for each seat whose chain is kept here, and returns the game
   * afterwards. It throws LogInconsistent, and reveals nothing, if the server may be choosing the dice; ThrowTakenBack
   * if an undo since took back a throw that the seat had a part in and its player did not agree to that with this
   * client; NoChain if the handle's own seat owes a link that is not here. Whether or not a link is owed, it throws
   * ChainReplaced if the server has another chain for a seat than the one that is kept. watch and submit do it by
   * themselves.
   */
  async answerDice(): Promise<GameState> {
    return (await dice()).answerDice(this);
  }

  /**
   * commitChain makes and keeps a chain for a seat that is about to be taken, and returns its public part. It is for a
   * program that takes the seat itself.
   */
  async commitChain(seat: string, state: GameState): Promise<{ anchor: Uint8Array; length: number }> {
    return (await dice()).comingChain(this, state, seat, true);
  }

  /**
   * renewChain commits the seat to a new chain for mutual dice, if the token is here and the chain elsewhere. It throws
   * LogInconsistent if a chain was kept here before and the server's log does not go on from what was seen with it, and
   * ThrowTakenBack as answerDice does.
   */
  async renewChain(): Promise<GameState> {
    return (await dice()).renewChain(this);
  }

  override async consents(wish: Wish): Promise<bigint> {
    return (await dice()).consents(this, wish);
  }

  override async leaving<T>(seat: string, send: (requestId: string) => Promise<T>, id?: string): Promise<T> {
    return (await dice()).leaving(this, seat, send, id);
  }

  override async refused(thrown: unknown, wish: Wish): Promise<void> {
    return (await dice()).refused(this, thrown, wish);
  }

  /**
   * acceptUndo lets the seat go on after ThrowTakenBack: the player agreed to that undo with another program, or
   * accepts it now. It tells the server nothing.
   */
  async acceptUndo(undo: bigint): Promise<void> {
    return (await dice()).acceptUndo(this, undo);
  }

  /**
   * forgetChain forgets the chain of the seat, and what it knows of the log, so that nothing here answers until
   * renewChain. It is for a player who knows that another program of theirs answers, or why the server's log differs.
   */
  async forgetChain(): Promise<void> {
    return (await dice()).forgetChain(this);
  }

  private async *stream<T>(open: (options: CallOptions) => AsyncIterable<T>): AsyncGenerator<T, void> {
    const ended = new AbortController();
    try {
      yield* open(await this.client.options(this.tokens, this.name, { signal: ended.signal, timeoutMs: 0 }));
    } catch (thrown) {
      throw toError(thrown);
    } finally {
      ended.abort();
    }
  }
}

/**
 * endsGame reports whether a record is the last that a watcher of a game needs: the game is over and its secrets are
 * released.
 */
export function endsGame(r: GameRecord): boolean {
  return tableEventsOf(r).some((e) => e.event.case === "secretsReleased");
}

function formOf(command: string | Any) {
  return typeof command === "string" ? ({ case: "notation", value: command } as const)
    : ({ case: "command", value: command } as const);
}

function listed(action: Action, typed: Any | undefined, version: bigint, index: number, total: number): LegalAction {
  return Object.assign(action, { version, index, total }, typed && { typed });
}

// collect keeps the actions of one version.
async function collect(list: AsyncIterable<LegalAction>): Promise<LegalAction[]> {
  const all: LegalAction[] = [];
  for await (const a of list) {
    if (a.index === 0) all.length = 0;
    all.push(a);
  }
  return all;
}
