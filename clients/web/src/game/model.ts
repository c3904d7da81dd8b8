import { Code } from "@connectrpc/connect";
import { batch, computed, effect, signal, untracked } from "@preact/signals";
import type { Action, Board, Payment } from "@warledger/client/proto/board/v1/board";
import { ChainReplaced, LogInconsistent, ThrowTakenBack, unpackMap, type Update } from "@warledger/client";
import type { Game, PendingUndo, Record as GameRecord } from "@warledger/client/proto/v1/game_service";
import { PreviewStop, type PreviewCommandResponse } from "@warledger/client/proto/v1/preview";
import { RecordKind } from "@warledger/client/proto/log/v1/log";
import { chart, type Atlas } from "../board/atlas";
import { concluding } from "../board/layers";
import type { Ruleset } from "@warledger/client/proto/v1/catalog_service";
import { keepSeat, dropFormer, dropInvitation, dropSeat, dropToken, formerOf, holder, invitationOf, noteOpened, seatsOf,
  stored, tokensOf, wallet } from "../wallet";
import { again, as, asVoter, catalog, client, games, refusal, uuid, type Refusal } from "../wire";
import { forgetEarly } from "../early";
import { lang } from "../words";
import { needOf, type Need } from "../panels/need";
import { billOf, drawn, kindToAsk, left, settled, type Share } from "./bill";
import { NOTHING, open, type Choice } from "./choice";
import { isPlace, lineTo, redoable, tips } from "./line";
import { acceptUndo, answerDice, comingChain, consents, forgetChains, isMutual, refused, suspicious } from "./mutual";
import { Film } from "./film";
import { coming, partsOf } from "./parts";
import { Plans } from "./plans";
import { Ranges } from "./ranges";
import { Talk } from "./talk";
import { Watch, type Link } from "./watch";

/** How many legal actions are fetched at once. The rest of a longer list follows while the page is in use already. */
const PAGE = 3000;

/** How many of the actions to choose from are weighed. */
const WEIGHED = 6;

/** Whether the page asks before a segment ends in which something could still be done. */
export const askBeforeEnding = stored("ask-before-ending", true);

/** Whether a click on the board shows the odds of dice before it throws them. */
export const oddsFirst = stored("odds-first", true);

/**
 * Whether the page gives the only answer to a question that has just one, such as to end a segment in which nothing can
 * be done.
 */
export const answerOnly = stored("answer-only", false);

/** Odds are what may come of an action. */
export interface Odds {
  action: Action;
  answer: PreviewCommandResponse;
}

/** Maps by digest: they do not change during a game, nor from one to the next. */
const atlases = new Map<string, Atlas>();

/** Why a seat was refused, if what was brought for it is to blame. */
const USELESS = ["INVITATION_REQUIRED", "TOKEN_UNKNOWN", "TOKEN_REVOKED", "TOKEN_EXPIRED", "TOKEN_MALFORMED"];

/** GameModel is a game as this browser knows it. */
export class GameModel {
  readonly game = signal<Game | null>(null);
  /** How many pages and programs follow the game, when it was last asked. */
  readonly watches = signal(0);
  readonly ruleset = signal<Ruleset | null>(null);
  readonly board = signal<Board | null>(null);
  readonly atlas = signal<Atlas | null>(null);
  /** Version of the record after which the board shows the game. */
  readonly boardVersion = signal(0n);
  /** Version that is looked at, 0 for the head. */
  readonly looking = signal(0n);
  readonly records = signal<Map<bigint, GameRecord>>(new Map());
  readonly link = signal<Link>("connecting");
  /** Last record that the watch has brought. */
  readonly heard = signal(0n);
  /** What may be done, as far as it has come. */
  readonly actions = signal<Action[]>([]);
  readonly actionsTotal = signal(0);
  /** Offers outside the game's questions, such as conceding. */
  readonly offered = signal<Action[]>([]);
  /** An action that the player is asked about once more before it is sent, with the words that were typed, if any. */
  readonly doubt = signal<Action | null>(null);
  /** What is asked, of whom, when and about what. */
  readonly question = signal("");
  /** What rulesets list only if asked about a piece, for the one that is chosen. */
  readonly asides = signal<Action[]>([]);
  /** Seat for which actions are listed. */
  readonly seat = signal("");
  /** As whom the board is looked at: empty for all that this browser's seats see. */
  readonly viewer = signal("");
  readonly choice = signal<Choice>(NOTHING);
  /** Space or box whose pieces are spread out. */
  readonly fanned = signal("");
  /** Actions to choose from where one click could mean several. */
  readonly menu = signal<Action[]>([]);
  /** An action that throws dice, with its odds: a second click on its target does it. */
  readonly odds = signal<Odds | null>(null);
  /** What may come of the actions to choose from, by command, as far as it was asked. */
  readonly weighed = signal<Map<string, PreviewCommandResponse>>(new Map());
  /** How actions can be paid for, by command, as far as it was asked. */
  readonly payments = signal<Map<string, Payment>>(new Map());
  /** What has been chosen to pay with, and for which command. */
  readonly paying = signal<{ command: string; shares: Share[] }>({ command: "", shares: [] });
  /** Words of the parts that have been chosen for a command of several. */
  readonly picked = signal<string[]>([]);
  /** What the player wanted to reach when the referee said no. */
  readonly wished = signal("");
  /** With which word the command begins that was refused. */
  readonly refusedVerb = signal("");
  /** Whether the last click on the board was in its upper half. */
  readonly high = signal(false);
  /** Why the last click led nowhere. */
  readonly note = signal("");
  readonly trouble = signal<Refusal | null>(null);
  readonly busy = signal(false);
  readonly olderShown = signal(false);
  readonly need = signal<Need | null>(null);
  /** The fault of the server's log when it asked for dice; empty if none existed. */
  readonly logInconsistent = signal("");
  /** The seat of this browser for whose dice somebody else answers; empty if none exists. */
  readonly replaced = signal("");
  /** The undo of a throw to which the player did not agree here; null if none exists. */
  readonly takenBack = signal<ThrowTakenBack | null>(null);
  /** Pieces that the last record moved, with where they were. */
  readonly moved = signal<Map<string, string>>(new Map());

