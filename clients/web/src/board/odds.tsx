import type { ForecastChance } from "@warledger/client/proto/v1/preview";
import type { GameModel } from "../game/model";
import { ActionButton } from "../panels/actions";
import { t } from "../words";

/** How many outcomes there is room for at the target. */
const MOST = 4;

/** OddsCard shows at the target what an action would cost and what may come of it, before the click that throws the dice. */
export function OddsCard({ model, left, top }: { model: GameModel; left: number; top: number }) {
  const odds = model.odds.value;
  if (!odds) return null;
  const { action, answer } = odds;
  return (
    <div class="menu odds-card" role="dialog" aria-label={t("previewOf", { label: action.label })} style={{ left: `${left}px`, top: `${top}px` }}
      onKeyDown={(e) => e.key === "Escape" && model.clear()}>
      <ul class="certain">{answer.events.filter((e) => e.narration).slice(0, 3).map((e, i) => <li key={i}>{e.narration}</li>)}</ul>
      {answer.forecasts.slice(0, 2).map((f, i) => (
        <div key={i}>
          <b>{f.title}</b>
          <ol>{likeliest(f.outcomes).map((o) => <li key={o.id}><span>{o.label || o.id}</span> <b>{percent(o.chance)}</b></li>)}</ol>
        </div>
      ))}
      {!answer.forecasts.length && <p class="note">{t("stopDice")}</p>}
      <ActionButton action={action} model={model} />
      <button class="quiet" onClick={() => model.clear()}>{t("cancel")}</button>
    </div>
  );
}

function likeliest<T extends { chance?: ForecastChance | undefined }>(all: T[]): T[] {
  return [...all].sort((a, b) => (b.chance?.value ?? 0) - (a.chance?.value ?? 0)).slice(0, MOST);
}

function percent(c: ForecastChance | undefined): string {
  return `${((c?.value ?? 0) * 100).toFixed(0)} %`;
}
