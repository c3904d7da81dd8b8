import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Board, Piece } from "@warledger/client/proto/board/v1/board";
import { aim as aimOf, reaches } from "../game/choice";
import type { GameModel } from "../game/model";
import { part } from "../later";
import { t } from "../words";
import { towards, spaceAt, type Atlas } from "./atlas";
import { ChangesNote, ChangesView } from "./changes";
import { actorsOf, choosePiece, click, drop, firstOf, next } from "./click";
import { Palette, safeColors } from "./color";
import { Counter } from "./counter";
import { describeSpace } from "./describe";
import { DragView, draggingNow, useDrag } from "./drag";
import { Ground, Print } from "./ground";
import { growthOf, ID_LEAST, layOut, numbering, type Label } from "./labels";
import { flip, hiddenLayers, layers as switches } from "./layers";
import { MapKey } from "./mapkey";
import { Control, Cursor, Highlights, Intents } from "./overlay";
import { both, usePeek } from "./peek";
import { counterStates, type States } from "./states";
import { fan, middleOf, stacksOf, type Placed, type Stack } from "./stacks";
import { Payers } from "./payers";
import { Pins } from "./pins";
import { RangesNote, RangesView } from "./ranges";
import { Ring } from "./ring";
import { Weights } from "./weights";
import { Zones } from "./zones";
import { useViewport } from "./viewport";

const OddsCard = part("OddsCard"), PeekCard = part("PeekCard");

/** Below how many pixels a counter gives way to the weight of its stack. */
const TINY = 17;

/**
 * BoardView is the map with everything on it. The map moves by the browser's own scrolling, so dragging draws nothing
 * anew.
 */
