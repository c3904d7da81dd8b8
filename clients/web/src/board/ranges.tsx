import type { GameModel } from "../game/model";
import { t } from "../words";
import type { Atlas } from "./atlas";
import type { Palette } from "./color";
import { areaOf } from "./overlay";

/** RangesView draws how far the chosen pieces reach, each range a little further in than the one before. */
export function RangesView({ model, atlas, palette }: { model: GameModel; atlas: Atlas; palette: Palette }) {
  return (
    <g class="ranges" aria-hidden="true" pointer-events="none">
      {model.ranges.shown.value.filter((l) => l.spaces.length).map((l, i) => {
        const tone = palette.sign(l.color);
        const d = areaOf(atlas, new Set(l.spaces), i + 1);
        return <path key={l.key} class="range" data-range={l.key} d={d} fill={tone} fill-opacity="0.14" stroke={tone}
          stroke-width={atlas.pitch * 0.06} stroke-linejoin="round" />;
      })}
    </g>
  );
}

/** RangesNote says what the ranges on the board mean, and how many spaces each has. */
export function RangesNote({ model, palette }: { model: GameModel; palette: Palette }) {
  const all = model.ranges.shown.value;
  if (!all.length) return null;
  return (
    <ul class="ranges-note" aria-label={t("layerRanges")} aria-live="polite">
      {all.map((l) => <li key={l.key}><i style={{ background: palette.sign(l.color) }} aria-hidden="true" />
        {l.name} <b>{l.spaces.length}</b></li>)}
    </ul>
  );
}
