import type { Point, Space } from "@warledger/client/proto/board/v1/board";
import { linePath } from "./atlas";

/** The lines along which areas meet none of the others, by area. */
export type Coasts = Point[][][];

/** coastsOf finds the coasts of areas whose neighbours have the points of their borders in common. */
export function coastsOf(areas: Space[]): Coasts {
  const times = new Map<string, number>();
  const rings = areas.map((s) => s.outline.map(({ points }) => ({ points, keys: keysOf(points) })));
  for (const { keys } of rings.flat()) for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
  return rings.map((of) => of.flatMap(({ points, keys }) => chains(points, (i) => times.get(keys[i]!) === 1)))
    .filter((coasts) => coasts.length);
}

/**
 * coastPaths are coasts as lines of a breadth, a path for each area. Points that the breadth hides are left out: they
 * stray from the line by less than a sixteenth of it.
 */
export function coastPaths(coasts: Coasts, breadth: number): string[] {
  return coasts.map((of) => of.map((line) => linePath(thinned(line, breadth / 16))).join(""));
}

// The names of the sides of a ring, the same from either of a side's ends.
function keysOf(ring: Point[]): string[] {
  const at = ring.map((p) => Math.round(p.x * 10) * 1e6 + Math.round(p.y * 10));
  return at.map((one, i) => {
    const other = at[(i + 1) % at.length]!;
    return one < other ? `${one} ${other}` : `${other} ${one}`;
  });
}

// The parts of a ring of which every side is wanted, from end to end.
function chains(ring: Point[], wanted: (side: number) => boolean): Point[][] {
  const n = ring.length, all: Point[][] = [];
  let from = 0;
  while (from < n && wanted(from)) from++;
  if (from === n) return n ? [[...ring, ring[0]!]] : [];
  let chain: Point[] = [];
  for (let i = from; i <= from + n; i++) {
    if (wanted(i % n)) chain.push(ring[i % n]!);
    else if (chain.length) {
      all.push([...chain, ring[i % n]!]);
      chain = [];
    }
  }
  return all;
}

// thinned leaves out the points of a line that are nearer than a distance to what remains (Douglas and Peucker).
function thinned(line: Point[], distance: number): Point[] {
  const first = line[0], last = line.at(-1);
  if (!first || !last || line.length < 3) return line;
  let farthest = 0, most = 0;
  for (let i = 1; i < line.length - 1; i++) {
    const d = distanceTo(line[i]!, first, last);
    if (d > most) [farthest, most] = [i, d];
  }
  if (most <= distance) return [first, last];
  return [...thinned(line.slice(0, farthest + 1), distance).slice(0, -1), ...thinned(line.slice(farthest), distance)];
}

// How far a point is from the straight line between two others, which ends with them.
function distanceTo(p: Point, a: Point, b: Point): number {
  const dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  const t = square && Math.min(Math.max(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0), 1);
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}
