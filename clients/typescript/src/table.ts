import type { CallOptions } from "@connectrpc/connect";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DeadlinesSchema } from "./gen/warledger/log/v1/deadline_pb.js";
import type { NoticeKind } from "./gen/warledger/log/v1/notice_pb.js";
import type { CreateTokenResponse, Rights, Token } from "./gen/warledger/v1/access_service_pb.js";
import type { Game as GameState } from "./gen/warledger/v1/game_service_pb.js";
import type { Mailbox, PingWebhookResponse, Webhook } from "./gen/warledger/v1/notification_service_pb.js";
import type { Client } from "./client.js";
import { uuid } from "./retry.js";
import type { Shown, Wish } from "./takenback.js";
import type { TokenSource } from "./tokens.js";

// As Rights has them, whose module is fetched with the first call of its service.
const OWN: Rights.OWN = 3, JOIN: Rights.JOIN = 4;

/** Grant says what a token shall open that is made of another. */
export interface Grant {
  /** To see or to act for the handle's seat, to take it, or to do what the owner may. */
  rights: Rights;
  /** When the token becomes void: in the future, and within a year. */
  expires: Date;
  /** What it is for, at most 80 characters. */
  note?: string;
  /** Id of the request, a random UUID and as secret as the token, which it gets again; one is drawn if it is empty. */
  id?: string;
}

/** Hook says where the server shall post what happens. */
export interface Hook {
  /** Where to: https, unless the server lets others through. */
  url: string;
  /** What to tell of; everything if empty. */
  kinds?: NoticeKind[];
  /** What it is for, at most 80 characters. */
  note?: string;
  /** Secret to sign with ("whsec_..."); the server draws one if it is empty. */
  secret?: string;
  /** As in Grant. */
  id?: string;
}

/** Voted is the outcome of an answer to the others, or of a question to them. */
export interface Voted {
  game: GameState;
  /** Whether it holds at once: all have agreed, or nobody had to. */
  done: boolean;
}

/**
 * Table is what happens at the table of a game: who sits there, who may see what, and what is asked of each other. A
 * Game is one.
 */
export abstract class Table {
  protected constructor(
    readonly client: Client,
    /** "games/{game}". */
    readonly name: string,
    /** Seat that the handle acts for; may be empty. */
    readonly seat: string,
    readonly language: string,
    readonly tokens: TokenSource,
  ) {}

  /** call makes a call about the game, with the tokens that are held, and repeats it after transient failures. */
  call<T>(make: (options: CallOptions) => Promise<T>, extra?: CallOptions): Promise<T> {
    return this.client.call(make, this.tokens, this.name, extra);
  }

  protected get games() {
    return this.client.services.games;
  }

  /** get is the game's summary: seats, version, for whom it waits, whether it is over and how it ended. */
  async get(): Promise<GameState> {
    return (await this.call((o) => this.games.getGame({ name: this.name, languageCode: this.language }, o))).game!;
  }

  /** leave frees a seat; its token is void from then on, and forgotten. The game's owner may free any seat. */
  async leave(seat = this.seat): Promise<GameState> {
    const { game } = await this.leaving(seat, (requestId) =>
      this.call((o) => this.games.leaveSeat({ name: this.name, seat, requestId }, o)));
    await this.tokens.drop?.(this.name, seat);
    return game!;
  }

  /**
   * resign gives the game up for the seat. That ends the game if its whole side has given up; otherwise the seat is
   * free and its token void.
   */
  async resign(): Promise<GameState> {
    const { seat } = this, sent = await this.leaving(seat, (requestId) =>
      this.call((o) => this.games.resign({ name: this.name, seat, requestId }, o)));
    const game = sent.game!;
    if (!game.over) await this.tokens.drop?.(this.name, this.seat);
    return game;
  }

  /** close ends the game without a result. Owner only. */
  async close(reason = ""): Promise<GameState> {
    const request = { name: this.name, reason, requestId: uuid() };
    return (await this.call((o) => this.games.closeGame(request, o))).game!;
  }

  /**
   * undo moves the head back to a version, or before the last command. If that needs the consent of others, they are
   * asked if ask is true; otherwise it fails (UNDO_BARRIER). In a game with mutual dice the client keeps beside the
   * chain that the player asked, if that takes back a throw of theirs: for this request alone, and for what has been
   * thrown up to now.
   */
  async undo({ target = 0n, ask = false }: { target?: bigint; ask?: boolean } = {}): Promise<Voted> {
    const requestId = uuid(), wish = { target, request: requestId };
    const request = { name: this.name, seat: this.seat, target: await this.consents(wish), ask, requestId };
    try {
      return voted(await this.call((o) => this.games.undo(request, o)));
    } catch (thrown) {
      await this.refused(thrown, wish);
      throw thrown;
    }
  }

