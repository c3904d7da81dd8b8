import { memo } from "preact/compat";
import type { Edge, Space } from "@warledger/client/proto/board/v1/board";
import { linePath, linkPath, ringPath, type Atlas } from "./atlas";
import { coastPaths, coastsOf } from "./coast";
import { HALO, numbering, type Label } from "./labels";
import { Shapes, ways } from "./shape";
import { isWater, patternId, textureOf, Tiles } from "./texture";

const FALLBACK = "#d8d2bd";

/**
 * Ground is the land and the sea. Hexes of one terrain are one path: a thousand hexes are a dozen elements. Areas have
 * outlines of hundreds of points, and are a path each.
 */
export const Ground = memo(function Ground({ atlas }: { atlas: Atlas }) {
  return (
    <g class="ground" aria-hidden="true">
      <Tiles atlas={atlas} />
      {atlas.grid ? <Country atlas={atlas} /> : <World atlas={atlas} />}
      <Decor atlas={atlas} covers />
    </g>
  );
});

/**
 * Print is what is printed on the ground, above the colours of those who hold it: borders, rivers, roads, towns, names.
 */
export const Print = memo(function Print({ atlas, labels, growth }:
  { atlas: Atlas; labels?: Label[]; growth?: number }) {
  return (
    <g class="ground" aria-hidden="true">
      <Decor atlas={atlas} />
      <Borders atlas={atlas} />
      <Lines atlas={atlas} />
      <Features atlas={atlas} />
      {labels && <Names atlas={atlas} labels={labels} growth={growth} />}
    </g>
  );
});

const shapes = new WeakMap<Atlas, Shapes>();

/** shapesOf is the geometry of a map of hexes, made once. */
export function shapesOf(atlas: Atlas): Shapes {
  let s = shapes.get(atlas);
  if (!s) shapes.set(atlas, (s = new Shapes(atlas.map.spaces, atlas.pitch)));
  return s;
}

const wet = (s: Space) => isWater(s.terrain);

// The terrains of spaces, the commonest first.
function terrains(spaces: Space[]): string[] {
  const n = new Map<string, number>();
  for (const s of spaces) n.set(s.terrain, (n.get(s.terrain) ?? 0) + 1);
  return [...n.keys()].sort((a, b) => n.get(b)! - n.get(a)!);
}

function Filled({ atlas, kind, d }: { atlas: Atlas; kind: string; d: string }) {
  const fill = atlas.colors.get(kind) || FALLBACK, texture = textureOf(kind);
  // A stroke of the same colour closes the hairlines between neighbours.
  return (
    <>
      <path d={d} fill={fill} stroke={fill} stroke-width={atlas.pitch * 0.01} fill-rule="evenodd" />
      {texture && <path d={d} fill={`url(#${patternId(atlas, texture)})`} fill-rule="evenodd" />}
    </>
  );
}

/** How far the bands of shallow water reach from the shore, in hexes, with how much of the sea's colour they have. */
const SHALLOWS: [number, string][] = [[0, "#d8ebef"], [0.07, "#c3dfea"], [0.16, "#add2e3"]];

// A map of hexes: each hex in its colour, above them the patches with soft edges, the sea over it all. Beneath the
// shore the land goes on a little, since the line of the shore strays to both sides.
function Country({ atlas }: { atlas: Atlas }) {
  const { spaces } = atlas.map, on = shapesOf(atlas), water = terrains(spaces.filter(wet)),
    land = terrains(spaces.filter((s) => !wet(s)));
  const edge = (beyond: Space | undefined) => !beyond,
    sea = (inset: number) => on.outline(wet, edge, inset * atlas.pitch);
  return (
    <>
      {land.map((kind) => {
        const fill = atlas.colors.get(kind) || FALLBACK,
          d = on.outline((s) => s.terrain === kind, (beyond) => !beyond || !wet(beyond), -0.14 * atlas.pitch).area;
        return <path key={kind} d={d} fill={fill} stroke={fill} stroke-width={atlas.pitch * 0.01} />;
      })}
      {land.map((kind) => <Filled key={kind} atlas={atlas} kind={kind}
        d={on.outline((s) => s.terrain === kind, (beyond) => !beyond || wet(beyond)).area} />)}
      {water[0] && SHALLOWS.map(([inset, color]) =>
        <path key={inset} d={sea(inset).area} fill={color} fill-rule="evenodd" />)}
      {water[0] && <Filled atlas={atlas} kind={water[0]} d={sea(0.27).area} />}
      {water.slice(1).map((kind) => <Filled key={kind} atlas={atlas} kind={kind}
        d={on.outline((s) => s.terrain === kind, edge, 0.1 * atlas.pitch).area} />)}
      <path class="shore" d={sea(0).line} fill="none" stroke="#3f6d85" stroke-width={atlas.pitch * 0.022}
        stroke-linecap="round" stroke-linejoin="round" />
    </>
  );
}

