import type { GameModel } from "../game/model";
import { t } from "../words";

/**
 * DiceAlarm says that the server may be choosing the dice, or that somebody else answers for them or agrees to undos in
 * the player's name. One alarm is shown at a time.
 */
export function DiceAlarm({ model }: { model: GameModel }) {
  const seat = model.replaced.value, why = model.logInconsistent.value, taken = model.takenBack.value;
  const name = (id: string) => model.board.value?.seats.find((s) => s.id === id)?.name ?? id;
  if (why) {
    return (
      <div class="trouble" role="alert" id="two-logs">
        <p>{t("logInconsistent", { why })}</p>
        <button class="quiet" onClick={() => model.forgetChains()}>{t("forgetLog")}</button>
      </div>
    );
  }
  if (!seat && taken) {
    return (
      <div class="trouble" role="alert" id="taken-back">
        <p>{t("takenBack", { seat: name(taken.seat), undo: taken.undo, thrown: taken.thrown })}</p>
        <button class="quiet" onClick={() => void model.acceptUndo(taken.undo)}>{t("takenByMe")}</button>
      </div>
    );
  }
  if (!seat) return null;
  return (
    <div class="trouble" role="alert" id="chain-replaced">
      <p>{t("chainReplaced", { seat: name(seat) })}</p>
      {!model.game.value?.pendingDice
        && <button disabled={model.busy.value} onClick={() => void model.renewChain(seat)}>{t("chainRenew")}</button>}
      <button class="quiet" onClick={() => model.forgetChains(seat)}>{t("chainMine")}</button>
    </div>
  );
}
