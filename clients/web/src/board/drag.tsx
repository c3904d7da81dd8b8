import { signal, useSignal, type Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Piece } from "@warledger/client/proto/board/v1/board";
import { aim, aimed } from "../game/choice";
import type { GameModel } from "../game/model";
import { t } from "../words";
import type { Atlas } from "./atlas";
import type { Palette } from "./color";
import { Counter } from "./counter";

/** How far a pointer goes before a press is a drag, in pixels. */
const SLOP = 6;

/** How near to the end of the frame the map begins to move, in pixels, and how fast, in pixels a frame. */
const EDGE = 34, SPEED = 9;

/** How many of the actions at a place are named beside the pointer. */
const NAMED = 3;

/** Drag is what is being dragged over the board. */
interface Drag {
  pieces: string[];
  /** Where they stand, and the space under the pointer. */
  from: string;
  over: string;
}

/** Dragging is how pieces are dragged. */
export interface Dragging {
  drag: Signal<Drag | null>;
  ghost: RefObject<HTMLDivElement | null>;
  line: RefObject<SVGLineElement | null>;
  /** Whether the last press was a drag of pieces, and so is no click. */
  dragged(): boolean;
  /** end lets go of what is dragged, where it stands. */
  end(): void;
  /** before gives a press that takes pieces to the drag, and any other to these listeners. */
  before<H extends Partial<Record<Event, (e: PointerEvent) => void>>>(others: H): H & Record<Event,
    (e: PointerEvent) => void>;
}

type Event = "onPointerDown" | "onPointerMove" | "onPointerUp" | "onPointerCancel";

/** What a board tells of itself to whoever drags over it. */
interface Ground {
  /** The piece under a place of the window that a press would take, and the space there. */
  piece(x: number, y: number): Piece | undefined;
  space(x: number, y: number): string | undefined;
  /** Where the middle of a space is, in pixels of the frame. */
  middle(space: string): { x: number; y: number } | undefined;
  /** Moves the map by pixels. */
  pan(dx: number, dy: number): void;
}

/** True while pieces are dragged: what is only for a pointer at rest keeps away. */
export const draggingNow = signal(false);

/**
 * grabbed are the pieces that a press on one of them would drag: all that are chosen if one of them is there, or all of
 * its place that can go elsewhere, or it alone; where it can't, the one under it that can. A finger drags only what has
 * been chosen, since it moves the map otherwise.
 */
export function grabbed(model: GameModel, piece: Piece | undefined, touch: boolean, all: boolean): string[] {
  if (!piece || !model.live.value || model.busy.value) return [];
  const chosen = model.choice.value.pieces, pieces = model.board.value!.pieces;
  // What is chosen may lie under others.
  if (pieces.some((p) => p.place === piece.place && chosen.includes(p.id))) return chosen;
  if (touch) return [];
  // Only what can go elsewhere is dragged; the rest of the board moves with the mouse.
  const goes = new Set(model.actions.value.filter((a) => aim(a) && aim(a) !== piece.place).flatMap((a) => a.pieces));
  const here = pieces.filter((p) => p.place === piece.place && goes.has(p.id)).map((p) => p.id);
  if (all || (here.length === 1 && !goes.has(piece.id))) return here;
  return goes.has(piece.id) ? [piece.id] : [];
}

