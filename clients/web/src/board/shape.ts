import type { Edge, Point, Space } from "@warledger/client/proto/board/v1/board";

/** How far the middle of a side may stray from it, in the distance of two hexes. */
const STRAY = 0.05;

/** Corner is a corner of spaces; that which several share is one. */
type Corner = [x: number, y: number];

/** Side is a side of a space, in the order of its outline. */
interface Side {
  from: string;
  to: string;
  /** Names the side whichever way it is gone. */
  key: string;
}

const one = (n: number) => Math.round(n * 10) / 10;

/**
 * Shapes is the geometry of a map of hexes: which sides and corners its spaces share, and so the outlines of whole
 * woods, seas and rivers, drawn as soft lines. They keep within a tenth of a hex of the sides that they follow.
 */
export class Shapes {
  private readonly corners = new Map<string, Corner>();
  private readonly sides = new Map<Space, Side[]>();
  private readonly beside = new Map<string, Space[]>();

  constructor(spaces: Space[], private readonly pitch: number) {
    for (const s of spaces) {
      const all = s.outline.flatMap(({ points }) =>
        points.map((p, i) => this.side(p, points[(i + 1) % points.length]!)));
      this.sides.set(s, all);
      for (const { key } of all) this.beside.get(key)?.push(s) ?? this.beside.set(key, [s]);
    }
  }

  private corner(p: Point): string {
    const key = `${Math.round(p.x)} ${Math.round(p.y)}`;
    if (!this.corners.has(key)) this.corners.set(key, [p.x, p.y]);
    return key;
  }

  private side(p: Point, q: Point): Side {
    const from = this.corner(p), to = this.corner(q);
    return { from, to, key: from < to ? `${from}|${to}` : `${to}|${from}` };
  }

  private other(s: Space, key: string): Space | undefined {
    return this.beside.get(key)!.find((x) => x !== s);
  }

  // The middle of a side, a little beside it, always on the same side whoever asks. Inset moves it on.
  private middle(key: string, jitter: boolean, inset: Corner = [0, 0]): Corner {
    const [a, b] = key.split("|").map((k) => this.corners.get(k)!) as [Corner, Corner];
    const by = jitter ? this.pitch * STRAY * noise(key) : 0, length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    return [(a[0] + b[0]) / 2 - ((b[1] - a[1]) / length) * by + inset[0],
      (a[1] + b[1]) / 2 + ((b[0] - a[0]) / length) * by + inset[1]];
  }

  /**
   * outline is what bounds a part of the map: soft where its neighbour is of the map, and inset there by so much; along
   * the sides for which hard says so it goes from corner to corner.
   */
  outline(of: (s: Space) => boolean, hard: (beyond: Space | undefined) => boolean, inset = 0):
    { area: string; line: string } {
    const out = new Map<string, (Side & { hard: boolean })[]>();
    for (const [s, sides] of this.sides) {
      if (!of(s)) continue;
      for (const side of sides) {
        const beyond = this.other(s, side.key);
        if (beyond && of(beyond)) continue;
        const x = { ...side, hard: hard(beyond) };
        out.get(side.from)?.push(x) ?? out.set(side.from, [x]);
      }
    }
    const area: string[] = [], line: string[] = [];
    for (const first of [...out.keys()]) {
      const loop: (Side & { hard: boolean })[] = [];
      for (let at = first; out.get(at)?.length;) {
        const next = out.get(at)!.pop()!;
        loop.push(next);
        at = next.to;
      }
      if (loop.length) this.draw(loop, inset, area, line);
    }
    return { area: area.join(""), line: line.join("") };
  }

  private draw(loop: (Side & { hard: boolean })[], inset: number, area: string[], line: string[]): void {
    const normal = loop.map((x) => this.inward(x)), n = loop.length;
    const middles = loop.map((x, i) => this.middle(x.key, !x.hard,
      x.hard ? [0, 0] : [normal[i]![0] * inset, normal[i]![1] * inset]));
    area.push(`M${put(middles[0]!)}`);
    let drawn = -1;
    for (let i = 0; i < n; i++) {
      const j = (i + 1) % n, a = loop[i]!, b = loop[j]!, to = middles[j]!, soft = !a.hard && !b.hard;
      const lean = soft ? [normal[i]![0] + normal[j]![0], normal[i]![1] + normal[j]![1]] as Corner : [0, 0] as Corner;
      const by = inset / Math.max(1, Math.hypot(...lean)), at = this.corners.get(a.to)!;
      const v: Corner = [at[0] + lean[0] * by, at[1] + lean[1] * by];
      area.push(soft ? `Q${put(v)} ${put(to)}` : `L${put(v)}L${put(to)}`);
      if (a.hard && b.hard) continue;
      if (drawn !== i) line.push(`M${put(a.hard ? v : middles[i]!)}`);
      line.push(soft ? `Q${put(v)} ${put(to)}` : a.hard ? `L${put(to)}` : `L${put(v)}`);
      drawn = b.hard ? -1 : j;
    }
    area.push("Z");
  }

