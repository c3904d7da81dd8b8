import { memo } from "preact/compat";
import type { Board, Space } from "@warledger/client/proto/board/v1/board";
import { reaches } from "../game/choice";
import type { GameModel } from "../game/model";
import { leading, originsOf } from "../game/plans";
import { pricesOf } from "../game/price";
import type { Atlas } from "./atlas";
import type { Palette } from "./color";
import { shapesOf } from "./ground";
import { layerOn } from "./layers";
import { isWater } from "./texture";

interface ControlProps {
  atlas: Atlas;
  board: Board;
  palette: Palette;
  /** Which layers are on: a change draws it anew. */
  shown: unknown;
}

/** Control shows who holds a space, terrain that has changed and marks of spaces. */
export const Control = memo(function Control({ atlas, board, palette }:
  ControlProps) {
  const owners = new Map<string, string[]>();
  for (const s of board.spaces) {
    const d = atlas.paths.get(s.id);
    // The sea of a map of hexes keeps its colour, whoever rules it.
    if (d && s.owner && !(atlas.grid && isWater(atlas.spaces.get(s.id)!.terrain)))
      owners.get(s.owner)?.push(d) ?? owners.set(s.owner, [d]);
  }
  return (
    <g class="control" aria-hidden="true">
      {board.spaces.map((s) => s.terrain && atlas.paths.has(s.id)
        && <path key={s.id} d={atlas.paths.get(s.id)!} fill={atlas.colors.get(s.terrain) || "#999"}
        fill-opacity="0.8" />)}
      <g class="held">
      {[...owners].map(([seat, ds]) => (atlas.grid
        ? <path key={seat} d={ds.join("")} fill={palette.seat(seat)} fill-opacity="0.1" fill-rule="evenodd" />
        : <Areas key={seat} ds={ds} color={palette.seat(seat)} width={atlas.map.width / 2600} />))}
      {atlas.grid && <Fronts atlas={atlas} board={board} palette={palette} />}
      </g>
      <Zones atlas={atlas} board={board} palette={palette} />
      {board.spaces.flatMap((s) => s.marks.filter((m) => !atlas.colors.get("mark " + m)).map((m, i) => {
        const c = atlas.spaces.get(s.id)?.centre, r = atlas.counter * 0.17;
        if (!c) return null;
        return (
          <g key={s.id + m} class="space-mark"
            transform={`translate(${c.x + atlas.pitch * (atlas.grid ? 0.3 : 0)} ${
              c.y + atlas.pitch * (atlas.grid ? 0.22 : 0) - i * r * 2.2})`}>
            <title>{atlas.names.get("mark " + m) || m}</title>
            <rect x={-r * 1.3} y={-r * 0.9} width={r * 2.6} height={r * 1.8} rx={r * 0.5} fill="#5b1f16"
              stroke="#fff" stroke-width={r * 0.16} />
            <text y={r * 0.45} font-size={r * 1.3} text-anchor="middle" font-weight="700" fill="#fff">
              {atlas.glyphs.get("mark " + m) || m.slice(0, 3)}</text>
          </g>
        );
      }))}
    </g>
  );
});

// What a seat holds, a path for each area, so that a part of the map that is painted needs no more than what lies in
// it. The lines, of which neighbours have one in common, are thinned together.
function Areas({ ds, color, width }: { ds: string[]; color: string; width: number }) {
  return (
    <>
      <g fill={color} fill-opacity="0.62" fill-rule="evenodd">{ds.map((d) => <path key={d} d={d} />)}</g>
      <g fill="none" stroke="#2a261e" opacity="0.6" stroke-width={width}>{ds.map((d) => <path key={d} d={d} />)}</g>
    </>
  );
}

/**
 * Zones are the spaces whose marks have a colour, such as zones of control, and those of which the server concludes
 * something, such as where supply reaches, as areas of their colour: layers that are switched on. Each lies a
 * little further in than the one before, so that two over one another are seen.
 */
function Zones({ atlas, board, palette }: { atlas: Atlas; board: Board; palette: Palette }) {
  const zones = [...atlas.map.marks.filter((m) => m.color && layerOn("mark " + m.key)),
    ...board.layers.filter((l) => layerOn("layer " + l.key))];
  return (
    <>
      {zones.map((zone, i) => {
        const { key, color, name } = zone, marked = new Set("spaces" in zone ? zone.spaces
          : board.spaces.filter((s) => s.marks.includes(key)).map((s) => s.id)), tone = palette.sign(color);
        const d = areaOf(atlas, marked, i + 1);
        return (
          <path key={key} class="zone" data-zone={key} d={d} fill={tone} fill-opacity="0.2" stroke={tone}
            stroke-width={atlas.pitch * 0.04} stroke-dasharray={`${atlas.pitch * 0.12} ${atlas.pitch * 0.07}`}>
            <title>{name}</title></path>
        );
      })}
    </>
  );
}

/** areaOf is the outline of spaces, drawn a number of steps inside their borders. */
export function areaOf(atlas: Atlas, spaces: ReadonlySet<string>, inwards: number): string {
  return atlas.grid ? shapesOf(atlas).outline((s) => spaces.has(s.id), () => false, inwards * atlas.pitch * 0.06).area
    : [...spaces].map((id) => atlas.paths.get(id) ?? "").join("");
}

// A line inside the border of what each side holds on land, where another holds what lies beyond.
function Fronts({ atlas, board, palette }: { atlas: Atlas; board: Board; palette: Palette }) {
  const owner = new Map(board.spaces.map((s) => [s.id, s.owner]));
  const of = (s: Space | undefined) => (s && !isWater(s.terrain) && owner.get(s.id)) || "";
  return (
    <g fill="none" stroke-linejoin="round" stroke-linecap="round">
      {board.seats.map(({ id }) => (
        <path key={id} class="front" stroke={palette.seat(id)} stroke-opacity="0.85" stroke-width={atlas.pitch * 0.075}
          d={shapesOf(atlas).outline((s) => of(s) === id, (beyond) => !of(beyond), atlas.pitch * 0.05).line} />
      ))}
    </g>
  );
}