  readonly mine = computed(() => (wallet.value, seatsOf(this.name)));
  readonly live = computed(() => this.looking.value === 0n);
  readonly open = computed(() => open([...this.actions.value, ...this.asides.value], this.choice.value));
  /** What the choice leaves to be paid for by clicking what pays. */
  readonly bill = computed(() => billOf(this.open.value
    .map((a) => ({ ...a, payment: this.payments.value.get(a.command) })), this.choice.value));
  readonly shares = computed(() => (this.paying.value.command === this.bill.value?.action.command
    ? this.paying.value.shares : []));
  /** The parts of which every answer is made, if they are regions of the map. */
  readonly parts = computed(() => (this.actions.value.length === this.actionsTotal.value
    ? partsOf(this.actions.value, this.atlas.value?.map.regions ?? []) : undefined));
  /** What the chosen pieces could pay for, where they were refused. */
  readonly remedies = computed(() => {
    const { pieces } = this.choice.value;
    return this.trouble.value && this.wished.value && pieces.length
      ? this.open.value.filter((a) => a.cost && a.command.split(" ")[0] !== this.refusedVerb.value
        && a.pieces.every((p) => pieces.includes(p))) : [];
  });
  readonly line = computed(() => lineTo(this.records.value, this.game.value?.head ?? 0n));
  /** The line that is looked at: that to the head, or that of a branch which was left. */
  readonly shownLine = computed(() => {
    const at = this.looking.value;
    if (at === 0n || this.line.value.includes(at)) return this.line.value;
    return lineTo(this.records.value,
      tips(this.records.value, this.game.value?.head ?? 0n).find((tip) => lineTo(this.records.value, tip).includes(at))
      ?? at);
  });
  /** Offers outside the game's questions: those of the chosen pieces, or of nobody in particular. */
  readonly offers = computed(() => {
    const { pieces } = this.choice.value;
    return [...this.offered.value, ...this.asides.value].filter((a) => a.offer
      && (pieces.length ? a.pieces.includes(pieces[0]!) || !a.pieces.length : !a.pieces.length));
  });
  readonly canRedo = computed(() => redoable(this.records.value.values()));
  readonly myTurn = computed(() => (this.game.value?.waitingFor ?? []).filter((s) => this.mine.value.includes(s)));
  /** Whether the board shows less than what is known to have happened, or the connection is gone. */
  readonly behind = computed(() => this.link.value === "lost"
    || (this.live.value && this.boardVersion.value !== 0n && this.heard.value > this.seen.value));

  /** Last record that the board on show takes into account. */
  private readonly seen = signal(0n);
  private watch: Watch | null = null;
  private turn = 0;
  /** The question without what it is about: the next unit of the same kind is no other question. */
  private asked = "";
  private expected = 0n;
  /** Version that is being fetched, so that the news of it does not fetch it again. */
  private fetching = 0n;
  private readonly unask: () => void;
  /** The combats that are planned, with their odds. */
  readonly plans = new Plans(this);
  /** How far the chosen pieces reach. */
  readonly ranges = new Ranges(this);
  private readonly unwatchRanges: () => void;
  /** What has happened, for the board to show. */
  readonly film = new Film(this);
  private readonly unwatchPlans = this.plans.watch();
  // Odds are those of the actions that are to be chosen from.
  private readonly unwatchMenu = effect(() => {
    if (this.menu.value) this.weighed.value = new Map();
  });
  // Layers are fetched with the board, once they are wanted.
  private readonly unwatchLayers = effect(() => {
    if (concluding.value && untracked(() => this.board.value && !this.board.value.layers.length))
      untracked(() => void this.addLayers());
  });

