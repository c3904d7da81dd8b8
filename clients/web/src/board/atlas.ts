import type { Legend, Link, Map as BoardMap, Point, Ring, Space } from "@warledger/client/proto/board/v1/board";

/** Atlas is a map made ready for drawing and for finding what is under a finger. */
export interface Atlas {
  map: BoardMap;
  /** Spaces by id. */
  spaces: Map<string, Space>;
  /** Outline of each space as SVG path data. */
  paths: Map<string, string>;
  /** Colours and names by key. */
  colors: Map<string, string>;
  names: Map<string, string>;
  /** Silhouettes by key, SVG path data in a box of 100 by 100. */
  shapes: Map<string, string>;
  glyphs: Map<string, string>;
  /** Widths of lines by key, in hexes; none where the client may choose. */
  widths: Map<string, number>;
  /** Whether the map is made of hexes or the like: all spaces about as large. */
  grid: boolean;
  /** Typical distance between the middles of neighbours, in the map's unit. */
  pitch: number;
  /** Side of a counter, in the map's unit. */
  counter: number;
  boxes: { id: string; name: string; owner: string; reading: string }[];
}

/** chart makes an atlas of a map. */
export function chart(map: BoardMap): Atlas {
  const spaces = new Map(map.spaces.map((s) => [s.id, s]));
  const grid = isGrid(map);
  const pitch = pitchOf(map, spaces);
  return {
    map, spaces, grid, pitch,
    paths: new Map(map.spaces.map((s) => [s.id, s.outline.map(ringPath).join("")])),
    colors: said(map, (l) => l.color), shapes: said(map, (l) => l.shape), names: said(map, (l) => l.name),
      glyphs: said(map, (l) => l.glyph),
    widths: new Map(map.legend.flatMap((l) => (l.width ? [[l.key, l.width] as const] : []))),
    counter: grid ? pitch * 0.56 : Math.max(map.width / 110, 18),
    boxes: map.boxes,
  };
}

// Kinds, marks and numbers have keys of their own, which may be the same words as those of terrains.
function said(map: BoardMap, pick: (l: Legend) => string): Map<string, string> {
  const part = (prefix: string, all: Legend[]) => all.map((l) => [prefix + l.key, pick(l)] as const);
  return new Map([...part("", map.legend), ...part("kind ", map.kinds), ...part("mark ", map.marks),
    ...part("number ", map.numbers)]);
}

const round = (n: number) => Math.round(n * 10) / 10;

export function ringPath(r: Ring): string {
  return r.points.length ? "M" + r.points.map((p) => `${round(p.x)} ${round(p.y)}`).join("L") + "Z" : "";
}

export function linePath(points: Point[]): string {
  return points.length ? "M" + points.map((p) => `${round(p.x)} ${round(p.y)}`).join("L") : "";
}

/** linkPath is the line of a road through the middles of its spaces. */
export function linkPath(link: Link, spaces: Map<string, Space>): string {
  return linePath(link.spaces.flatMap((id) => spaces.get(id)?.centre ?? []));
}

// A map of hexes has outlines of one ring with few corners throughout.
function isGrid(map: BoardMap): boolean {
  const plain = map.spaces.filter((s) => s.outline.length === 1 && s.outline[0]!.points.length <= 8).length;
  return plain > map.spaces.length * 0.9;
}

function pitchOf(map: BoardMap, spaces: Map<string, Space>): number {
  const all: number[] = [];
  for (const s of map.spaces) {
    for (const id of s.neighbors) {
      const n = spaces.get(id);
      if (n?.centre && s.centre) all.push(Math.hypot(n.centre.x - s.centre.x, n.centre.y - s.centre.y));
    }
  }
  all.sort((a, b) => a - b);
  return all[all.length >> 1] ?? Math.sqrt((map.width * map.height) / Math.max(map.spaces.length, 1));
}

/** spaceAt finds the space at a place of the map; the smallest, where one lies within another. */
export function spaceAt(atlas: Atlas, x: number, y: number): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const s of atlas.map.spaces) {
    const box = boundsOf(s);
    if (x < box[0] || x > box[2] || y < box[1] || y > box[3] || !inside(s, x, y)) continue;
    const size = (box[2] - box[0]) * (box[3] - box[1]);
    if (size < least) [best, least] = [s.id, size];
  }
  return best;
}

const bounds = new WeakMap<Space, [number, number, number, number]>();

export function boundsOf(s: Space): [number, number, number, number] {
  let box = bounds.get(s);
  if (!box) {
    box = [Infinity, Infinity, -Infinity, -Infinity];
    for (const ring of s.outline) {
      for (const p of ring.points) {
        box = [Math.min(box[0], p.x), Math.min(box[1], p.y), Math.max(box[2], p.x), Math.max(box[3], p.y)];
      }
    }
    bounds.set(s, box);
  }
  return box;
}

function inside(s: Space, x: number, y: number): boolean {
  let odd = false;
  for (const { points } of s.outline) {
    for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
      const a = points[i]!, b = points[j]!;
      if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) odd = !odd;
    }
  }
  return odd;
}

/** towards finds the space that lies nearest in a direction, for the arrow keys: neighbours first, then any. */
export function towards(atlas: Atlas, from: string, dx: number, dy: number): string {
  const here = atlas.spaces.get(from)?.centre;
  if (!here) return atlas.map.spaces[0]?.id ?? "";
  const search = (ids: Iterable<string>) => {
    let best = "", least = Infinity;
    for (const id of ids) {
      const c = atlas.spaces.get(id)?.centre;
      if (!c || id === from) continue;
      const along = (c.x - here.x) * dx + (c.y - here.y) * dy;
      const aside = Math.abs((c.x - here.x) * dy - (c.y - here.y) * dx);
      if (along <= 0 || aside > along * 1.8) continue;
      const cost = along + aside * 1.5;
      if (cost < least) [best, least] = [id, cost];
    }
    return best;
  };
  return search(atlas.spaces.get(from)!.neighbors) || search(atlas.spaces.keys()) || from;
}
