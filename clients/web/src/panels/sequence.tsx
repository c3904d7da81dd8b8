import type { GameModel } from "../game/model";
import { t } from "../words";

/** Sequence is the order of a turn as a line: what is over, what goes on, what comes next. */
export function Sequence({ model }: { model: GameModel }) {
  const c = model.board.value?.clock;
  const at = c ? c.phases.indexOf(c.phase) : -1;
  if (!c || at < 0 || c.phaseNames.length < 2) return null; // set-up is no part of a turn
  const state = (i: number) => (i > at ? "coming" : i === at ? "now" : "done");
  return (
    <nav class="sequence" aria-label={t("sequence")}>
      {c.turn > 0 && <b class="turn">
        {c.lastTurn > 0 ? t("turnOf", { turn: c.turn, last: c.lastTurn }) : t("turnN", { n: c.turn })}</b>}
      <ol>
        {c.phaseNames.map((name, i) => (
          <li key={c.phases[i]} class={state(i)} title={name} aria-current={i === at ? "step" : undefined}>
            <span class={i === at || i === at + 1 ? "" : "hidden"}>{name}</span></li>
        ))}
      </ol>
    </nav>
  );
}