  /** What people say to each other. */
  readonly talk: Talk;

  /** What the last undo aimed at, for asking again with consent. */
  undoTarget = 0n;

  constructor(readonly name: string) {
    this.talk = new Talk(name, this.mine);
    this.unwatchRanges = this.ranges.watch();
    const piece = computed(() => this.choice.value.pieces[0] ?? "");
    this.unask = effect(() => {
      const id = piece.value;
      untracked(() => void this.askAbout(id));
    });
  }

  async start(): Promise<void> {
    try {
      // The board is asked for at once, and the game beside it.
      this.first = this.fetchBoard();
      this.first.catch(() => undefined); // whoever waits for it is told
      await this.fetchGame();
      const game = this.game.value!;
      noteOpened(this.name, game.title);
      this.pickSeat();
      await this.refresh(game);
      forgetEarly();
      // the board has names too
      void catalog.getRuleset({ name: game.ruleset, languageCode: lang.value })
        .then((r) => (this.ruleset.value = r.ruleset!), () => undefined);
    } catch (thrown) {
      const r = refusal(thrown);
      if (r.code === Code.Unauthenticated && (await this.dropVoid())) return this.start();
      this.trouble.value = r;
    }
    if (this.stopped) return;
    this.follow();
    this.talk.begin();
  }

  // A seat that was freed, or a token that has expired: what it opened is closed, but the rest of the game is not.
  private async dropVoid(): Promise<boolean> {
    let dropped = false;
    for (const token of tokensOf(this.name)) {
      try {
        await games.getGame({ name: this.name }, as(this.name, {}, [token]));
      } catch (thrown) {
        if (refusal(thrown).code !== Code.Unauthenticated) continue;
        dropToken(this.name, token);
        dropped = true;
      }
    }
    return dropped;
  }

  private stopped = false;

  stop(): void {
    this.stopped = true;
    this.watch?.stop();
    this.talk.stop();
    this.unask();
    this.unwatchPlans();
    this.unwatchRanges();
    this.unwatchMenu();
    this.unwatchLayers();
    this.turn++;
  }

  private follow(): void {
    this.watch?.stop();
    this.records.value = new Map();
    this.watch = new Watch(this.name, this.viewer.value, lang.value, {
      message: (m) => this.take(m), link: (l) => (this.link.value = l), failed: (r) => void this.failed(r),
    });
  }

  private async failed(r: Refusal): Promise<void> {
    if (r.code !== Code.Unauthenticated || !(await this.dropVoid())) this.trouble.value = r;
    else this.look("");
  }

  /** look changes who looks. */
  look(viewer: string): void {
    this.viewer.value = viewer;
    this.clear();
    void this.refresh();
    this.follow();
  }

  private pendingRecords: GameRecord[] = [];

  private take({ record, caughtUp, version }: Update): void {
    if (record) {
      this.pendingRecords.push(record);
      if (this.pendingRecords.length === 1) setTimeout(() => this.absorb());
    } else if (caughtUp) {
      this.absorb();
      this.game.value = caughtUp;
      this.heard.value = version;
      if (this.seen.value !== version) this.catchUp(version);
      this.answerDice();
    }
  }

  private answering = false;

  // With mutual dice the seats of this browser answer by themselves, without asking the player.
  private answerDice(): void {
    const game = this.game.value;
    if (!game) return;
    if (game.pendingDice?.missing.some((s) => this.mine.value.includes(s))) this.reveal();
    else void suspicious(game).then((yes) => yes && this.reveal(), () => undefined); // offline: the next game tells
  }

  private reveal(): void {
    if (this.answering) return;
    this.answering = true;
    void answerDice(this.name)
      .then((game) => {
        if (!game || this.busy.value || !this.live.value) return undefined;
        // What the watch has brought meanwhile may be newer than the answer.
        return this.refresh(game.version >= this.heard.value ? game : undefined);
      })
      .catch((thrown) => {
        if (this.alarmed(thrown)) return;
        if (refusal(thrown).transient) setTimeout(() => this.answerDice(), 1500);
        else this.trouble.value = refusal(thrown);
      })
      .finally(() => {
        this.answering = false;
      });
  }

