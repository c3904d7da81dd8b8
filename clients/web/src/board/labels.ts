import type { Space } from "@warledger/client/proto/board/v1/board";
import { boundsOf, spaceAt, type Atlas } from "./atlas";
import type { Stack } from "./stacks";

/** Label is the name of a space with its place: the middle of its line of writing, and the height of its letters. */
export interface Label {
  space: Space;
  x: number;
  y: number;
  size: number;
  /** It is a word with a number, as of many zones of sea, and written less loudly than a name. */
  numbered: boolean;
}

/** Width of the halo of a name, in heights of its letters. */
export const HALO = 0.22;

/** How far above the middle of its hex the top of a number is, in hexes, and how much numbers may grow to be read. */
const ID_TOP = 0.475, ID_GROWTH = 2;

/** Below how many pixels a number is not worth its ink. */
export const ID_LEAST = 7;

/** Numbering is how the numbers of hexes are written: how high, and how far above the middle. */
export interface Numbering {
  size: number;
  above: number;
}

/** numbering is that at a growth of the letters. */
export function numbering(atlas: Atlas, growth = 1): Numbering {
  const size = atlas.pitch * 0.105 * Math.min(growth, ID_GROWTH);
  return { size, above: atlas.pitch * ID_TOP - size * 0.72 };
}

/** How much larger names are written where the whole map is small, and how far they may shrink to find room. */
const GROWTH = { far: 1.7, middle: 1.25, near: 1 } as const, SHRUNK = [1, 0.8, 0.62];

/** How much smaller the name of a space is written that is no more than a number. */
const NUMBERED = 0.74;

/** How high letters should be at least on a map of hexes, in pixels, and the steps by which they grow for that. */
const LEGIBLE = 8.5, STEP = 1.25;

/**
 * growthOf is by how much the names of hexes are enlarged at a scale, in few steps: names are not placed anew with
 * every turn of the wheel.
 */
export function growthOf(atlas: Atlas, scale: number): number {
  return atlas.grid ? STEP ** Math.max(0, Math.ceil(Math.log(LEGIBLE / (atlas.pitch * NAME * scale)) / Math.log(STEP)))
    : 1;
}

/** Height of the letters of a hex's name, in hexes. */
const NAME = 0.13;

interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

const FONT = '"Noto Sans", "Noto Sans CJK JP", system-ui, sans-serif';
const pen = document.createElement("canvas").getContext("2d");

// measure is how much room a text takes at a height of letters of 1: its width, and how far it goes above and below its
// line.
function measure(text: string, weight: number): [width: number, up: number, down: number] {
  if (!pen) return [text.length * 0.62, 1.1, 0.35];
  pen.font = `${weight} 100px ${FONT}`;
  const m = pen.measureText(text);
  return [m.width / 100, m.fontBoundingBoxAscent / 100, m.fontBoundingBoxDescent / 100];
}

/**
 * layOut places the names of spaces so that none lies over another, over a counter or over the number of a hex. Where
 * there is no room beside its space even for small letters a name is left out; whoever points at the space is told it.
 */
export function layOut(atlas: Atlas, stacks: Map<string, Stack>, detail: "far" | "middle" | "near",
  growth: number): Label[] {
  const taken = new Grid(Math.max(atlas.pitch, 1)), { width, height } = atlas.map;
  for (const s of stacks.values()) {
    const pad = atlas.counter * 0.1; // frames and shadows
    for (const p of s.pieces)
      taken.add({ x0: p.x - pad, y0: p.y - pad, x1: p.x + p.size + pad, y1: p.y + p.size + pad });
    if (s.hidden) taken.add(around(s.x, s.y + s.height, atlas.counter * 0.24));
  }
  const ids = numbering(atlas, growth);
  if (atlas.grid && detail !== "far") for (const s of atlas.map.spaces) if (s.centre) taken.add(idBox(s, ids));
  const named = atlas.map.spaces.filter((s) => s.name && s.label && s.centre).sort((a, b) => weight(b) - weight(a));
  const labels: Label[] = [], beside = SHRUNK.map((k) => [k, false] as const);
  for (const s of named) {
    const text = s.name + (s.value > 0 ? ` ${s.value}` : ""), [w, up, down] = measure(text, 700),
      numbered = /\d$/.test(s.name);
    const usual = sizeOf(atlas, s) * (atlas.grid ? Math.max(growth, GROWTH[detail])
      : GROWTH[detail] * (numbered ? NUMBERED : 1));
    // In a hex of its own a name is rather small than in another's.
    search: for (const [shrunk, own] of atlas.grid ? [...SHRUNK.map((k) => [k, true] as const), ...beside] : beside) {
      const size = usual * shrunk, half = (w * size) / 2 + size * HALO;
      for (const [x, y] of own ? ownPlaces(atlas, s)
        : placesOf(atlas, s, stacks.get(s.id), half, size)) {
        const box = { x0: x - half, x1: x + half, y0: y - (up + HALO / 2) * size, y1: y + (down + HALO / 2) * size };
        if (box.y0 < 0 || box.y1 > height || box.x0 < 0 || box.x1 > width || taken.hits(box)
          || astray(atlas, s, x, y - size * 0.36, half)) continue;
        taken.add(box);
        labels.push({ space: s, x, y, size, numbered });
        break search;
      }
    }
  }
  return labels;
}

