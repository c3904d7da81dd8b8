import type { GameModel } from "../game/model";
import { stored } from "../wallet";
import { t } from "../words";
import { preview } from "./preview";

/** The command that gives the usual standing orders, by ruleset. Those of other rulesets have no usual ones. */
const USUAL: Record<string, string> = { downfall: "standing all usual", ocs: "orders order=usual value=1" };

/** Seats for which the offer has been answered, as "games/{game} seat". */
const answered = stored<string[]>("usual-answered", []);

/** How many answers a browser remembers: those of its newest games. */
const REMEMBERED = 400;

/** UsualOrders offers the usual standing orders to whoever has sat down, once for each seat. */
export function UsualOrders({ model }: { model: GameModel }) {
  const game = model.game.value, seat = model.seat.value, key = `${model.name} ${seat}`;
  const command = game ? USUAL[game.ruleset.replace("rulesets/", "")] : undefined;
  if (!game || !command || game.over || game.readOnly || !model.mine.value.includes(seat)
    || answered.value.includes(key)) return null;
  const answer = () => (answered.value = [...answered.value, key].slice(-REMEMBERED));
  const give = async () => {
    await model.submit(command);
    if (!model.trouble.value) answer();
  };
  return (
    <div class="usual" role="group" aria-label={t("usualOrders")}>
      <p>{t("usualOffer", { seat: model.board.value?.seats.find((s) => s.id === seat)?.name ?? seat })}</p>
      <div class="buttons">
        <button id="usual-yes" disabled={model.busy.value} onClick={() => void give()}>{t("usualYes")}</button>
        <button id="usual-no" onClick={answer}>{t("usualNo")}</button>
        <button class="quiet" onClick={() => preview(model, command)}>{t("usualWhat")}</button>
      </div>
    </div>
  );
}