  // alarmed shows what says that somebody may be choosing or foreseeing the dice.
  private alarmed(thrown: unknown): boolean {
    if (thrown instanceof LogInconsistent) this.logInconsistent.value = thrown.message;
    else if (thrown instanceof ChainReplaced) this.replaced.value = thrown.seat;
    else if (thrown instanceof ThrowTakenBack) this.takenBack.value = thrown;
    else return false;
    return true;
  }

  /** acceptUndo goes on after an undo: the player agreed elsewhere. */
  async acceptUndo(undo: bigint): Promise<void> {
    try {
      await acceptUndo(this.game.value!, undo);
      this.takenBack.value = null;
    } catch (thrown) {
      if (!this.alarmed(thrown)) this.trouble.value = refusal(thrown);
      return;
    }
    this.answerDice();
  }

  /**
   * forgetChains forgets what this browser knows of the dice and of the log, of one of its seats or of all: the player
   * knows why it does not fit.
   */
  forgetChains(seat?: string): void {
    forgetChains(this.name, seat);
    batch(() => {
      this.replaced.value = "";
      this.takenBack.value = null;
      if (!seat) this.logInconsistent.value = "";
    });
  }

  // Records of a long game come by the hundred; the page is drawn once for all that have come.
  private absorb(): void {
    if (!this.pendingRecords.length) return;
    const all = new Map(this.records.value);
    for (const r of this.pendingRecords) all.set(r.version, r);
    const last = this.pendingRecords.at(-1)!;
    this.pendingRecords = [];
    batch(() => {
      this.records.value = all;
      this.heard.value = last.version;
    });
    // While the past is still coming in, the board has been fetched already.
    if (last.version > this.seen.value) this.catchUp(last.version);
  }

  // What is under way, or follows the answer to a command, brings the news by itself.
  private catchUp(version: bigint): void {
    if (this.busy.value || version <= this.fetching) return;
    if (this.live.value) void this.refresh();
    else void this.fetchGame().catch(() => undefined); // the watch goes on, and the next record asks again
  }

  /** fetchGame asks how the game stands. */
  async fetchGame(): Promise<void> {
    const { game, watches } = await games.getGame({ name: this.name, languageCode: lang.value }, as(this.name));
    batch(() => {
      // An answer that was overtaken by a later one says less.
      if (!this.game.value || game!.version >= this.game.value.version) this.game.value = game!;
      this.watches.value = watches;
    });
    this.answerDice();
  }

  private pickSeat(): void {
    const mine = this.mine.value, waiting = this.myTurn.value;
    if (!waiting.includes(this.seat.value) || !mine.includes(this.seat.value))
      this.seat.value = waiting[0] ?? mine[0] ?? "";
  }

  act(seat: string): void {
    this.seat.value = seat;
    this.clear();
    void this.refresh();
  }

  /**
   * refresh fetches the board and what may be done, and the game unless it was just told. Of several at once the last
   * counts.
   */
  async refresh(told?: Game): Promise<void> {
    const turn = ++this.turn;
    const stale = () => turn !== this.turn;
    this.fetching = 0n;
    try {
      if (this.live.value) {
        const game = told ?? (await games.getGame({ name: this.name, languageCode: lang.value }, as(this.name))).game!;
        if (stale()) return;
        this.fetching = game.version;
        this.game.value = game;
        this.pickSeat();
        this.answerDice();
      }
      const [shown, listed] = await Promise.all([this.freshBoard(), this.fetchActions()]);
      if (stale()) return;
      const before = this.board.value;
      batch(() => {
        this.atlas.value = shown.atlas;
        this.board.value = shown.board;
        this.boardVersion.value = shown.version;
        if (this.live.value) this.seen.value = this.game.value!.version;
        this.actions.value = listed.actions;
        this.actionsTotal.value = listed.total;
        this.offered.value = listed.offers;
        this.doubt.value = null;
        this.odds.value = null;
        this.note.value = "";
        this.wished.value = "";
        this.asides.value = [];
        this.payments.value = new Map();
        this.expected = listed.version;
        this.moved.value = before ? differences(before, shown.board) : new Map();
        this.keepChoice();
      });
      this.film.show(before, shown.board);
      void this.askAbout(this.choice.value.pieces[0] ?? "");
      this.answerOnly();
      if (listed.next) void this.fetchRest(listed.next, stale);
    } catch (thrown) {
      const r = refusal(thrown);
      if (!stale()) this.fetching = 0n;
      if (stale() || r.reason === "VERSION_CONFLICT") return;
      if (r.transient) setTimeout(() => turn === this.turn && void this.refresh(), 1500);
      else this.trouble.value = r;
    }
  }

  /** The board that was asked for before anything else was known. */
  private first: ReturnType<GameModel["fetchBoard"]> | undefined;