// Places that are worth something are named first.
function weight(s: Space): number {
  return s.value * 10 + s.features.length;
}

function sizeOf(atlas: Atlas, s: Space): number {
  return atlas.grid ? atlas.pitch * NAME : Math.min(s.labelSize || atlas.map.width / 220, atlas.map.width / 165);
}

// The lower part of a hex, below what stands in it.
function ownPlaces(atlas: Atlas, s: Space): [number, number][] {
  return [0.46, 0.485, 0.4, 0.34, 0.28].map((down) => [s.centre!.x, s.centre!.y + atlas.pitch * down]);
}

// Where a name may be written: where the map has it, else around what stands in its space.
function placesOf(atlas: Atlas, s: Space, stack: Stack | undefined, half: number, size: number): [number, number][] {
  const c = s.centre!, pitch = atlas.grid ? atlas.pitch : atlas.counter * 2, drop = size * 0.36;
  const home: [number, number] = atlas.grid ? [c.x, c.y + pitch * 0.46] : [s.label!.x, s.label!.y + drop];
  const at = stack ?? { x: c.x - pitch * 0.28, y: c.y - pitch * 0.28, width: pitch * 0.56, height: pitch * 0.56 };
  const gap = atlas.counter * 0.14 + size * 0.4, middle = at.x + at.width / 2, left = at.x - gap - half,
    right = at.x + at.width + gap + half;
  const below = at.y + at.height + gap + size, above = at.y - gap - size * 0.3;
  const near: [number, number][] = [
    [middle, below], [middle, above], [right, at.y + at.height / 2 + drop], [left, at.y + at.height / 2 + drop],
    [right, below], [left, below], [right, above], [left, above], [middle, below + size * 1.4],
      [middle, above - size * 1.4],
  ];
  return [home, ...near, ...(atlas.grid ? [] : within(s, half, drop))];
}

// Places all over an area, those near its own label first.
function within(s: Space, half: number, drop: number): [number, number][] {
  const [x0, y0, x1, y1] = boundsOf(s),
    all: [number, number][] = [[x0 + half, s.label!.y + drop], [x1 - half, s.label!.y + drop]];
  for (let i = 1; i < 8; i++) for (let j = 1; j < 8; j++)
    all.push([x0 + ((x1 - x0) * i) / 8, y0 + ((y1 - y0) * j) / 8 + drop]);
  const far = ([x, y]: [number, number]) => Math.hypot(x - s.label!.x, y - drop - s.label!.y);
  return all.sort((a, b) => far(a) - far(b));
}

// Whether a name would stand in another area than its own, which has room for it.
function astray(atlas: Atlas, s: Space, x: number, y: number, half: number): boolean {
  if (atlas.grid) return false;
  const [x0, , x1] = boundsOf(s), host = spaceAt(atlas, x, y);
  return x1 - x0 > half * 2 && host !== s.id;
}

function around(x: number, y: number, r: number): Box {
  return { x0: x - r, y0: y - r, x1: x + r, y1: y + r };
}

function idBox(s: Space, { size, above }: Numbering): Box {
  const [w, up, down] = measure(s.id, 400), y = s.centre!.y - above;
  return { x0: s.centre!.x - (w * size) / 2, x1: s.centre!.x + (w * size) / 2, y0: y - up * size, y1: y + down * size };
}

// Grid finds boxes by where they are.
class Grid {
  private readonly cells = new Map<string, Box[]>();

  constructor(private readonly cell: number) {}

  add(b: Box): void {
    for (const key of this.keys(b)) this.cells.get(key)?.push(b) ?? this.cells.set(key, [b]);
  }

  hits(b: Box): boolean {
    return this.keys(b)
      .some((key) => this.cells.get(key)?.some((o) => o.x0 < b.x1 && o.x1 > b.x0 && o.y0 < b.y1 && o.y1 > b.y0));
  }

  private keys(b: Box): string[] {
    const all: string[] = [], at = (v: number) => Math.floor(v / this.cell);
    for (let x = at(b.x0); x <= at(b.x1); x++) for (let y = at(b.y0); y <= at(b.y1); y++) all.push(`${x} ${y}`);
    return all;
  }
}
