import type { GameModel } from "../game/model";
import { t } from "../words";
import { RuleLink } from "./rule";

/** Trouble shows why something was refused, with the rule in reach, and what can be done about it. */
export function Trouble({ model }: { model: GameModel }) {
  const r = model.trouble.value;
  if (!r) return null;
  const barrier = r.reason === "UNDO_BARRIER";
  return (
    <div class="trouble" role="alert" data-reason={r.reason}>
      <p>
        {barrier ? t("undoBarrier", { seats: seatNames(model, r.facts["needed"] ?? "") }) : r.reason === "SEAT_GUARDED"
          ? t("guardedTrouble") : r.reason === "VERSION_CONFLICT" ? t("movedOn") : r.reason ? r.message
          : t("unreachable")}
        {r.rule && model.game.value && <> <RuleLink id={r.rule} ruleset={model.game.value.ruleset} /></>}
      </p>
      {barrier && r.facts["needed"] && <button onClick={() => void model.undo(model.undoTarget, true)}>{t("askConsent")}
        </button>}
      <button class="quiet" onClick={() => (model.trouble.value = null)}>{t("close")}</button>
    </div>
  );
}

function seatNames(model: GameModel, ids: string): string {
  return ids.split(",").filter(Boolean).map((id) => model.board.value?.seats.find((s) => s.id === id)?.name ?? id)
    .join(", ");
}
