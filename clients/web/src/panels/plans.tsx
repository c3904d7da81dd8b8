import { Palette, safeColors } from "../board/color";
import { leading } from "../game/plans";
import type { GameModel } from "../game/model";
import { t } from "../words";
import { Bars } from "./bars";
import { CalculatorButton } from "./calculate";

/** PlannedCombats lists the combats that what was done so far leads to, with who would fight, and the odds of each. */
export function PlannedCombats({ model }: { model: GameModel }) {
  const board = model.board.value, odds = model.plans.odds.value;
  if (!board?.plans.length) return null;
  const palette = new Palette(board, safeColors.value);
  const force = (ids: string[]) => board.pieces.filter((p) => ids.includes(p.id));
  return (
    <section class="plans" aria-label={t("plans")}>
      <h2>{t("plans")} <small>{board.plans.length}</small></h2>
      <ul>
        {board.plans.map((plan) => {
          const space = plan.spaces[0] ?? "", f = odds.get(space);
          return (
            <li key={space} data-plan={space}>
              <button class="quiet" onClick={() => dispatchEvent(new CustomEvent("warledger-show", { detail: space }))}>
                {plan.text}</button>
              {f && <b class="chance">{leading(f)}</b>}
              <CalculatorButton model={model} space={space} />
              <p class="forces">
                {[plan.attackers, plan.defenders].map((ids, i) => (
                  <span key={i}>
                    {i > 0 && <i class="versus">:</i>}
                    {force(ids)
                      .map((p) => <span key={p.id} class="force">
                      <i style={{ background: palette.piece(p) }} aria-hidden="true" />
                      {p.count > 1 ? `${p.count} × ` : ""}{p.shortName || p.name} </span>)}
                  </span>
                ))}
              </p>
              {f && (
                <details>
                  <summary>{t("chances")}</summary>
                  <Bars rows={f.outcomes.map((o) => [o.label || o.id, o.chance])} others={f.others} />
                  {f.expectations.map((e) => <p key={e.id} class="note">{e.title}: {e.value.toFixed(1)} {e.unit}</p>)}
                </details>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