  /**
   * answerUndo agrees to an undo, or refuses it. shown is the question as the player was shown it: the game's
   * pendingUndo. In a game with mutual dice the client keeps beside the chain that the player agreed: otherwise it
   * reveals no link after an undo that took back dice (ThrowTakenBack). It throws LogInconsistent, and sends nothing,
   * if the log does not ask what was shown.
   */
  async answerUndo(shown: Shown, agree: boolean): Promise<Voted> {
    if (agree) await this.consents({ shown });
    const request = { name: this.name, seat: this.seat, asked: shown.asked, agree, requestId: uuid() };
    return voted(await this.call((o) => this.games.answerUndo(request, o)));
  }

  /**
   * consents keeps, beside the chains of the player's seats, that the player asks for an undo to a version (0 for that
   * before the last command) with the request of an id, or agrees to the one that was shown. It keeps nothing if that
   * takes back no throw of theirs, and gives the target to send. It throws LogInconsistent if the log does not go on
   * from what is kept. undo and answerUndo do it by themselves; it is for a program that makes these calls itself,
   * before it does.
   */
  abstract consents(wish: Wish): Promise<bigint>;

  /**
   * leaving sends a request by which the player gives up a seat, or agrees that another player takes it, with an id
   * that it draws unless one is given. It keeps the id beside the seat's chain: whoever has the token can do so in the
   * player's name. leave, resign and answerSeat do it by themselves; it is for a program that makes these calls itself.
   */
  abstract leaving<T>(seat: string, send: (requestId: string) => Promise<T>, id?: string): Promise<T>;

  /**
   * refused forgets what consents kept for a request, if what was thrown says that the server refused it. One that may
   * have been carried out stays.
   */
  abstract refused(thrown: unknown, wish: Wish): Promise<void>;

  /** redo takes the last undo back. */
  async redo(): Promise<GameState> {
    const request = { name: this.name, seat: this.seat, requestId: uuid() };
    return (await this.call((o) => this.games.redo(request, o))).game!;
  }

  /**
   * invite makes an invitation to a seat, for whoever is to take it with Game.join. Owner only. It shows nothing, and
   * is void once the seat is left.
   */
  invite(seat: string, grant: Omit<Grant, "rights">): Promise<CreateTokenResponse> {
    return this.grant(seat, { ...grant, rights: JOIN });
  }

  /**
   * createToken makes a token that opens less than the caller's own, for a bot, a page or an evening. The caller keeps
   * it: the client does not.
   */
  createToken(grant: Grant): Promise<CreateTokenResponse> {
    return this.grant(grant.rights === OWN ? "" : this.seat, grant);
  }

  private grant(seat: string, { rights, expires, note = "", id }: Grant): Promise<CreateTokenResponse> {
    const request = { name: this.name, seat, rights, expireTime: timestampOf(expires), note, requestId: id || uuid() };
    return this.call((o) => this.client.services.access.createToken(request, o));
  }

  /**
   * listTokens lists what was made of the caller's own tokens and is still valid, oldest first; not the tokens
   * themselves.
   */
  async listTokens(): Promise<Token[]> {
    return (await this.call((o) => this.client.services.access.listTokens({ parent: this.name }, o))).tokens;
  }

  /**
   * revokeToken makes a token void at once, by its name ("games/{game}/tokens/{token}"). One that is void already is no
   * error.
   */
  async revokeToken(name: string): Promise<void> {
    await this.call((o) => this.client.services.access.revokeToken({ name }, o));
  }

  /**
   * offerSeat asks the others whether anyone whom the owner lets in may take a free seat, in spite of what it shows.
   * Owner only.
   */
  async offerSeat(seat: string): Promise<GameState> {
    const request = { name: this.name, seat, requestId: uuid() };
    return (await this.call((o) => this.client.services.access.offerSeat(request, o))).game!;
  }

  /**
   * answerSeat agrees to the offer of a seat as it was shown, the game's pendingSeat, or refuses it. The client keeps
   * beside the seat's chain that its own player agreed to a successor. A server could show the offer of another seat,
   * so the agreement to that is kept beside no chain.
   */
  async answerSeat(shown: { offered: bigint; seat: string }, agree: boolean): Promise<Voted> {
    const { seat } = this, { offered } = shown, send = (requestId: string) => this.call((o) =>
      this.client.services.access.answerSeat({ name: this.name, seat, offered, agree, requestId }, o));
    return voted(await (agree && shown.seat === seat ? this.leaving(seat, send) : send(uuid())));
  }

  /** seatComputer gives a free seat to a computer player ("computers/greedy"); Client.computers has those on offer. */
  async seatComputer(seat: string, computer: string): Promise<GameState> {
    const request = { name: this.name, seat, computer, requestId: uuid() };
    return (await this.call((o) => this.client.services.computers.seatComputer(request, o))).game!;
  }

