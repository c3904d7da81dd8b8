import type { Piece } from "@warledger/client/proto/board/v1/board";
import type { Atlas } from "./atlas";
import { inkOn, type Palette } from "./color";
import type { Stack } from "./stacks";
import type { States } from "./states";

/** How large the symbol of a stack is, in hexes, and the figures in it. */
const SIZE = 0.92, FIGURE = 0.66;

interface Side {
  color: string;
  strength: number;
  pieces: Piece[];
}

/**
 * Weights shows, where counters would be too small, who stands in a hex and how strong: a block in the colour of each
 * side, with the sum of strengths.
 */
export function Weights({ atlas, stacks, palette, states }:
  { atlas: Atlas; stacks: Map<string, Stack>; palette: Palette; states: States }) {
  const size = atlas.pitch * SIZE;
  return (
    <g class="weights" aria-hidden="true" pointer-events="none">
      {[...stacks.values()].map((s) => {
        const c = atlas.spaces.get(s.space)?.centre, sides = sidesOf(s.all, palette);
        if (!c) return null;
        const width = size / sides.length, open = s.all.some((p) => states.open.has(p.id)),
          chosen = s.all.some((p) => states.selected.has(p.id));
        return (
          <g key={s.space} data-weight={s.space} transform={`translate(${c.x - size / 2} ${c.y - size * 0.38})`}>
            {sides.map((x, i) => (
              <g key={x.color} transform={`translate(${i * width} 0)`}>
                <rect width={width} height={size * 0.76} rx={size * 0.1} fill={x.color}
                  stroke={chosen ? "#0b3d91" : open ? "#ffd21f"
                  : "#1c1a16"} stroke-width={size * (chosen || open ? 0.1 : 0.04)} />
                {x.strength > 0
                  && <text x={width / 2} y={size * 0.38 + atlas.pitch * FIGURE * 0.36}
                  font-size={atlas.pitch * FIGURE * (String(x.strength).length > 2 ? 0.76
                  : 1)} font-weight="800" text-anchor="middle" fill={inkOn(x.color)}>{x.strength}</text>}
              </g>
            ))}
          </g>
        );
      })}
    </g>
  );
}

// The pieces of a stack by the colour of their side, those that fight first.
function sidesOf(pieces: Piece[], palette: Palette): Side[] {
  const sides = new Map<string, Side>();
  for (const p of pieces) {
    const color = palette.piece(p), side = sides.get(color) ?? { color, strength: 0, pieces: [] };
    side.strength += strengthOf(p);
    side.pieces.push(p);
    sides.set(color, side);
  }
  const all = [...sides.values()].sort((a, b) => b.strength - a.strength), armed = all.filter((x) => x.strength > 0);
  return (armed.length ? armed : all).slice(0, 2);
}

// The first number of a counter is its strength, in whatever game; one in brackets only defends or supports.
function strengthOf(p: Piece): number {
  const n = parseInt(p.numbers[0]?.value ?? "", 10);
  return Number.isFinite(n) ? n * Math.max(p.count, 1) : 0;
}