/** useDrag lets pieces be dragged to where they could go, as well as clicked. */
export function useDrag(model: GameModel, frame: RefObject<HTMLDivElement | null>, ground: Ground,
  drop: (space: string) => void): Dragging {
  const drag = useSignal<Drag | null>(null), ghost = useRef<HTMLDivElement>(null), line = useRef<SVGLineElement>(null);
  const now = useMemo(() => ({ ground, drop, pointer: -1, pieces: [] as string[], from: "", begun: [0, 0], at: [0, 0],
    dragged: false, frame: 0 }), []);
  Object.assign(now, { ground, drop });
  const dragging = useMemo((): Dragging => {
    const end = () => {
      cancelAnimationFrame(now.frame);
      now.pointer = -1;
      drag.value = null;
      draggingNow.value = false;
    };
    // The counter beside the pointer and the line from where it stands are moved without drawing anything anew.
    const place = () => {
      const box = frame.current?.getBoundingClientRect(), from = now.ground.middle(now.from);
      if (!box) return;
      const x = now.at[0]! - box.left, y = now.at[1]! - box.top;
      if (ghost.current) {
        ghost.current.style.transform = `translate(${x}px, ${y}px)`;
        ghost.current.classList.toggle("right", x > box.width / 2);
      }
      if (line.current && from)
        for (const [key, v] of Object.entries({ x1: from.x, y1: from.y, x2: x, y2: y }))
          line.current.setAttribute(key, String(Math.round(v)));
    };
    const look = () => {
      const over = now.ground.space(now.at[0]!, now.at[1]!) ?? "";
      if (drag.value && drag.value.over !== over) drag.value = { ...drag.value, over };
    };
    // Near the end of the frame the map comes along.
    const along = () => {
      const box = frame.current?.getBoundingClientRect();
      if (!box || !drag.value) return;
      const pull = (at: number, low: number, high: number) => (at < low + EDGE ? -SPEED : at > high - EDGE ? SPEED : 0);
      const dx = pull(now.at[0]!, box.left, box.right), dy = pull(now.at[1]!, box.top, box.bottom);
      if (dx || dy) {
        now.ground.pan(dx, dy);
        look();
        place();
      }
      now.frame = requestAnimationFrame(along);
    };
    const begin = (e: PointerEvent) => {
      now.dragged = true;
      frame.current!.setPointerCapture(e.pointerId);
      model.clear();
      model.choice.value = { pieces: now.pieces, spaces: [] };
      drag.value = { pieces: now.pieces, from: now.from, over: "" };
      draggingNow.value = true;
      now.frame = requestAnimationFrame(along);
    };
    return {
      drag, ghost, line, end,
      dragged: () => now.dragged,
      before: (others) => ({ ...others,
        onPointerDown: (e) => {
          if (now.pointer >= 0) end(); // a second finger wants something else
          now.dragged = false;
          const piece = e.button === 0 && e.isPrimary ? now.ground.piece(e.clientX, e.clientY) : undefined;
          now.pieces = grabbed(model, piece, e.pointerType === "touch", e.shiftKey);
          if (!now.pieces.length) return others.onPointerDown?.(e);
          Object.assign(now, { pointer: e.pointerId, from: piece!.place, begun: [e.clientX, e.clientY] });
        },
        onPointerMove: (e) => {
          if (e.pointerId !== now.pointer) return others.onPointerMove?.(e);
          now.at = [e.clientX, e.clientY];
          if (!drag.value) {
            if (Math.hypot(e.clientX - now.begun[0]!, e.clientY - now.begun[1]!) <= SLOP) return;
            begin(e);
          }
          look();
          place();
        },
        onPointerUp: (e) => {
          if (e.pointerId !== now.pointer) return others.onPointerUp?.(e);
          const space = drag.value && (now.ground.space(e.clientX, e.clientY) ?? "");
          end();
          // Dropped beside the board or where they stand, they stay chosen.
          if (space && space !== now.from) now.drop(space);
        },
        onPointerCancel: (e) => {
          if (e.pointerId !== now.pointer) return others.onPointerCancel?.(e);
          end();
        },
      }),
    };
  }, []);
  useEffect(() => {
    const onEscape = (e: KeyboardEvent) => e.key === "Escape" && dragging.end();
    addEventListener("keydown", onEscape);
    return () => {
      removeEventListener("keydown", onEscape);
      dragging.end();
    };
  }, []);
  return dragging;
}

/** DragView is what follows the pointer: the counter, and what could be done where it is. */
export function DragView({ model, atlas, palette, dragging }:
  { model: GameModel; atlas: Atlas; palette: Palette; dragging: Dragging }) {
  const drag = dragging.drag.value, board = model.board.value!;
  if (!drag) return null;
  const piece = board.pieces.find((p) => p.id === drag.pieces[0]);
  const there = drag.over && drag.over !== drag.from ? aimed(model.open.value, model.choice.value, drag.over) : [];
  const labels = [...new Set(there.map((a) => a.label + (a.cost ? ` · ${a.cost}` : "")))];
  const name = atlas.spaces.get(drag.over)?.name || drag.over;
  return (
    <div class="dragging" aria-hidden="true" data-over={drag.over} data-drop={String(there.length)}>
      <svg><line ref={dragging.line} class={there.length ? "can" : ""} /></svg>
      <div ref={dragging.ghost} class="ghost">
        {piece && <svg viewBox="-4 -4 112 112"><Counter piece={piece} atlas={atlas} color={palette.piece(piece)}
          emblem={palette.emblem(piece.owner)} selected /></svg>}
        {drag.pieces.length > 1 && <b>{drag.pieces.length}</b>}
        {drag.over && drag.over !== drag.from && (
          <ul>
            {labels.slice(0, NAMED).map((l) => <li key={l}>{l}</li>)}
            {labels.length > NAMED && <li>{t("dropMore", { n: labels.length - NAMED })}</li>}
            {!labels.length && <li>{t("dropNothing", { place: name })}</li>}
          </ul>
        )}
      </div>
    </div>
  );
}