  /** unseatComputer takes a seat back from a computer player. */
  async unseatComputer(seat: string): Promise<GameState> {
    const request = { name: this.name, seat, requestId: uuid() };
    return (await this.call((o) => this.client.services.computers.unseatComputer(request, o))).game!;
  }

  /** proposeDeadlines asks those who hold seats to play by other deadlines, or by none. Owner only. */
  async proposeDeadlines(deadlines?: MessageInitShape<typeof DeadlinesSchema>): Promise<Voted> {
    const request = { name: this.name, requestId: uuid(), ...(deadlines && { deadlines }) };
    return voted(await this.call((o) => this.client.services.deadlines.proposeDeadlines(request, o)));
  }

  /** answerDeadlines agrees to the proposal of a version, or refuses it. */
  async answerDeadlines(proposed: bigint, agree: boolean): Promise<Voted> {
    const request = { name: this.name, seat: this.seat, proposed, agree, requestId: uuid() };
    return voted(await this.call((o) => this.client.services.deadlines.answerDeadlines(request, o)));
  }

  /** takeHoliday lets the seat's time stand still for so many days of 24 hours. */
  async takeHoliday(days: number): Promise<GameState> {
    const request = { name: this.name, seat: this.seat, days, requestId: uuid() };
    return (await this.call((o) => this.client.services.deadlines.takeHoliday(request, o))).game!;
  }

  /**
   * createWebhook has the server post what happens, as the handle's seat sees it; for the owner, of a handle without a
   * seat, as spectators do. The caller keeps the secret: it is told once.
   */
  async createWebhook({ url, kinds = [], note = "", secret = "",
    id }: Hook): Promise<{ webhook: Webhook; secret: string }> {
    const webhook = { seat: this.seat, url, kinds, note, languageCode: this.language };
    const request = { parent: this.name, webhook, secret, requestId: id || uuid() };
    const made = await this.call((o) => this.client.services.notices.createWebhook(request, o));
    return { webhook: made.webhook!, secret: made.secret };
  }

  /** listWebhooks lists the webhooks of the caller's own tokens, and how they fare. */
  async listWebhooks(): Promise<Webhook[]> {
    return (await this.call((o) => this.client.services.notices.listWebhooks({ parent: this.name }, o))).webhooks;
  }

  /** getWebhook is a webhook by its name ("games/{game}/webhooks/{webhook}"), and how it fares. */
  async getWebhook(name: string): Promise<Webhook> {
    return (await this.call((o) => this.client.services.notices.getWebhook({ name }, o))).webhook!;
  }

  /** deleteWebhook ends a webhook. One that is gone is no error. */
  async deleteWebhook(name: string): Promise<void> {
    await this.call((o) => this.client.services.notices.deleteWebhook({ name }, o));
  }

  /** pingWebhook has the server post a notice of type "ping" and gives the outcome. */
  pingWebhook(name: string): Promise<PingWebhookResponse> {
    return this.call((o) => this.client.services.notices.pingWebhook({ name }, o));
  }

  /**
   * createMailbox has the server ask an address whether it wants mail, for the seat and in its language. every is the
   * least time between two, in seconds; with messages it is also sent what others say to the table or to its side.
   */
  async createMailbox(address: string, every = 0, messages = false): Promise<Mailbox> {
    const mailbox = { seat: this.seat, address, languageCode: this.language, messages,
      ...(every && { minInterval: { seconds: BigInt(Math.round(every)), nanos: 0 } }) };
    const request = { parent: this.name, mailbox, requestId: uuid() };
    return (await this.call((o) => this.client.services.notices.createMailbox(request, o))).mailbox!;
  }

  /** listMailboxes lists the mailboxes of the caller's seats, and how they fare. */
  async listMailboxes(): Promise<Mailbox[]> {
    return (await this.call((o) => this.client.services.notices.listMailboxes({ parent: this.name }, o))).mailboxes;
  }

  /** confirmMailbox agrees to mail, with the code that was sent to the address. It needs no token. */
  async confirmMailbox(name: string, code: string): Promise<void> {
    await this.client.call((o) => this.client.services.notices.confirmMailbox({ name, code }, o));
  }

  /** deleteMailbox ends mail to an address. One that is gone is no error. */
  async deleteMailbox(name: string): Promise<void> {
    await this.call((o) => this.client.services.notices.deleteMailbox({ name }, o));
  }
}

/** timestampOf is a time as messages have it. */
export function timestampOf(time: Date) {
  const ms = time.getTime(), seconds = Math.floor(ms / 1000);
  return { seconds: BigInt(seconds), nanos: (ms - seconds * 1000) * 1e6 };
}

function voted({ game, done }: { game?: GameState; done: boolean }): Voted {
  return { game: game!, done };
}
