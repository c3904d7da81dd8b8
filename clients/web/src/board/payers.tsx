import { left, room } from "../game/bill";
import type { GameModel } from "../game/model";
import type { Atlas } from "./atlas";

/**
 * Payers are the places that can pay for what the choice leaves: outlined, each with what it holds, and what would be
 * left there after the click.
 */
export function Payers({ model, atlas, again }: { model: GameModel; atlas: Atlas; again?: boolean | undefined }) {
  const bill = model.bill.value, shares = model.shares.value;
  if (!bill) return null;
  const { sources, unit } = bill.payment, due = left(bill, shares), h = atlas.pitch * 0.2;
  const places = [...new Set(sources.map((s) => s.space))].filter((id) => atlas.spaces.get(id)?.centre);
  return (
    <g class="payers">
      {places.map((id) => {
        const c = atlas.spaces.get(id)!.centre!;
        const have = sources.reduce((n, s, i) => n + (s.space === id ? room(s, i, shares) : 0), 0);
        const rest = have - Math.min(have, due);
        const text = have === Infinity ? "∞" : `${have}${unit}` + (due > 0 && have > 0 ? ` → ${rest}${unit}` : "");
        const width = h * (text.length * 0.6 + 0.8);
        return (
          <g key={id} class={have > 0 && due > 0 ? "payer" : "payer spent"} data-payer={again ? undefined : id}>
            <path d={atlas.paths.get(id)!} stroke-width={atlas.pitch * 0.06} />
            <g transform={`translate(${c.x} ${c.y - atlas.pitch * 0.42})`} pointer-events="none">
              <rect x={-width / 2} y={-h * 0.7} width={width} height={h * 1.4} rx={h * 0.4} />
              <text font-size={h} y={h * 0.36} text-anchor="middle">{text}</text>
            </g>
          </g>
        );
      })}
    </g>
  );
}
