import type { Piece } from "@warledger/client/proto/board/v1/board";
import type { Atlas } from "./atlas";

/** Placed is a piece with its place on the canvas: the top left corner and the side of its counter. */
export interface Placed {
  piece: Piece;
  x: number;
  y: number;
  size: number;
}

/** Stack is all pieces in a space. */
export interface Stack {
  space: string;
  pieces: Placed[];
  /** All that are in it, the shown ones included. */
  all: Piece[];
  /** How many pieces lie under those that are shown. */
  hidden: number;
  /** Extent of what is shown. */
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How many counters of a stack are shown when it is not spread out. */
const SHOWN = 4;

/** stacksOf places the pieces that are on the map; those in boxes are shown beside it. */
export function stacksOf(atlas: Atlas, pieces: Piece[]): Map<string, Stack> {
  const by = new Map<string, Piece[]>();
  for (const p of pieces) if (atlas.spaces.has(p.place)) by.get(p.place)?.push(p) ?? by.set(p.place, [p]);
  const all = new Map<string, Stack>();
  for (const [space, list] of by) {
    // Where the ruleset has no order, units lie on what they stand in.
    list.sort((a, b) => a.order - b.order || Number(a.symbol !== "") - Number(b.symbol !== ""));
    all.set(space, atlas.grid ? pile(atlas, space, list) : spread(atlas, space, list));
  }
  return all;
}

// In a hex the counters lie on one another, the top one to the upper right.
function pile(atlas: Atlas, space: string, list: Piece[]): Stack {
  const c = atlas.spaces.get(space)!.centre!;
  const shown = list.slice(-SHOWN);
  const size = atlas.counter * (shown.length > 1 ? 0.94 : 1), step = size * 0.1;
  const span = size + step * (shown.length - 1);
  const x = c.x - span / 2, y = c.y - span / 2 + atlas.pitch * 0.02;
  const placed = shown.map((piece, i) => ({ piece, size, x: x + i * step, y: y + (shown.length - 1 - i) * step }));
  return { space, pieces: placed, all: list, hidden: list.length - shown.length, x, y, width: span, height: span };
}

// In an area the counters lie side by side as long as there is room, else the first ones and a number.
function spread(atlas: Atlas, space: string, list: Piece[]): Stack {
  const s = atlas.spaces.get(space)!;
  const c = s.centre!, room = s.room || atlas.counter * 1.2;
  const least = atlas.counter * 0.62;
  let size = atlas.counter, columns = 1;
  for (; size > least; size *= 0.94) {
    columns = Math.max(1, Math.floor((room * 2.3) / size));
    if (Math.ceil(list.length / columns) * size <= room * 2.2) break;
  }
  columns = Math.min(columns, Math.ceil(Math.sqrt(list.length * 1.6)));
  const rows = Math.ceil(list.length / columns);
  const width = columns * size, height = rows * size;
  const x = c.x - width / 2, y = c.y - height / 2;
  const placed =
    list.map((piece, i) =>
    ({ piece, size: size * 0.94, x: x + (i % columns) * size, y: y + Math.floor(i / columns) * size }));
  return { space, pieces: placed, all: list, hidden: 0, x, y, width, height };
}

/** fan spreads a stack out for choosing: side by side in rows, above its space, within the map. */
export function fan(atlas: Atlas, stack: { space: string }, list: Piece[]): Placed[] {
  const c = atlas.spaces.get(stack.space)?.centre;
  if (!c) return [];
  const size = atlas.grid ? atlas.counter * 1.15 : Math.max(atlas.counter * 1.3, 40), gap = size * 1.16;
  const columns = Math.min(list.length, Math.max(4, Math.ceil(Math.sqrt(list.length))));
  const rows = Math.ceil(list.length / columns);
  const x = Math.min(Math.max(c.x - (columns * gap) / 2, gap * 0.2), atlas.map.width - columns * gap);
  let y = c.y - atlas.pitch * (atlas.grid ? 0.55 : 0) - rows * gap - (atlas.grid ? 0 : size * 0.9);
  if (y < 0) y = Math.min(c.y + atlas.counter * 0.8, atlas.map.height - rows * gap);
  return list.map((piece, i) => ({ piece, size, x: x + (i % columns) * gap, y: y + Math.floor(i / columns) * gap }));
}

/** middleOf is where the game goes on: the middle of the stacks of which pieces can act, or of all; null for none. */
export function middleOf(stacks: Map<string, Stack>, actors: Set<string>): [number, number] | null {
  const all = [...stacks.values()], own = all.filter((s) => s.all.some((p) => actors.has(p.id)));
  const of = own.length ? own : all, median = (n: number[]) => n.sort((a, b) => a - b)[n.length >> 1]!;
  return of.length ? [median(of.map((s) => s.x + s.width / 2)), median(of.map((s) => s.y + s.height / 2))] : null;
}
