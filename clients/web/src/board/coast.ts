import type { Point, Space } from "@warledger/client/proto/board/v1/board";
import { linePath } from "./atlas";

/**
 * coastsOf are the lines along which areas meet none of the others, a path for each area that has some. Points that a
 * line of a breadth hides are left out: they stray from it by less than a sixteenth of the breadth.
 */
export function coastsOf(areas: Space[], breadth: number): string[] {
  const times = new Map<string, number>();
  for (const s of areas) for (const { points } of s.outline)
    points.forEach((p, i) => {
      const key = keyOf(p, points[(i + 1) % points.length]!);
      times.set(key, (times.get(key) ?? 0) + 1);
    });
  const outer = (a: Point, b: Point) => times.get(keyOf(a, b)) === 1;
  return areas.flatMap((s) => s.outline.flatMap(({ points }) => chains(points, outer))
    .map((chain) => linePath(thinned(chain, breadth / 16))).join("") || []);
}

// A side of an area is the same seen from either of its ends.
function keyOf(a: Point, b: Point): string {
  const at = (p: Point) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`, [one, other] = [at(a), at(b)];
  return one < other ? one + "|" + other : other + "|" + one;
}

// The parts of a ring of which every side is wanted, from end to end.
function chains(ring: Point[], wanted: (a: Point, b: Point) => boolean): Point[][] {
  const n = ring.length, all: Point[][] = [], side = (i: number) => wanted(ring[i % n]!, ring[(i + 1) % n]!);
  let from = 0;
  while (from < n && side(from)) from++;
  if (from === n) return n ? [[...ring, ring[0]!]] : [];
  let chain: Point[] = [];
  for (let i = from; i <= from + n; i++) {
    if (side(i)) chain.push(ring[i % n]!);
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
