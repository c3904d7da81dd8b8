import type { ForecastChance } from "@warledger/client/proto/v1/preview";
import type { GameModel } from "../game/model";
import { ActionButton } from "../panels/actions";
import { Bars, Modifiers, preview } from "../panels/preview";
import { t } from "../words";

/** How many outcomes there is room for at the target, and how many lines of what is certain. */
const MOST = 5, LINES = 4;

/**
 * OddsCard shows at the target what an action would cost and what may come of it, before the click that throws the
 * dice.
 */
export function OddsCard({ model, left, top }: { model: GameModel; left: number; top: number }) {
  const odds = model.odds.value;
  if (!odds) return null;
  const { action, answer } = odds;
  return (
    <div class="menu odds-card" role="dialog" aria-label={t("previewOf", { label: action.label })}
      style={{ left: `${left}px`, top: `${top}px` }}
      onKeyDown={(e) => e.key === "Escape" && model.clear()}>
      <div class="weighed">
        <ul class="certain">
          {answer.events.filter((e) => e.narration).slice(0, LINES).map((e, i) => <li key={i}>{e.narration}</li>)}</ul>
        {answer.forecasts.map((f, i) => (
          <section key={i} class="forecast">
            <h3>{f.title}</h3>
            <Modifiers forecast={f} />
            <Bars rows={likeliest(f.outcomes).map((o) => [o.label || o.id, o.chance])} others={f.others} />
            {f.expectations.map((e) => <p key={e.id + e.seat} class="note">{e.title}: {e.value.toFixed(1)} {e.unit}
              </p>)}
          </section>
        ))}
        {!answer.forecasts.length && <p class="note">{t("stopDice")}</p>}
      </div>
      <ActionButton action={action} model={model} />
      <p>
        <button class="quiet" onClick={() => model.clear()}>{t("cancel")}</button>
        {answer.forecasts.length > 0 && <button class="quiet" onClick={() => preview(model, action.command)}>
          {t("allOfIt")}</button>}
      </p>
    </div>
  );
}

function likeliest<T extends { chance?: ForecastChance | undefined }>(all: T[]): T[] {
  return [...all].sort((a, b) => (b.chance?.value ?? 0) - (a.chance?.value ?? 0)).slice(0, MOST);
}