export function BoardView({ model }: { model: GameModel }) {
  const board = model.board.value, atlas = model.atlas.value;
  const frame = useRef<HTMLDivElement>(null), waiting = useRef<HTMLDivElement>(null);
  const cursor = useSignal("");
  const view = useViewport(frame, waiting, atlas?.map.width ?? 1, atlas?.map.height ?? 1, atlas?.map.wraps ?? false);
  const palette = useMemo(() => board && new Palette(board, safeColors.value), [board, safeColors.value]);
  const stacks = useMemo(() => (board && atlas ? stacksOf(atlas, board.pieces) : new Map<string, Stack>()),
    [board, atlas]);
  const detail = view.detail.value, growth = atlas ? growthOf(atlas, view.scale.value) : 1;
  const labels = useMemo(() => (atlas ? layOut(atlas, stacks, detail, growth) : []), [atlas, stacks, detail, growth]);
  const states = useComputed(() => counterStates(model));
  useEffect(() => {
    const show = (e: Event) => {
      const c = model.atlas.value?.spaces.get((e as CustomEvent<string>).detail)?.centre;
      if (c) view.centre(c.x, c.y);
    };
    addEventListener("warledger-show", show);
    return () => removeEventListener("warledger-show", show);
  }, [view]);
  const peeking = usePeek(frame, (x, y) => {
    const at = view.toMap(x, y);
    return atlas ? pieceAt([...stacks.values()].flatMap((s) => s.pieces), at.x, at.y)?.place
      ?? spaceAt(atlas, at.x, at.y) : undefined;
  }, (space) => stacks.has(space) || !!atlas?.spaces.get(space)?.name, model.boardVersion.value);
  useLayoutEffect(() => {
    const at = atlas && !atlas.map.wraps && middleOf(stacks, actorsOf(model));
    if (at) view.jump(...at);
    if (atlas) performance.mark("board-drawn");
  }, [atlas]);
  const inFan = useRef<Placed[]>([]);
  const under = (x: number, y: number) => {
    const at = view.toMap(x, y);
    return pieceAt(inFan.current, at.x, at.y) ?? pieceAt([...stacks.values()].flatMap((s) => s.pieces), at.x, at.y);
  };
  // Where the middle of a space is, in pixels of the frame.
  const middle = (space: string) => {
    const c = atlas?.spaces.get(space)?.centre, f = frame.current;
    if (!c || !f) return undefined;
    const sheet = f.firstElementChild!.getBoundingClientRect(), box = f.getBoundingClientRect();
    return { x: sheet.left - box.left + view.nearest(c.x) * view.scale.value,
      y: sheet.top - box.top + c.y * view.scale.value };
  };
  const dragging = useDrag(model, frame, {
    middle,
    // A hex is small: beside the counter is on it.
    piece: (x, y) => {
      const at = view.toMap(x, y);
      return under(x, y) ?? (atlas?.grid ? stacks.get(spaceAt(atlas, at.x, at.y) ?? "")?.all.at(-1) : undefined);
    },
    space: (x, y) => {
      const at = view.toMap(x, y), box = frame.current!.getBoundingClientRect();
      const within = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
      return within && atlas ? under(x, y)?.place ?? spaceAt(atlas, at.x, at.y) : undefined;
    },
    pan: (dx, dy) => {
      view.pan(dx);
      frame.current!.scrollTop += dy;
    },
  }, (space) => {
    const c = middle(space);
    model.high.value = !!c && c.y < frame.current!.clientHeight / 2;
    drop(model, space);
  });
  if (!board || !atlas || !palette) return <div ref={waiting} class="board loading" role="status">
    {t("loadingBoard")}</div>;

  const fanned = model.fanned.value
    ? board.pieces.filter((p) => p.place === model.fanned.value).sort((a, b) => b.order - a.order) : [];
  const spreadOut = fan(atlas, { space: model.fanned.value }, fanned);
  inFan.current = spreadOut;
  const pick = (space: string) => {
    model.talk.place.value = space;
    click(model, space);
  };
  const onClick = (e: MouseEvent) => {
    if (view.dragged() || peeking.held() || dragging.dragged()) return;
    const at = view.toMap(e.clientX, e.clientY);
    const fanned = pieceAt(spreadOut, at.x, at.y);
    if (fanned) return choosePiece(model, fanned, e.shiftKey);
    const p = pieceAt([...stacks.values()].flatMap((s) => s.pieces), at.x, at.y);
    const space = p?.place ?? spaceAt(atlas, at.x, at.y);
    if (!space) return model.clear();
    cursor.value = model.talk.place.value = space;
    const box = frame.current!.getBoundingClientRect();
    model.high.value = e.clientY < box.top + box.height / 2;
    // Where counters lie side by side, the one that is clicked is meant, unless what is chosen can go there.
    const chosen = model.choice.value.pieces.length > 0;
    if (p && !atlas.grid && p.place !== model.fanned.value && actorsOf(model).has(p.id)
      && !(chosen && reaches(model.open.value).has(space))) {
      model.fanned.value = "";
      return choosePiece(model, p, e.shiftKey);
    }
    pick(space);
  };
  // Where the odds that are shown aim at, in pixels of the frame.
  const aimedAt = () => {
    const at = model.odds.value && middle(aimOf(model.odds.value.action));
    return at ? { ...at, half: (atlas.pitch / 2) * view.scale.value } : undefined;
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const step = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1],
      ArrowDown: [0, 1] } as Record<string, [number, number]>)[e.key];
    if (step) {
      cursor.value = cursor.value ? towards(atlas, cursor.value, ...step) : firstOf(model) || atlas.map.spaces[0]!.id;
      const c = atlas.spaces.get(cursor.value)?.centre;
      if (c) view.reveal(c.x, c.y, atlas.pitch);
    } else if (e.key === "Enter" || e.key === " ") {
      if (!cursor.value) return;
      pick(cursor.value);
    } else if (e.key === "Escape") model.clear();
    else if (e.key === "+" || e.key === "=") view.zoom(1.3);
    else if (e.key === "-") view.zoom(1 / 1.3);
    else if (e.key === "0") view.fit();
    else if ((e.key === "i" || e.key === "I") && cursor.value) inquire(cursor.value);
    else if (e.key === "r" || e.key === "R") flip("ranges");
    else if (e.key === "t" || e.key === "T") flip("threats");
    else if (e.key === "n" || e.key === "N") next(model, stacks, cursor, view);
    else return;
    e.preventDefault();
  };
  const inquire = (space: string) => {
    const c = atlas.spaces.get(space)?.centre, f = frame.current!;
    const k = view.scale.value;
    if (c) peeking.pin(space, view.nearest(c.x) * k - f.scrollLeft, c.y * k - f.scrollTop);
  };
  const unread = numbering(atlas, growth).size * view.scale.value < ID_LEAST ? " no-ids" : "";
  const handlers = both(dragging.before(view.handlers), peeking.handlers);
  const twice = view.twice(), { width, height } = atlas.map;
  const layers = { model, atlas, board, palette, stacks, labels, growth, states: states.value, cursor: cursor.value,
    spreadOut,
    far: atlas.grid && atlas.counter * view.scale.value < TINY };
  return (
    <div class="board">
      <div ref={frame} class="frame" tabIndex={0} role="application" aria-label={t("boardLabel")}
        aria-describedby="board-keys" onKeyDown={onKeyDown} {...handlers}>
        <div class="sheet">
        <svg class={"map " + detail + hiddenLayers() + unread} width={width * (twice ? 2 : 1) * view.scale.value}
          height={height * view.scale.value} viewBox={`0 0 ${twice ? width * 2 : width} ${height}`} onClick={onClick}>
          <Layers {...layers} />
          {twice && <g transform={`translate(${width} 0)`} aria-hidden="true"><Layers {...layers} again /></g>}
        </svg>
        </div>
      </div>
      <DragView model={model} atlas={atlas} palette={palette} dragging={dragging} />
      <OddsCard model={model} frame={frame} target={aimedAt} />
      <p id="board-keys" class="hidden">{t("boardKeys")}</p>
      <p class="hidden" aria-live="polite">{cursor.value && describeSpace(model, cursor.value)}</p>
      <div class="zoom" role="group" aria-label={t("zoom")}>
        <button onClick={() => view.zoom(1.4)} aria-label={t("zoomIn")}>+</button>
        <button onClick={() => view.zoom(1 / 1.4)} aria-label={t("zoomOut")}>−</button>
        <button onClick={() => view.fit()} aria-label={t("zoomFit")}>⤢</button>
        <MapKey atlas={atlas} board={board} palette={palette} />
      </div>
      <Ring model={model} board={board} />
      <ChangesNote model={model} />
      <RangesNote model={model} palette={palette} />
      {!draggingNow.value && <PeekCard model={model} peek={peeking.peek} frame={frame} />}
    </div>
  );
}