  // The first board, unless the game has gone on meanwhile or something else is looked at.
  private async freshBoard(): ReturnType<GameModel["fetchBoard"]> {
    const first = await this.first;
    this.first = undefined;
    return first && this.live.value && first.version >= this.game.value!.head ? first : this.fetchBoard();
  }

  private async fetchBoard(): Promise<{ board: Board; version: bigint; atlas: Atlas }> {
    const request = { name: this.name, version: this.looking.value, viewer: this.viewer.value,
      languageCode: lang.value, includeLayers: concluding.peek() };
    const known = this.atlas.value?.map.digest;
    let { board, version } = await games.getBoard({ ...request, includeMap: !known, packedMap: !known }, as(this.name));
    let atlas = atlases.get(board!.mapDigest);
    if (!atlas) {
      if (!board!.map) ({ board, version } = await games.getBoard({ ...request, includeMap: true, packedMap: true },
        as(this.name)));
      atlas = chart(unpackMap(board!.map!));
      atlases.set(board!.mapDigest, atlas);
    }
    return { board: board!, version, atlas };
  }

  // The layers of the board on show; a newer one brings its own.
  private async addLayers(): Promise<void> {
    const turn = this.turn, board = this.board.value!;
    const shown = await games.getBoard({ name: this.name, version: this.looking.value, viewer: this.viewer.value,
      languageCode: lang.value, includeLayers: true, onlyIncluded: true }, as(this.name)).catch(() => undefined);
    if (shown && turn === this.turn && this.board.value === board)
      this.board.value = { ...board, layers: shown.board!.layers };
  }

  /** Whether this browser holds the seat that acts, and the game can go on. */
  private get acting(): boolean {
    return this.live.value && this.mine.value.includes(this.seat.value) && !this.game.value?.over
      && !this.game.value?.readOnly;
  }

  private async fetchActions(): Promise<{
    actions: Action[]; offers: Action[]; total: number; version: bigint; next: string }> {
    if (!this.acting) return { actions: [], offers: [], total: 0, version: 0n, next: "" };
    const r = await games.listLegalActions({ name: this.name, seat: this.seat.value, languageCode: lang.value,
      pageSize: PAGE }, as(this.name));
    return { actions: r.actions, offers: r.offers, total: r.totalSize, version: r.version, next: r.nextPageToken };
  }

  private async fetchRest(next: string, stale: () => boolean): Promise<void> {
    try {
      while (next && !stale()) {
        const r = await games.listLegalActions({ name: this.name, seat: this.seat.value, languageCode: lang.value,
          pageSize: PAGE, pageToken: next }, as(this.name));
        if (stale()) return;
        this.actions.value = [...this.actions.value, ...r.actions];
        next = r.nextPageToken;
      }
    } catch (thrown) {
      const r = refusal(thrown);
      if (stale() || r.reason === "VERSION_CONFLICT") return; // the news of that version fetches it all
      if (r.transient) setTimeout(() => !stale() && void this.fetchRest(next, stale), 1500);
      else this.trouble.value = r;
    }
  }

  // Rulesets list some things, such as the order of a stack, only for a piece that is asked about.
  private async askAbout(piece: string): Promise<void> {
    this.asides.value = [];
    this.payments.value = new Map();
    const kind = piece ? "" : kindToAsk(this.actions.peek());
    if (!(piece || kind) || !this.acting) return;
    try {
      const r = await games.listLegalActions({ name: this.name, seat: this.seat.peek(), piece, kind,
        languageCode: lang.peek(), pageSize: PAGE }, as(this.name));
      if (r.version !== this.expected || (this.choice.peek().pieces[0] ?? "") !== piece) return;
      this.payments.value = new Map(r.actions.flatMap((a) => (a.payment ? [[a.command, a.payment]] : [])));
      if (kind) return;
      const known = new Set([...this.actions.peek(), ...this.offered.peek()].map((a) => a.command));
      this.asides.value = [...r.actions, ...r.offers].filter((a) => !known.has(a.command));
    } catch {
      // What is listed without asking is there already.
    }
  }

  /** listed is what the seat may do of a kind that is listed on request only, such as standing orders. */
  async listed(kind: string, piece: string, space: string): Promise<Action[]> {
    const one = { name: this.name, seat: this.seat.peek(), kind, languageCode: lang.peek(), pageSize: PAGE };
    const asked = [one, ...(piece ? [{ ...one, piece }] : []), ...(space ? [{ ...one, space }] : [])];
    const all = new Map<string, Action>();
    try {
      for (const r of await Promise.all(asked.map((q) => games.listLegalActions(q, as(this.name)))))
        for (const a of [...r.actions, ...r.offers]) all.set(a.command, a);
    } catch (thrown) {
      this.trouble.value = refusal(thrown);
    }
    return [...all.values()];
  }