/** From how many targets on their ground is tinted only lightly. */
const MANY = 40;

/** Highlights show where the choice can go: the ground below the pieces, the price above them. */
export function Highlights({ model, atlas, below, again }:
  { model: GameModel; atlas: Atlas; below?: boolean; again?: boolean | undefined }) {
  const chosen = model.choice.value.pieces.length > 0;
  const open = model.open.value.filter((a) => chosen || !a.pieces.length);
  const targets = [...reaches(open).values()].filter((r) => atlas.spaces.has(r.space));
  const asked = chosen ? []
    : (model.board.value?.prompts ?? []).filter((p) => !p.optional && model.mine.value.includes(p.seat))
    .flatMap((p) => p.spaces);
  const w = atlas.grid ? atlas.pitch * 0.05 : atlas.map.width / 900;
  if (below) {
    return (
      <g class={targets.length > MANY ? "reach wide" : "reach"}>
        {asked.map((id) => atlas.paths.has(id)
          && <path key={"?" + id} class="asked-space" d={atlas.paths.get(id)!} stroke-width={w} />)}
        {targets.map((r) => <path key={r.space} data-target={again ? undefined
          : r.space} d={atlas.paths.get(r.space)!} stroke-width={w} stroke-dasharray={`${w * 2.5} ${w * 1.4}`} />)}
      </g>
    );
  }
  // Many prices are quiet: a number in each, without a ground.
  const quiet = targets.length > MANY, h = atlas.grid ? atlas.pitch * (quiet ? 0.26 : 0.17) : atlas.map.width / 150;
  return (
    <g class={quiet ? "costs quiet" : "costs"}>
      {[...pricesOf(targets).at].map(([space, cost]) => {
        const c = atlas.spaces.get(space)!.centre;
        if (!c || model.pays(space)) return null; // what pays says so itself
        const width = h * (cost.length * 0.6 + 0.7), y = c.y + (atlas.grid ? atlas.pitch * 0.28 : 0);
        return (
          <g key={space} data-cost={again ? undefined : space} transform={`translate(${c.x} ${y})`}>
            {!quiet && <rect x={-width / 2} y={-h * 0.62} width={width} height={h * 1.24} rx={h * 0.4} />}
            <text font-size={h} y={h * 0.36} text-anchor="middle">{cost}</text>
          </g>
        );
      })}
    </g>
  );
}

/** Intents shows the combats that are planned: from where the attackers come, and the odds at their target. */
export function Intents({ model, atlas }: { model: GameModel; atlas: Atlas }) {
  const plans = model.board.value?.plans ?? [], odds = model.plans.odds.value;
  if (!plans.length) return null;
  const w = atlas.grid ? atlas.pitch * 0.06 : atlas.map.width / 700, h = atlas.grid ? atlas.pitch * 0.2
    : atlas.map.width / 120;
  return (
    <g class="intents" aria-hidden="true" pointer-events="none">
      <defs>
        <marker id="intenthead" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="4" markerHeight="4" orient="auto">
          <path d="M0 0 10 5 0 10Z" fill="#b3261e" /></marker>
      </defs>
      {plans.flatMap((plan) => originsOf(model, plan).map((from) => {
        const a = atlas.spaces.get(from)?.centre, b = atlas.spaces.get(plan.spaces[0] ?? "")?.centre;
        if (!a || !b) return null;
        const half = atlas.map.wraps ? atlas.map.width / 2 : Infinity;
        const x = b.x - a.x > half ? b.x - atlas.map.width : a.x - b.x > half ? b.x + atlas.map.width : b.x;
        return (
          <g key={from + plan.spaces[0]} fill="none" stroke-linecap="round">
            <path d={`M${a.x} ${a.y}L${x} ${b.y}`} stroke="#fff" stroke-opacity="0.7" stroke-width={w * 1.9} />
            <path d={`M${a.x} ${a.y}L${x} ${b.y}`} stroke="#b3261e" stroke-width={w}
              stroke-dasharray={`${w * 3} ${w * 1.6}`} marker-end="url(#intenthead)" />
          </g>
        );
      }))}
      {plans.map((plan) => {
        const c = atlas.spaces.get(plan.spaces[0] ?? "")?.centre, text = leading(odds.get(plan.spaces[0] ?? ""));
        if (!c || !text) return null;
        return (
          <g key={plan.spaces[0]} class="intent-odds" transform={`translate(${c.x} ${c.y - atlas.counter * 0.75})`}>
            <rect x={-h * 1.7} y={-h * 0.7} width={h * 3.4} height={h * 1.4} rx={h * 0.45} />
            <text font-size={h} y={h * 0.36} text-anchor="middle">{text}</text>
          </g>
        );
      })}
    </g>
  );
}

/** Cursor shows where the keyboard is. */
export function Cursor({ atlas, space, again }: { atlas: Atlas; space: string; again?: boolean | undefined }) {
  const w = atlas.grid ? atlas.pitch * 0.045 : atlas.map.width / 1100;
  const d = atlas.paths.get(space) ?? "";
  return (
    <g class="cursor" pointer-events="none" data-cursor={again ? undefined : space}>
      <path d={d} fill="none" stroke="#fff" stroke-width={w * 2} />
      <path d={d} fill="none" stroke="#0b3d91" stroke-width={w} />
    </g>
  );
}