interface LayersProps {
  model: GameModel;
  atlas: Atlas;
  board: Board;
  palette: Palette;
  stacks: Map<string, Stack>;
  labels: Label[];
  /** By how much letters are enlarged. */
  growth: number;
  states: States;
  cursor: string;
  spreadOut: Placed[];
  /** Counters would be too small to be told apart. */
  far: boolean;
  again?: boolean;
}

// All that is on the map, from the ground up. The second time, on a map whose edges meet, what never changes is only
// referred to, and nothing has names by which it could be found twice.
function Layers(props: LayersProps) {
  const { model, atlas, board, palette, stacks, labels, states, cursor, growth, spreadOut, far, again } = props;
  return (
    <>
      {again ? <use href="#map-ground" /> : <g id="map-ground"><Ground atlas={atlas} /></g>}
      <Control atlas={atlas} board={board} palette={palette} shown={switches.value} />
      <RangesView model={model} atlas={atlas} palette={palette} />
      <Highlights model={model} atlas={atlas} below again={again} />
      <Zones model={model} atlas={atlas} below again={again} />
      {again ? <use href="#map-print" />
        : <g id="map-print"><Print atlas={atlas} labels={labels} growth={growth} /></g>}
      {far && <Weights atlas={atlas} stacks={stacks} palette={palette} states={states} />}
      <g class={(again ? "stacks-again" : "stacks") + (far ? " weighed-up" : "")}>
        {[...stacks.values()].map((s) =>
          <StackView key={s.space} stack={s} atlas={atlas} palette={palette} states={states}
          dim={model.fanned.value === s.space} again={again} />)}
      </g>
      <ChangesView model={model} atlas={atlas} palette={palette} />
      <Intents model={model} atlas={atlas} />
      <Pins model={model} atlas={atlas} />
      <Highlights model={model} atlas={atlas} again={again} />
      <Zones model={model} atlas={atlas} />
      <Payers model={model} atlas={atlas} again={again} />
      {cursor && <Cursor atlas={atlas} space={cursor} again={again} />}
      <Fan placed={spreadOut} atlas={atlas} palette={palette} states={states} again={again} />
    </>
  );
}

