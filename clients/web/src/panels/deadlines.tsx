import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { left, ruleOf } from "../game/deadline";
import type { GameModel } from "../game/model";
import { asVoter, deadlines, uuid } from "../wire";
import { t } from "../words";
import { mayVote } from "./handover";

/** DeadlineBar asks for consent to other deadlines, or says that it is awaited. */
export function DeadlineBar({ model }: { model: GameModel }) {
  const game = model.game.value, pending = game?.pendingDeadlines;
  if (!game || !pending) return null;
  const name = (id: string) => model.board.value?.seats.find((s) => s.id === id)?.name ?? id;
  const asked = pending.missing.filter((s) => mayVote(model, s));
  const answer = (seat: string, agree: boolean) => {
    const request = { name: game.name, seat, proposed: pending.proposed, agree, requestId: uuid() };
    void model.change(() => deadlines.answerDeadlines(request, asVoter(game.name, seat)));
  };
  return (
    <div class="undo-bar" role="alertdialog" aria-label={t("deadlinesQuestion")}>
      <span>{t("deadlinesAsked", { rule: ruleOf(pending.deadlines) })}</span>
      {asked.map((s) => (
        <span key={s}>
          {asked.length > 1 && <b>{name(s)} </b>}
          <button data-deadlines="agree" onClick={() => answer(s, true)}>{t("agree")}</button>
          <button data-deadlines="refuse" onClick={() => answer(s, false)}>{t("refuse")}</button>
        </span>
      ))}
      {!asked.length && <span>{t("undoWaits", { seats: pending.missing.map(name).join(", ") })}</span>}
    </div>
  );
}

/** Due says how much time a seat has left, and keeps saying it. */
export function Due({ model, seat }: { model: GameModel; seat: string }) {
  const until = model.game.value?.clocks.find((c) => c.seat === seat)?.dueTime, tick = useSignal(0);
  useEffect(() => {
    if (!until) return;
    const timer = setInterval(() => tick.value++, 20_000);
    return () => clearInterval(timer);
  }, [until]);
  return until ? <span class="due" data-due={seat} data-tick={tick.value}>{left(until)}</span> : null;
}