// A map of areas has shores of its own; the water along them is shallow. Each area is a path of its own, so that a part
// of the map that is painted needs no more than what lies in it. Where strokes of neighbours would lie over one another
// they are opaque, and thinned together.
function World({ atlas }: { atlas: Atlas }) {
  const by = (of: Space[]) => terrains(of).map((kind): [string, string[]] =>
    [kind, of.filter((s) => s.terrain === kind).map((s) => atlas.paths.get(s.id)!)]);
  const dry = atlas.map.spaces.filter((s) => !wet(s)), coasts = coastsOf(dry), w = atlas.map.width;
  const filled = (areas: [string, string[]][]) => areas.flatMap(([kind, ds]) =>
    ds.map((d, i) => <Filled key={kind + i} atlas={atlas} kind={kind} d={d} />));
  return (
    <>
      {filled(by(atlas.map.spaces.filter(wet)))}
      {[...SHALLOWS].reverse().map(([inset, color]) => {
        const broad = w / 900 + inset * (w / 38);
        return (
          <g key={inset} class="shallow" fill="none" stroke={color} opacity="0.75" stroke-linejoin="round"
            stroke-linecap="round" stroke-width={broad}>
            {coastPaths(coasts, broad).map((d, i) => <path key={i} d={d} />)}</g>
        );
      })}
      {filled(by(dry))}
    </>
  );
}

function Decor({ atlas, covers = false }: { atlas: Atlas; covers?: boolean }) {
  const color: Record<string, string> = { ice: "#eef3f5", lake: "#a9cbdc" };
  return (
    <>
      {atlas.map.decor.filter((d) => d.covers === covers).map((d, i) => (
        <path key={i} d={d.outline.map(ringPath).join("")} fill={atlas.colors.get(d.kind) || color[d.kind] || "#e4e0d2"}
          fill-rule="evenodd" stroke={d.kind === "lake" ? "#3f6d85" : undefined}
          stroke-width={atlas.map.width / 5000} />
      ))}
    </>
  );
}

function Borders({ atlas }: { atlas: Atlas }) {
  if (atlas.grid) return <path class="hexes" d={[...atlas.paths.values()].join("")} fill="none" stroke="#3a3428"
    stroke-opacity="0.3" stroke-width={atlas.pitch * 0.013} stroke-linejoin="round" />;
  const w = atlas.map.width, of = (water: boolean) => atlas.map.spaces.filter((s) => wet(s) === water)
    .map((s) => <path key={s.id} d={atlas.paths.get(s.id)!} />);
  return (
    <g fill="none" stroke-linejoin="round">
      <g stroke="#2f617f" opacity="0.55" stroke-width={w / 3200}>{of(true)}</g>
      <g stroke="#3a3428" opacity="0.75" stroke-width={w / 2400}>{of(false)}</g>
    </g>
  );
}

// Where land meets water the shore is drawn already.
const isShore = (e: Edge, atlas: Atlas) => {
  const a = atlas.spaces.get(e.a), b = atlas.spaces.get(e.b);
  return !!a && !!b && (wet(a) || wet(b)) && /sea|coast|shore|lake/.test(e.kind);
};

/** widthOf is how broad a line between spaces is, in hexes. */
export function widthOf(kind: string): number {
  return /major|lake|sea|strait/.test(kind) ? 0.13 : /minor|stream/.test(kind) ? 0.06 : 0.085;
}

function Lines({ atlas }: { atlas: Atlas }) {
  const kinds = new Map<string, Edge[]>(), roads = new Map<string, string[]>();
  for (const e of atlas.map.edges) if (!isShore(e, atlas)) kinds.get(e.kind)?.push(e) ?? kinds.set(e.kind, [e]);
  const pairs = new Map<string, [string, string][]>();
  for (const { kind, spaces } of atlas.map.links)
    for (let i = 1; i < spaces.length; i++) {
      const pair: [string, string] = [spaces[i - 1]!, spaces[i]!];
      pairs.get(kind)?.push(pair) ?? pairs.set(kind, [pair]);
    }
  if (atlas.grid) for (const [kind, all] of pairs) roads.set(kind, [ways(all, atlas.spaces, atlas.pitch)]);
  else for (const l of atlas.map.links) roads.set(l.kind, [...(roads.get(l.kind) ?? []), linkPath(l, atlas.spaces)]);
  const w = atlas.grid ? atlas.pitch : atlas.map.width / 60;
  return (
    <g fill="none" stroke-linecap="round" stroke-linejoin="round">
      {[...kinds].map(([kind, all]) => {
        const d = atlas.grid ? shapesOf(atlas).along(all, atlas.spaces) : all.map((e) => linePath(e.points)).join(""),
          color = atlas.colors.get(kind) || "#444", broad = atlas.widths.get(kind) ?? widthOf(kind);
        return (
          <g key={kind} data-line={kind}>
            <path d={d} stroke="#fff" stroke-opacity="0.5" stroke-width={w * (broad + 0.035)} />
            <path d={d} stroke={color} stroke-width={w * broad} />
          </g>
        );
      })}
      {[...roads].map(([kind, d]) => <Road key={kind} kind={kind} d={d.join("")} w={w}
        color={atlas.colors.get(kind) || "#6b5b4b"} />)}
    </g>
  );
}

