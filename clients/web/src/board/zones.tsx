import type { GameModel } from "../game/model";
import { coming } from "../game/parts";
import { inkOn } from "./color";
import type { Atlas } from "./atlas";

/** Tints by which regions that lie side by side are told apart; each has its name as well. */
const TINTS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#4d4d4d", "#f0e442"];

/**
 * Zones are the regions that a command is put together from, one a click: outlined below the pieces, and above them
 * named, with how often each is chosen.
 */
export function Zones({ model, atlas, below, again }:
  { model: GameModel; atlas: Atlas; below?: boolean; again?: boolean | undefined }) {
  const parts = model.parts.value;
  if (!parts) return null;
  const chosen = model.picked.value, next = coming(parts, chosen), h = atlas.grid ? atlas.pitch * 0.3
    : atlas.map.width / 110;
  return (
    <g class="zones">
      {parts.choices.map(({ word, region }, i) => {
        const tint = TINTS[i % TINTS.length]!;
        if (below) {
          return (
            <g key={word} data-zone={again ? undefined : word} class={next.has(word) ? "" : "closed"}>
              <path d={region.spaces.map((id) => atlas.paths.get(id) ?? "").join("")} fill={tint} stroke={tint}
                stroke-width={atlas.pitch * 0.06} />
            </g>
          );
        }
        const n = chosen.filter((w) => w === word).length;
        const centres = region.spaces.flatMap((id) => atlas.spaces.get(id)?.centre ?? []);
        // The name stands in the space that is nearest to the middle of them all.
        const mean = { x: sum(centres.map((c) => c.x)) / centres.length, y: sum(centres.map((c) => c.y))
          / centres.length };
        const far = (c: { x: number; y: number }) => Math.hypot(c.x - mean.x, c.y - mean.y);
        const at = [...centres].sort((a, b) => far(a) - far(b))[0];
        const text = n ? `${region.name} × ${n}` : region.name, width = h * (text.length * 0.6 + 1);
        return at && (
          <g key={word} transform={`translate(${at.x} ${at.y})`} pointer-events="none">
            <rect x={-width / 2} y={-h * 0.75} width={width} height={h * 1.5} rx={h * 0.4} fill={tint} />
            <text font-size={h} y={h * 0.36} text-anchor="middle" fill={inkOn(tint)}>{text}</text>
          </g>
        );
      })}
    </g>
  );
}

const sum = (all: number[]) => all.reduce((a, b) => a + b, 0);
