import type { GameModel } from "../game/model";
import { t } from "../words";
import type { Atlas } from "./atlas";

/** Pins shows where on the map messages are pinned, and how many. What they say is beside the board. */
export function Pins({ model, atlas }: { model: GameModel; atlas: Atlas }) {
  const at = model.talk.pins.value;
  if (!at.size) return null;
  const r = atlas.grid ? atlas.pitch * 0.14 : atlas.map.width / 190;
  return (
    <g class="pins" aria-hidden="true" pointer-events="none">
      {[...at].map(([space, n]) => {
        const c = atlas.spaces.get(space)?.centre;
        if (!c) return null;
        const aside = atlas.grid ? atlas.pitch * 0.32 : r * 2.2, x = c.x - aside, y = c.y - aside;
        return (
          <g key={space} data-pin={space} transform={`translate(${x} ${y})`}>
            <title>{t("pinned", { n })}</title>
            <path d={`M0 ${r * 2}L${-r * 0.7} ${r * 0.7}H${r * 0.7}Z`} />
            <circle r={r} />
            <text font-size={r * 1.3} y={r * 0.45} text-anchor="middle">{n}</text>
          </g>
        );
      })}
    </g>
  );
}