// The topmost of the counters at a place of the map.
function pieceAt(placed: Placed[], x: number, y: number): Piece | undefined {
  return placed.findLast((p) => x >= p.x && x <= p.x + p.size && y >= p.y && y <= p.y + p.size)?.piece;
}

interface PiecesProps {
  atlas: Atlas;
  palette: Palette;
  states: States;
  again: boolean | undefined;
}

function StackView({ stack, atlas, palette, states, dim, again }: PiecesProps & { stack: Stack; dim: boolean }) {
  return (
    <g class={dim ? "stack dim" : "stack"} data-stack={again ? undefined : stack.space}>
      {stack.pieces.map((p) =>
        <PlacedCounter key={p.piece.id} placed={p} atlas={atlas} palette={palette} states={states} again={again} />)}
      {stack.hidden > 0 && (
        <g transform={`translate(${stack.x} ${stack.y + stack.height}) scale(${atlas.counter / 100})`}>
          <circle r="19" fill="#1c1a16" stroke="#fff" stroke-width="3" />
          <text y="9" font-size="25" font-weight="700" text-anchor="middle" fill="#fff">
            {stack.hidden + stack.pieces.length}</text>
        </g>
      )}
    </g>
  );
}

function Fan({ placed, atlas, palette, states, again }: PiecesProps & { placed: Placed[] }) {
  if (!placed.length) return null;
  const pad = placed[0]!.size * 0.16;
  const x = Math.min(...placed.map((p) => p.x)) - pad, y = Math.min(...placed.map((p) => p.y)) - pad;
  const w = Math.max(...placed.map((p) => p.x + p.size)) + pad - x,
    h = Math.max(...placed.map((p) => p.y + p.size)) + pad - y;
  return (
    <g class="fan">
      <rect x={x} y={y} width={w} height={h} rx={pad} />
      {placed.map((p) =>
        <PlacedCounter key={p.piece.id} placed={p} atlas={atlas} palette={palette} states={states} again={again} />)}
    </g>
  );
}

function PlacedCounter({ placed, atlas, palette, states, again }: PiecesProps & { placed: Placed }) {
  const { piece, x, y, size } = placed;
  return (
    <g class="piece" data-piece={again ? undefined : piece.id} transform={`translate(${x} ${y}) scale(${size / 100})`}>
      <title>{title(piece, atlas)}</title>
      <Counter piece={piece} atlas={atlas} color={palette.piece(piece)} emblem={palette.emblem(piece.owner)}
        selected={states.selected.has(piece.id)} open={states.open.has(piece.id)} asked={states.asked.has(
          piece.id)} moved={states.moved.has(piece.id)} />
    </g>
  );
}

function title(p: Piece, atlas: Atlas): string {
  return p.name + (p.numbers.length ? ` (${p.numbers.map((n) => n.value).join("-")})` : "")
    + (p.marks.length ? ` · ${p.marks.map((m) => atlas.names.get("mark " + m) || m).join(", ")}` : "");
}
