import { useRef } from "preact/hooks";
import type { GameModel } from "../game/model";
import { lang, t } from "../words";
import { useFolds } from "./fit";
import { Sequence, stepOf } from "./sequence";
import { ranksOf, Strip } from "./strip";

/**
 * Glance is one line: where the turn stands, and the numbers that matter every minute. What does not fit is folded
 * away: the name of the next phase first, then the numbers that the ruleset ranks last.
 */
export function Glance({ model }: { model: GameModel }) {
  const board = model.board.value, ranks = ranksOf(board);
  return board && (stepOf(board) >= 0 || ranks.length) ? <Line model={model} ranks={ranks} /> : null;
}

function Line({ model, ranks }: { model: GameModel; ranks: number[] }) {
  const box = useRef<HTMLElement>(null);
  const folds = useFolds(box, ".game", `${model.boardVersion.value} ${lang.value}`, ranks.length,
    (el) => el.scrollWidth > el.clientWidth);
  return (
    <section class="glance" aria-label={t("strip")} ref={box}>
      <Sequence model={model} next={folds === 0} />
      <Strip model={model} last={ranks[ranks.length - Math.max(folds, 1)] ?? 0} />
    </section>
  );
}