/** Road is a road as it is printed: a railway with sleepers, a track broken, others as broad as they are good. */
export function Road({ kind, d, w, color }: { kind: string; d: string; w: number; color: string }) {
  if (/rail/.test(kind)) {
    return (
      <g data-line={kind}>
        <path d={d} stroke="#fff" stroke-opacity="0.55" stroke-width={w * 0.07} />
        <path d={d} stroke={color} stroke-width={w * 0.024} />
        <path d={d} stroke={color} stroke-width={w * 0.085} stroke-linecap="butt"
          stroke-dasharray={`${w * 0.018} ${w * 0.09}`} />
      </g>
    );
  }
  const track = /track|path|trail/.test(kind),
    broad = /primary|highway|main/.test(kind) ? 0.055 : track ? 0.028 : 0.042;
  return (
    <g data-line={kind}>
      <path d={d} stroke="#fff" stroke-opacity="0.55" stroke-width={w * (broad + 0.03)} />
      <path d={d} stroke={color} stroke-width={w * broad}
        stroke-dasharray={track ? `${w * 0.09} ${w * 0.055}` : undefined} />
    </g>
  );
}

/** Features are small signs around the middle of their space, where a stack leaves them to be seen. */
function Features({ atlas }: { atlas: Atlas }) {
  const r = atlas.grid ? atlas.pitch * 0.105 : atlas.map.width / 300;
  return (
    <>
      {atlas.map.spaces.flatMap((s) =>
        s.features.map((f, i) => <Feature key={s.id + f} atlas={atlas} space={s} kind={f} index={i} r={r} />))}
    </>
  );
}

function Feature({ atlas, space, kind, index, r }:
  { atlas: Atlas; space: Space; kind: string; index: number; r: number }) {
  const at = (!atlas.grid && space.city) || space.centre;
  if (!at) return null;
  const lone = atlas.grid && space.features.length === 1;
  const spread = lone ? [0.9, -0.9] : atlas.grid ? [[-1, -1], [1, -1], [-1, 1], [1, 1], [0, -1.4], [0, 1.4]][index % 6]!
    : [0, 0];
  const x = at.x + spread[0]! * atlas.pitch * 0.27, y = at.y + spread[1]! * atlas.pitch * 0.27;
  const color = atlas.colors.get(kind) || "#555", shape = atlas.shapes.get(kind);
  if (shape) {
    return (
      <g transform={`translate(${x - r * 1.2} ${y - r * 1.2}) scale(${(r * 2.4) / 100})`}>
        <path d={shape} fill={color} stroke="#fff" stroke-width="9" paint-order="stroke" />
      </g>
    );
  }
  if (!atlas.grid && kind !== "" && !space.city) return null;
  const glyph = atlas.glyphs.get(kind) ?? "";
  if (glyph > "\u02ff") return <text x={x} y={y + r * 0.8} font-size={r * 2.2} text-anchor="middle" fill={color}>{glyph}
    </text>;
  return <circle cx={x} cy={y} r={r * 0.7} fill={color} stroke="#fff" stroke-width={r * 0.25} />;
}

function Names({ atlas, labels, growth }: { atlas: Atlas; labels: Label[]; growth: number | undefined }) {
  const ids = numbering(atlas, growth);
  return (
    <>
      {atlas.grid && (
        <g class="ids" font-size={ids.size} text-anchor="middle">
          {atlas.map.spaces.map((s) => s.centre
            && <text key={s.id} x={s.centre.x} y={s.centre.y - ids.above}>{s.id}</text>)}
        </g>
      )}
      <g class="names" text-anchor="middle">
        {labels.map((l) => (
          <text key={l.space.id} class={l.numbered ? "numbered" : undefined} x={l.x} y={l.y} font-size={l.size}
            stroke-width={l.size * HALO}>
            {l.space.name}{l.space.value > 0 && <tspan class="value"> {l.space.value}</tspan>}
          </text>
        ))}
      </g>
    </>
  );
}