  // What is chosen stays chosen as long as the question is the same and something can be done with it: moving on with
  // the same unit takes one click a step. The answer to one question does not answer the next.
  private keepChoice(): void {
    const [asked, about] = questionOf(this.board.value!, this.seat.value), same = asked === this.asked;
    this.asked = asked;
    if (this.question.value !== asked + about) this.picked.value = [];
    this.question.value = asked + about;
    const pieces = same ? this.choice.value.pieces.filter((p) => this.actions.value.some((a) => a.pieces.includes(p)))
      : [];
    this.choice.value = { pieces, spaces: [] };
    this.menu.value = [];
    if (!pieces.length) this.fanned.value = "";
  }

  clear(): void {
    batch(() => {
      this.choice.value = NOTHING;
      this.picked.value = [];
      this.paying.value = { command: "", shares: [] };
      this.menu.value = [];
      this.odds.value = null;
      this.note.value = "";
      this.wished.value = "";
      this.fanned.value = "";
    });
  }

  /** visit shows the board as it stood after a version; 0 is now. */
  visit(version: bigint): void {
    const latest = version === 0n || version === this.game.value?.head;
    this.looking.value = latest ? 0n : version;
    this.clear();
    void this.refresh();
  }

  /** Version that the player went back to: what is asked there is not answered again by itself. */
  private back = 0n;

  // A question with one answer is answered, unless that would tell that there was no choice, or the player has just
  // taken such an answer back.
  private answerOnly(): void {
    const [only, other] = this.actions.value.filter((a) => !a.idle), game = this.game.value;
    if (!answerOnly.value || !only || other || this.actionsTotal.value !== this.actions.value.length || only.confirm
      || !this.acting || game?.pendingDice || this.replaced.value) return;
    if (game!.head !== game!.version) this.back = game!.head; // after an undo or a redo
    if (game!.head === this.back || this.board.value?.prompts.some((p) => p.seat === this.seat.value && p.discreet))
      return;
    setTimeout(() => {
      if (!this.busy.value && this.live.value && this.expected === game!.version && this.actions.value.includes(only))
        void this.submit(only.command);
    });
  }

  /** pick adds a part to those of which a command is being put together. */
  pick(word: string): void {
    const parts = this.parts.value;
    if (parts && coming(parts, this.picked.value).has(word)) this.picked.value = [...this.picked.value, word];
  }

  /** pays reports whether a click on a space would pay for something. */
  pays(space: string): boolean {
    const bill = this.bill.value;
    return !!bill && drawn(bill, this.shares.value, space).length > this.shares.value.length;
  }

  /** payFrom pays from a space what it can: all at one click, or a share of it until the player is done. */
  payFrom(space: string): void {
    const bill = this.bill.value!, before = this.shares.value, shares = drawn(bill, before, space);
    if (!before.length && left(bill, shares) === 0) void this.consider(settled(bill, shares));
    else this.paying.value = { command: bill.action.command, shares };
  }

  /** left counts the pieces that an action would keep from doing anything more. */
  left(action: Action): number {
    return action.forgoes ? new Set(this.actions.value.filter((a) => !a.forgoes).flatMap((a) => a.pieces)).size : 0;
  }

  /**
   * perform sends an action; what may end the game, or gives up what could still be done, only once the player is sure.
   */
  async perform(action: Action): Promise<void> {
    if (action.confirm || (askBeforeEnding.value && this.left(action) > 0)) this.doubt.value = action;
    else await this.submit(action.command);
  }

  /**
   * consider performs an action that a click meant; one that throws dice only once its odds have been shown. What gives
   * up the rest may lead to dice of which nothing is known yet: that is asked for like any other end.
   */
  async consider(action: Action): Promise<void> {
    const shown = this.odds.value;
    if (!oddsFirst.value || action.confirm || shown?.action.command === action.command) return this.perform(action);
    if (this.busy.value) return;
    this.busy.value = true;
    const version = this.expected, answer = await this.outlook(action.command), stale = version !== this.expected;
    batch(() => {
      this.free();
      if (stale) return;
      this.menu.value = [];
      if (answer && ((answer.stop === PreviewStop.DICE && !action.forgoes) || answer.forecasts.length))
        this.odds.value = { action, answer };
    });
    if (!stale && this.odds.value?.action !== action) await this.perform(action);
  }

  /**
   * outlook is what a command would do, as far as the server says; what it can't say is no reason not to send the
   * command.
   */
  async outlook(command: string, signal?: AbortSignal): Promise<PreviewCommandResponse | undefined> {
    const request = { name: this.name, seat: this.seat.value, form: { case: "notation", value: command } as const,
      languageCode: lang.value };
    return games.previewCommand(request, { ...as(this.name), ...(signal && { signal }) }).catch(() => undefined);
  }

