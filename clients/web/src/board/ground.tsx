import { memo } from "preact/compat";
import type { Space } from "@warledger/client/proto/board/v1/board";
import { linePath, linkPath, ringPath, type Atlas } from "./atlas";
import { HALO, ID_ABOVE, idSize, type Label } from "./labels";

const FALLBACK = "#d8d2bd";

/** Ground is the land and the sea. Spaces of one terrain are one path: a thousand hexes are a dozen elements. */
export const Ground = memo(function Ground({ atlas }: { atlas: Atlas }) {
  return (
    <g class="ground" aria-hidden="true">
      <Terrain atlas={atlas} />
      <Decor atlas={atlas} covers />
    </g>
  );
});

/**
 * Print is what is printed on the ground, above the colours of those who hold it: borders, rivers, roads, towns, names.
 */
export const Print = memo(function Print({ atlas, labels }: { atlas: Atlas; labels?: Label[] }) {
  return (
    <g class="ground" aria-hidden="true">
      <Decor atlas={atlas} />
      <Borders atlas={atlas} />
      <Lines atlas={atlas} />
      <Features atlas={atlas} />
      {labels && <Names atlas={atlas} labels={labels} />}
    </g>
  );
});

function Terrain({ atlas }: { atlas: Atlas }) {
  const kinds = new Map<string, string[]>();
  for (const s of atlas.map.spaces) {
    const d = atlas.paths.get(s.id)!;
    kinds.get(s.terrain)?.push(d) ?? kinds.set(s.terrain, [d]);
  }
  return (
    <>
      {[...kinds].map(([kind, d]) => {
        const fill = atlas.colors.get(kind) || FALLBACK;
        // A stroke of the same colour closes the hairlines between neighbours.
        return <path key={kind} d={d.join("")} fill={fill} stroke={fill} stroke-width={atlas.pitch * 0.01}
          fill-rule="evenodd" />;
      })}
    </>
  );
}

function Decor({ atlas, covers = false }: { atlas: Atlas; covers?: boolean }) {
  const color: Record<string, string> = { ice: "#eef3f5", lake: "#a9cbdc" };
  return (
    <>
      {atlas.map.decor.filter((d) => d.covers === covers).map((d, i) => (
        <path key={i} d={d.outline.map(ringPath).join("")} fill={atlas.colors.get(d.kind) || color[d.kind] || "#e4e0d2"}
          fill-rule="evenodd" />
      ))}
    </>
  );
}

function Borders({ atlas }: { atlas: Atlas }) {
  const d = [...atlas.paths.values()].join("");
  return <path d={d} fill="none" stroke="#3a3428" stroke-opacity={atlas.grid ? 0.28 : 0.55}
    stroke-width={atlas.grid ? atlas.pitch * 0.014 : atlas.map.width / 2400} stroke-linejoin="round" />;
}

function Lines({ atlas }: { atlas: Atlas }) {
  const kinds = new Map<string, string[]>();
  for (const e of atlas.map.edges) {
    const d = linePath(e.points);
    kinds.get(e.kind)?.push(d) ?? kinds.set(e.kind, [d]);
  }
  const roads = new Map<string, string[]>();
  for (const l of atlas.map.links) {
    const d = linkPath(l, atlas.spaces);
    roads.get(l.kind)?.push(d) ?? roads.set(l.kind, [d]);
  }
  const w = atlas.grid ? atlas.pitch : atlas.map.width / 60;
  return (
    <g fill="none" stroke-linecap="round" stroke-linejoin="round">
      {[...roads].map(([kind, d]) => (
        <g key={kind}>
          <path d={d.join("")} stroke="#fff" stroke-opacity="0.6" stroke-width={w * 0.075} />
          <path d={d.join("")} stroke={atlas.colors.get(kind) || "#6b5b4b"} stroke-width={w * 0.04} />
        </g>
      ))}
      {[...kinds].map(([kind, d]) => (
        <path key={kind} d={d.join("")} stroke={atlas.colors.get(kind) || "#444"} stroke-width={w * 0.085}
          stroke-opacity="0.9" />
      ))}
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

function Names({ atlas, labels }: { atlas: Atlas; labels: Label[] }) {
  return (
    <>
      {atlas.grid && (
        <g class="ids" font-size={idSize(atlas)} text-anchor="middle">
          {atlas.map.spaces.map((s) => s.centre
            && <text key={s.id} x={s.centre.x} y={s.centre.y - atlas.pitch * ID_ABOVE}>{s.id}</text>)}
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
