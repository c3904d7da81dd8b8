import type { GameModel } from "../game/model";
import type { Changes } from "../game/film";
import { t } from "../words";
import type { Atlas } from "./atlas";
import { Counter } from "./counter";
import type { Palette } from "./color";

/** How many arrows there is room for. */
const MOST = 60;

/**
 * ChangesView draws what has changed: arrows from where pieces came, a ring where there was a fight or a space was
 * taken, the shadow of what was lost. With nothing to tell of before, it is the last record that is told.
 */
export function ChangesView({ model, atlas, palette }: { model: GameModel; atlas: Atlas; palette: Palette }) {
  const since = model.film.since.value, c = since ?? model.film.step.value;
  if (!c) return null;
  const centre = (id: string) => atlas.spaces.get(id)?.centre;
  const r = atlas.grid ? atlas.pitch * 0.42 : atlas.counter * 0.9;
  const fights = new Set([...c.lost, ...c.hurt].map((p) => p.place)),
    taken = new Set(c.taken.filter((id) => !fights.has(id)));
  const ring = (id: string, what: string) => {
    const at = centre(id);
    return at && <circle key={what + id} class={"flash " + what} cx={at.x} cy={at.y} r={r} stroke-width={r * 0.16} />;
  };
  return (
    <g class={since ? "changes since" : "changes"} aria-hidden="true" pointer-events="none">
      <Ways model={model} atlas={atlas} changes={c} />
      {[...fights].map((id) => ring(id, "fight"))}
      {[...taken].map((id) => ring(id, "taken"))}
      {c.lost.map((p, i) => {
        const at = centre(p.place), size = atlas.counter * 0.8;
        if (!at) return null;
        const k = c.lost.slice(0, i).filter((o) => o.place === p.place).length;
        return (
          <g key={p.id} class="shadow" transform={`translate(${at.x - size / 2 + k * size * 0.25} ${
            at.y - size / 2 - k * size * 0.25}) scale(${size / 100})`}>
            <Counter piece={p} atlas={atlas} color={palette.piece(p)} emblem={palette.emblem(p.owner)} />
            <path d="M8 8 92 92M92 8 8 92" stroke="#b3261e" stroke-width="12" stroke-linecap="round" />
          </g>
        );
      })}
    </g>
  );
}

// Arrows from where pieces came, those that went together as one.
function Ways({ model, atlas, changes }: { model: GameModel; atlas: Atlas; changes: Changes }) {
  const ways = new Map<string, string>(), places = new Map(model.board.value?.pieces.map((p) => [p.id, p.place]));
  for (const [id, from] of changes.moved) {
    const to = places.get(id) ?? "", a = atlas.spaces.get(from)?.centre, b = atlas.spaces.get(to)?.centre;
    if (!a || !b) continue;
    // Where the edges of the map meet, the shorter way may lead over them.
    const half = atlas.map.wraps ? atlas.map.width / 2 : Infinity;
    const x = b.x - a.x > half ? b.x - atlas.map.width : a.x - b.x > half ? b.x + atlas.map.width : b.x;
    // A little bent, so that a way there and a way back are two.
    const bend = 0.12, mx = (a.x + x) / 2 - (b.y - a.y) * bend, my = (a.y + b.y) / 2 + (x - a.x) * bend;
    ways.set(`${from} ${to}`, `M${a.x} ${a.y}Q${mx} ${my} ${x} ${b.y}`);
  }
  const w = atlas.counter * 0.11;
  return (
    <g class="arrows">
      <defs>
        <marker id="arrowhead" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="3.500" markerHeight="3.500"
          orient="auto"><path d="M0 0 10 5 0 10Z" fill="#14213d" /></marker>
      </defs>
      {[...ways].slice(0, MOST).map(([key, d]) => (
        <g key={key} fill="none">
          <path d={d} stroke="#fff" stroke-opacity="0.75" stroke-width={w * 1.8} stroke-linecap="round" />
          <path class="way" d={d} pathLength={1} stroke="#14213d" stroke-width={w} marker-end="url(#arrowhead)" />
        </g>
      ))}
    </g>
  );
}

/** ChangesNote says in numbers what others have done meanwhile, and plays it back or puts it away. */
export function ChangesNote({ model }: { model: GameModel }) {
  const c = model.film.since.value;
  if (!c) return null;
  const lost = c.lost.length + c.hurt.length;
  const parts = [c.moved.size && t("changesMoved", { n: c.moved.size }), lost && t("changesLost", { n: lost }),
    c.come.length && t("changesCome", { n: c.come.length }), c.taken.length && t("changesTaken",
      { n: c.taken.length })].filter(Boolean);
  return (
    <div class="changes-note" role="status">
      <span>{t("changesSince")} {parts.join(", ")}</span>
      <button id="changes-play" onClick={() => document.getElementById("since-mine")?.click()}>▶ {t("playBack")}
        </button>
      <button id="changes-hide" aria-label={t("changesHide")} title={t("changesHide")}
        onClick={() => (model.film.since.value = null)}>✕</button>
    </div>
  );
}
