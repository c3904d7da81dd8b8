import type { GameModel } from "../game/model";
import { t } from "../words";
import { mayVote } from "./handover";

/** UndoBar asks for consent to an undo, or says that consent is awaited. */
export function UndoBar({ model }: { model: GameModel }) {
  const pending = model.game.value?.pendingUndo;
  if (!pending) return null;
  const name = (id: string) => model.board.value?.seats.find((s) => s.id === id)?.name ?? id;
  const asked = pending.missing.filter((s) => mayVote(model, s));
  return (
    <div class="undo-bar" role="alertdialog" aria-label={t("undoQuestion")}>
      <span>{t("undoAsked", { seat: name(pending.seat), version: pending.target })}</span>
      {asked.map((s) => (
        <span key={s}>
          {asked.length > 1 && <b>{name(s)} </b>}
          <button data-undo="agree" onClick={() => void model.answer(pending, s, true)}>{t("agree")}</button>
          <button data-undo="refuse" onClick={() => void model.answer(pending, s, false)}>{t("refuse")}</button>
        </span>
      ))}
      {!asked.length && <span>{t("undoWaits", { seats: pending.missing.map(name).join(", ") })}</span>}
      {model.mine.value.includes(pending.seat)
        && <button data-undo="withdraw" onClick={() => void model.answer(pending, pending.seat, false)}>
          {t("withdraw")}
        </button>}
    </div>
  );
}
