import type { Action } from "@warledger/client/proto/board/v1/board";
import { aim } from "../board/click";
import { reaches } from "../game/choice";
import type { GameModel } from "../game/model";
import { t } from "../words";
import { RuleLink } from "./rule";

/** How many ways to pay for what was refused there is room for. */
const MOST = 3;

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
      {model.remedies.value.slice(0, MOST).map((a) => (
        <button key={a.command} class="do" data-remedy={a.command} disabled={model.busy.value}
          onClick={() => void remedy(model, a)}>{a.label} <span class="cost">{a.cost}</span></button>
      ))}
      <button class="quiet" onClick={() => (model.trouble.value = null)}>{t("close")}</button>
    </div>
  );
}

// What was refused for want of a payment is tried again once it is paid.
async function remedy(model: GameModel, action: Action): Promise<void> {
  const wished = model.wished.value;
  await model.perform(action);
  if (!model.trouble.value && model.choice.value.pieces.length && reaches(model.open.value).has(wished))
    aim(model, wished);
}

function seatNames(model: GameModel, ids: string): string {
  return ids.split(",").filter(Boolean).map((id) => model.board.value?.seats.find((s) => s.id === id)?.name ?? id)
    .join(", ");
}