  /** weigh asks what may come of the actions to choose from, so that each shows its odds and one click commits. */
  async weigh(): Promise<void> {
    const list = this.menu.value, version = this.expected;
    await Promise.all(list.slice(0, WEIGHED).map(async (a) => {
      const answer = await this.outlook(a.command);
      if (answer && this.menu.value === list && version === this.expected)
        this.weighed.value = new Map([...this.weighed.value, [a.command, answer]]);
    }));
  }

  /**
   * enter sends a command that was typed, once the server has said what it is. What it refuses it refuses when it is
   * sent.
   */
  async enter(command: string): Promise<void> {
    const action = await this.meaning(command).catch(() => undefined);
    if (action?.confirm) this.doubt.value = action;
    else await this.submit(command);
  }

  private async meaning(command: string): Promise<Action | undefined> {
    const request = { name: this.name, seat: this.seat.value, commandId: uuid(),
      form: { case: "notation", value: command } as const, validateOnly: true, languageCode: lang.value };
    return (await games.submitCommand(request, as(this.name))).action;
  }

  /** submit sends a command. */
  async submit(command: string, dice: number[] = []): Promise<void> {
    if (this.busy.value) return;
    this.busy.value = true;
    this.trouble.value = null;
    this.need.value = null;
    const request = {
      name: this.name, seat: this.seat.value, commandId: uuid(), form: { case: "notation", value: command } as const,
      expectedVersion: this.expected || undefined, manualDice: dice, languageCode: lang.value,
    };
    try {
      const { game } = await again(() => games.submitCommand(request, as(this.name)));
      batch(() => {
        this.game.value = game!;
        this.menu.value = [];
        this.choice.value = { ...this.choice.value, spaces: [] };
      });
      await this.refresh(game);
    } catch (thrown) {
      this.refused(refusal(thrown), command, dice);
    } finally {
      this.free();
    }
  }

  // What others did while this browser waited for an answer has still to be fetched.
  private free(): void {
    this.busy.value = false;
    if (this.heard.value > this.seen.value) this.catchUp(this.heard.value);
  }

  private refused(r: Refusal, command: string, dice: number[]): void {
    this.need.value = needOf(r, dice, (all) => void this.submit(command, all));
    if (this.need.value) return;
    this.trouble.value = r;
    if (r.reason === "VERSION_CONFLICT") void this.refresh();
  }

  /** ask asks the server whether a command that is not listed would be allowed; true if so. */
  async ask(command: string): Promise<boolean> {
    if (this.busy.value) return false;
    this.busy.value = true;
    try {
      await this.meaning(command);
      return true;
    } catch (thrown) {
      this.trouble.value = refusal(thrown);
      return false;
    } finally {
      this.free();
    }
  }

  /** change makes a call that changes the table or the head, and shows the outcome. */
  async change(call: () => Promise<{ game?: Game | undefined }>): Promise<boolean> {
    if (this.busy.value) return false;
    this.busy.value = true;
    this.trouble.value = null;
    try {
      const { game } = await again(call);
      this.looking.value = 0n;
      await this.refresh(game);
      return true;
    } catch (thrown) {
      this.trouble.value = refusal(thrown);
      return false;
    } finally {
      this.free();
    }
  }

  undo(target = 0n, ask = false): Promise<boolean> {
    this.undoTarget = target;
    const request = { name: this.name, seat: this.seat.value, target, requestId: uuid(), ask };
    const wish = { target, request: request.requestId };
    let to: bigint | undefined; // the same each time that it is sent
    return this.change(async () => {
      const game = this.game.value!;
      to ??= await consents(game, request.seat, wish);
      try {
        return await games.undo({ ...request, target: to }, as(this.name));
      } catch (thrown) {
        await refused(game, request.seat, thrown, wish);
        throw thrown;
      }
    });
  }

  redo(): Promise<boolean> {
    const request = { name: this.name, seat: this.seat.value, requestId: uuid() };
    return this.change(() => games.redo(request, as(this.name)));
  }

  /** answer agrees to an undo, or refuses it. shown is the question that the player saw beside the button. */
  answer(shown: PendingUndo, seat: string, agree: boolean): Promise<boolean> {
    const request = { name: this.name, seat, asked: shown.asked, agree, requestId: uuid() };
    return this.change(async () => {
      if (agree) await consents(this.game.value!, seat, { shown });
      return games.answerUndo(request, asVoter(this.name, seat));
    });
  }

