import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Action } from "@warledger/client/proto/board/v1/board";
import type { GameModel } from "../game/model";
import { stored } from "../wallet";
import { t } from "../words";
import { preview } from "./foresee";

/** Seats for which the offer has been answered, as "games/{game} seat". */
const answered = stored<string[]>("usual-answered", []);

/** How many answers a browser remembers: those of its newest games. */
const REMEMBERED = 400;

/** Whether the orders of the seat can be given now. */
const orders = (model: GameModel) => {
  const game = model.game.value;
  return !game || game.over || game.readOnly || !model.mine.value.includes(model.seat.value) ? undefined
    : model.ruleset.value?.standingOrders;
};

/** UsualOrders offers the usual standing orders to whoever has sat down, once for each seat. */
export function UsualOrders({ model }: { model: GameModel }) {
  const seat = model.seat.value, key = `${model.name} ${seat}`, command = orders(model)?.usual;
  if (!command || answered.value.includes(key)) return null;
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

/** StandingOrders lists the orders that stand, each with a button that cancels it, and gives others. */
export function StandingOrders({ model }: { model: GameModel }) {
  const open = useSignal(false), info = orders(model);
  if (!info) return null;
  const stand = model.board.value!.standingOrders.filter((o) => o.seat === model.seat.value);
  const give = (command: string) => void model.submit(command);
  return (
    <details class="standing" open={open.value} onToggle={(e) => (open.value = e.currentTarget.open)}>
      <summary>{t("usualOrders")}{stand.length > 0 && ` (${stand.length})`}</summary>
      {open.value && (
        <>
          <ul>
            {stand.map((o) => (
              <li key={o.command}>{o.text} <button class="quiet" disabled={model.busy.value}
                aria-label={`${t("cancel")}: ${o.text}`} onClick={() => give(o.cancel)}>{t("cancel")}</button></li>
            ))}
          </ul>
          <GiveOrder model={model} kind={info.kind} />
          <div class="buttons">
            {info.usual && <button id="usual-give" disabled={model.busy.value}
              onClick={() => give(info.usual)}>{t("usualYes")}</button>}
            {stand.length > 0 && <button id="standing-none" disabled={model.busy.value}
              onClick={() => give(info.none)}>{t("standingNone")}</button>}
          </div>
        </>
      )}
    </details>
  );
}

/** GiveOrder chooses one of the orders that the server lists: for the whole game, a space, or the piece chosen. */
function GiveOrder({ model, kind }: { model: GameModel; kind: string }) {
  const list = useSignal<Action[]>([]), space = useSignal(""), chosen = useSignal("");
  const piece = model.choice.value.pieces[0] ?? "", seat = model.seat.value, head = model.board.value;
  useEffect(() => {
    let stale = false;
    void model.listed(kind, piece, space.value).then((found) => stale || (list.value = found));
    return () => void (stale = true);
  }, [kind, piece, space.value, seat, head]);
  const free = model.busy.value || !list.value.some((a) => a.command === chosen.value);
  return (
    <div class="give">
      <label>{t("standingSpace")} <input id="standing-space" size={8} value={space.value}
        onChange={(e) => (space.value = e.currentTarget.value.trim())} /></label>
      <label>{t("standingWhich")} <select id="standing-which" value={chosen.value}
        onChange={(e) => (chosen.value = e.currentTarget.value)}>
        <option value="">–</option>
        {list.value.map((a) => <option key={a.command} value={a.command}>{a.label}</option>)}
      </select></label>
      <button id="standing-give" disabled={free} onClick={() => void model.submit(chosen.value)}>
        {t("standingGive")}</button>
    </div>
  );
}
