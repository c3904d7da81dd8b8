import { batch, signal } from "@preact/signals";
import type { Board, Piece } from "@warledger/client/proto/board/v1/board";
import { as, games } from "../wire";
import { lang } from "../words";
import type { GameModel } from "./model";
import { play } from "./sound";

/** Changes are what differs between two boards of a game. */
export interface Changes {
  /** Pieces that are elsewhere, with where they were. */
  moved: Map<string, string>;
  /** Pieces that are no longer there, as they were. */
  lost: Piece[];
  /** Pieces that have fewer steps, or stand for fewer, than before. */
  hurt: Piece[];
  /** Pieces that were not there before. */
  come: Piece[];
  /** Spaces that another seat holds than before. */
  taken: string[];
}

/** compared says what differs between two boards. */
export function compared(before: Board, after: Board): Changes {
  const was = new Map(before.pieces.map((p) => [p.id, p])), owner = new Map(before.spaces.map((s) => [s.id, s.owner])),
    is = new Set(after.pieces.map((p) => p.id));
  const c: Changes = { moved: new Map(), lost: before.pieces.filter((p) => !is.has(p.id)), hurt: [], come: [],
    taken: after.spaces.filter((s) => s.owner && s.owner !== (owner.get(s.id) ?? "")).map((s) => s.id) };
  for (const p of after.pieces) {
    const old = was.get(p.id);
    if (!old) c.come.push(p);
    else {
      if (old.place !== p.place) c.moved.set(p.id, old.place);
      if (p.steps < old.steps || p.count < old.count) c.hurt.push(p);
    }
  }
  return c;
}

/** Film tells what has happened: with each record, and since this browser's seats last acted. */
export class Film {
  /** What the last record changed. */
  readonly step = signal<Changes | null>(null);
  /** What has changed since a seat of this browser last acted; null if nothing has, or it was put away. */
  readonly since = signal<Changes | null>(null);

  constructor(private readonly model: GameModel) {}

  /** show notes the change from one board to the next, and makes it heard. */
  show(before: Board | null, after: Board): void {
    const c = before && before.mapDigest === after.mapDigest ? compared(before, after) : null;
    batch(() => {
      this.step.value = c;
      this.since.value = null;
    });
    if (c) play(c.lost.length || c.hurt.length ? "blow" : c.moved.size || c.come.length ? "move" : "turn");
    void this.lookBack();
  }

  // When this browser is to decide again, others having acted, what they did is on the board at once.
  private async lookBack(): Promise<void> {
    const { model } = this, from = model.lastOfMine(), head = model.boardVersion.peek(), now = model.board.peek();
    if (!now || !from || !model.live.peek() || !model.myTurn.peek().length || from >= head) return;
    try {
      const { board } = await games.getBoard({ name: model.name, version: from, viewer: model.viewer.peek(),
        languageCode: lang.peek() }, as(model.name));
      if (!board || model.boardVersion.peek() !== head) return;
      const c = compared(board, now);
      if (c.moved.size || c.lost.length || c.hurt.length || c.come.length || c.taken.length) this.since.value = c;
    } catch {
      // The game goes on without.
    }
  }
}
