import type { Board } from "@warledger/client/proto/board/v1/board";
import type { GameModel } from "../game/model";
import { t } from "../words";

/** stepOf is the index of the current phase among those of a turn; -1 if it belongs to no turn, as set-up does. */
export function stepOf(board: Board | null | undefined): number {
  const c = board?.clock;
  return c && c.phaseNames.length > 1 ? c.phases.indexOf(c.phase) : -1;
}

/**
 * Sequence is the order of a turn as a line: what is over, what goes on, and what comes next. `next` says whether the
 * next phase is named.
 */
export function Sequence({ model, next }: { model: GameModel; next: boolean }) {
  const board = model.board.value, at = stepOf(board);
  if (!board || at < 0) return null;
  const c = board.clock!, state = (i: number) => (i > at ? "coming" : i === at ? "now" : "done");
  return (
    <nav class="sequence" aria-label={t("sequence")}>
      <ol>
        {c.phaseNames.map((name, i) => {
          const named = i === at || (next && i === at + 1);
          return (
            <li key={c.phases[i]} class={state(i) + (named ? " named" : "")} title={name}
              aria-current={i === at ? "step" : undefined}><span class={named ? "" : "hidden"}>{name}</span></li>
          );
        })}
      </ol>
    </nav>
  );
}