  async takeSeat(seat: string): Promise<void> {
    const game = this.game.value!;
    const chain = isMutual(game) ? await this.coming(game, seat) : undefined;
    if (chain === null) return;
    const request = { name: this.name, seat, holder: holder.value, chain, requestId: uuid() };
    const done = await this.change(async () => {
      const r = await this.takeWith(seat, (tokens) => games.takeSeat(request, as(this.name, {}, tokens)));
      keepSeat(this.name, seat, r.seatToken);
      return r;
    });
    // With the new token the past may show more.
    if (done) this.look("");
  }

  // takeWith takes a seat with what may open it. An invitation opens the seat and nothing else; the owner needs none.
  // Neither it nor the seat's former token is dropped for what the other one is to blame for.
  private async takeWith<T>(seat: string, take: (tokens: string[]) => Promise<T>): Promise<T> {
    const invitation = invitationOf(this.name, seat), former = formerOf(this.name, seat);
    const back = former ? [former] : [];
    const unless = (reasons: string[], tried: Promise<T>, next: () => Promise<T>) => tried.catch((thrown) => {
      if (!reasons.includes(refusal(thrown).reason)) throw thrown;
      return next();
    });
    const uninvited = () => unless(former ? ["TOKEN_REVOKED"] : [], take([...tokensOf(this.name), ...back]), () => {
      dropFormer(this.name, seat); // somebody else has held the seat since
      return take(tokensOf(this.name));
    });
    if (!invitation) return uninvited();
    const invited = () => unless(USELESS, take([invitation]), () => {
      dropInvitation(this.name, seat); // it was for another seat, has been used, or was made up
      return uninvited();
    });
    return former ? unless(USELESS, take([invitation, former]), invited) : invited();
  }

  // coming makes a chain for a seat; null if the log is not the one that this browser saw, or could not be read.
  private async coming(game: Game, seat: string): Promise<Awaited<ReturnType<typeof comingChain>> | null> {
    try {
      return await comingChain(game, seat);
    } catch (thrown) {
      if (!this.alarmed(thrown)) this.trouble.value = refusal(thrown);
      return null;
    }
  }

  /** renewChain commits a seat to a new chain that is kept here, if its chain for mutual dice is elsewhere. */
  async renewChain(seat: string): Promise<boolean> {
    const chain = await this.coming(this.game.value!, seat);
    if (!chain) return false;
    const request = { name: this.name, seat, chain, requestId: uuid() };
    const done = await this.change(() => games.renewChain(request, as(this.name)));
    if (done && this.replaced.value === seat) this.replaced.value = "";
    return done;
  }

  /** freeSeat takes a seat from its holder. Owner only. */
  freeSeat(seat: string): Promise<boolean> {
    const request = { name: this.name, seat, requestId: uuid() };
    return this.change(() => games.leaveSeat(request, as(this.name)));
  }

  /** close ends the game without a result. Owner only. */
  close(reason: string): Promise<boolean> {
    const request = { name: this.name, reason, requestId: uuid() };
    return this.change(() => games.closeGame(request, as(this.name)));
  }

  async leaveSeat(seat: string): Promise<void> {
    const id = uuid(); // the same each time that it is sent
    const done = await this.change(async () => {
      const r = await client.game(this.name, seat).leaving(seat, (requestId) =>
        games.leaveSeat({ name: this.name, seat, requestId }, as(this.name)), id);
      dropSeat(this.name, seat);
      return r;
    });
    if (done) this.look("");
  }

  resign(seat: string): Promise<boolean> {
    const id = uuid();
    return this.change(() => client.game(this.name, seat).leaving(seat, (requestId) =>
      games.resign({ name: this.name, seat, requestId }, as(this.name)), id));
  }

  /** lastOfMine is the newest place at which one of this browser's seats acted; 0 if none did. */
  lastOfMine(): bigint {
    const all = this.line.value.map((v) => this.records.value.get(v)!);
    return all.findLast((r) => isPlace(r) && r.kind === RecordKind.COMMAND && this.mine.value.includes(r.seat))?.version
      ?? 0n;
  }
}

// questionOf tells one question from another: who is asked what and when, and about what.
function questionOf(board: Board, seat: string): [asked: string, about: string] {
  const mine = board.prompts.filter((p) => !p.optional && p.seat === seat);
  const about = mine.map((p) => [p.text, ...p.pieces, ...p.spaces].join());
  return [[seat, board.clock?.turn, board.clock?.phase, ...mine.map((p) => p.decision)].join("/"),
    "/" + about.join("/")];
}

// differences are the pieces that are elsewhere than before, with where they were.
function differences(before: Board, after: Board): Map<string, string> {
  const was = new Map(before.pieces.map((p) => [p.id, p.place]));
  const all = new Map<string, string>();
  for (const p of after.pieces) {
    const from = was.get(p.id);
    if (from !== undefined && from !== p.place) all.set(p.id, from);
  }
  return all;
}