  // The way from a side into what it bounds: outlines go round with what they bound to their right, as y grows
  // downwards, or all to their left.
  private inward({ from, to }: Side): Corner {
    const a = this.corners.get(from)!, b = this.corners.get(to)!, length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    return [(-(b[1] - a[1]) / length) * this.turn, ((b[0] - a[0]) / length) * this.turn];
  }

  private get turn(): number {
    const [s] = this.sides.keys();
    if (!s) return 1;
    let twice = 0;
    const ring = s.outline[0]!.points;
    ring.forEach((p, i) => {
      const q = ring[(i + 1) % ring.length]!;
      twice += p.x * q.y - q.x * p.y;
    });
    return twice >= 0 ? 1 : -1;
  }

  /** between is the line of a feature on the border of two spaces, from corner to corner. */
  private between(e: Edge, spaces: Map<string, Space>): string[] {
    if (e.points.length > 1) {
      const found: string[] = [];
      for (let i = 1; i < e.points.length; i++) found.push(this.side(e.points[i - 1]!, e.points[i]!).key);
      return found;
    }
    const a = spaces.get(e.a), b = spaces.get(e.b), all = new Set((b && this.sides.get(b))?.map((x) => x.key));
    return (a && this.sides.get(a))?.map((x) => x.key).filter((key) => all.has(key)) ?? [];
  }

  /** along draws what runs along sides, such as a river, as soft lines from source to mouth. */
  along(edges: Edge[], spaces: Map<string, Space>): string {
    const keys = new Set(edges.flatMap((e) => this.between(e, spaces)));
    const at = new Map<string, string[]>();
    for (const key of keys) for (const c of key.split("|")) at.get(c)?.push(key) ?? at.set(c, [key]);
    const done = new Set<string>(), path: string[] = [];
    const walk = (from: string, key: string) => {
      path.push(`M${put(this.corners.get(from)!)}L${put(this.middle(key, true))}`);
      for (let here = from, now = key; ;) {
        done.add(now);
        here = now.split("|").find((c) => c !== here)!;
        const on = at.get(here)!, next = on.length === 2 ? on.find((k) => k !== now) : undefined;
        if (!next || done.has(next)) return void path.push(`L${put(this.corners.get(here)!)}`);
        path.push(`Q${put(this.corners.get(here)!)} ${put(this.middle(next, true))}`);
        now = next;
      }
    };
    for (const [c, on] of at) if (on.length !== 2) for (const key of on) if (!done.has(key)) walk(c, key);
    for (const key of keys) if (!done.has(key)) walk(key.split("|")[0]!, key); // those that end where they begin
    return path.join("");
  }
}

/** ways draws roads from space to space: bent where one passes through, straight to the middle where several meet. */
export function ways(pairs: [string, string][], spaces: Map<string, Space>, pitch: number): string {
  const at = new Map<string, Set<string>>();
  for (const [a, b] of pairs) {
    for (const [x, y] of [[a, b], [b, a]] as const) at.get(x)?.add(y) ?? at.set(x, new Set([y]));
  }
  const path: string[] = [];
  for (const [id, others] of at) {
    const c = spaces.get(id)?.centre;
    if (!c) continue;
    const away = pitch * 0.09, middle: Corner = [c.x + noise(id) * away, c.y + noise(id + "y") * away];
    const half = [...others].flatMap((o): Corner[] => {
      const d = spaces.get(o)?.centre;
      return d ? [[(c.x + d.x) / 2, (c.y + d.y) / 2]] : [];
    });
    // The two that lie most nearly opposite go through; others join them.
    const through = straightest(half, [c.x, c.y]);
    if (through) path.push(`M${put(half[through[0]]!)}Q${put(middle)} ${put(half[through[1]]!)}`);
    half.forEach((h, i) => {
      if (!through?.includes(i)) path.push(`M${put(h)}L${put(through ? onto(half, through, middle) : [c.x, c.y])}`);
    });
  }
  return path.join("");
}

// The place of a bent road that is nearest to its middle.
function onto(half: Corner[], [a, b]: [number, number], middle: Corner): Corner {
  return [(half[a]![0] + half[b]![0]) / 4 + middle[0] / 2, (half[a]![1] + half[b]![1]) / 4 + middle[1] / 2];
}

function straightest(half: Corner[], c: Corner): [number, number] | undefined {
  let best: [number, number] | undefined, least = Infinity;
  half.forEach((p, i) => half.slice(0, i).forEach((q, j) => {
    const cos = (p[0] - c[0]) * (q[0] - c[0]) + (p[1] - c[1]) * (q[1] - c[1]);
    if (cos < least) [best, least] = [[j, i], cos];
  }));
  return best;
}

function put([x, y]: Corner): string {
  return `${one(x)} ${one(y)}`;
}

/** noise is a number from -1 to 1 that a word always gives. */
export function noise(word: string): number {
  let h = 2166136261;
  for (let i = 0; i < word.length; i++) h = Math.imul(h ^ word.charCodeAt(i), 16777619);
  h = Math.imul(h ^ (h >>> 15), 2246822507);
  return ((h ^ (h >>> 13)) >>> 0) / 2147483648 - 1;
}
