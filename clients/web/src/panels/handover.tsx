import { useSignal } from "@preact/signals";
import { SeatGuard, type Game, type SeatState } from "@warledger/client/proto/v1/game_service";
import type { GameModel } from "../game/model";
import { formerOf, invitationOf, wallet } from "../wallet";
import { access, as, asVoter, client, uuid } from "../wire";
import { day, t } from "../words";

/** mayTake tells whether the guard of a free seat lets this browser sit down: what the server would say. */
export function mayTake(game: Game, seat: SeatState): boolean {
  if (seat.guard === SeatGuard.UNSPECIFIED || formerOf(game.name, seat.id)) return true;
  return seat.guard === SeatGuard.OWNER && !wallet.value[game.name]?.owner && !invitationOf(game.name, seat.id);
}

/**
 * mayVote tells whether this browser may answer for a seat: it holds the seat, or held it last before the owner freed
 * it.
 */
export function mayVote(model: GameModel, seat: string): boolean {
  return model.mine.value.includes(seat) || !!formerOf(model.name, seat);
}

function namer(model: GameModel): (id: string) => string {
  return (id) => model.board.value?.seats.find((s) => s.id === id)?.name ?? id;
}

/** Guard says why a free seat is guarded, and lets the owner ask the others whether it may be taken. */
export function Guard({ model, seat }: { model: GameModel; seat: SeatState }) {
  const game = model.game.value!, asking = useSignal(false), nobody = useSignal(false), name = namer(model);
  const owner = !!wallet.value[game.name]?.owner && !game.over && !game.readOnly && game.pendingSeat?.seat !== seat.id;
  const all = seat.guard === SeatGuard.ALL;
  const who = game.seats.filter((s) => s.taken && !model.mine.value.includes(s.id)).map((s) => name(s.id));
  if (all) who.push(t("lastHolder", { seat: name(seat.id) }));
  const offer = async () => {
    const request = { name: game.name, seat: seat.id, requestId: uuid() };
    asking.value = false;
    const done = await model.change(() => access.offerSeat(request, as(game.name)));
    nobody.value = !done && model.trouble.value?.reason === "SEAT_GUARDED";
    if (nobody.value) model.trouble.value = null;
  };
  return (
    <>
      <p class="note">{t(all ? "guardAll" : "guardOwner", { time: day(Number(seat.leaveTime?.seconds ?? 0)) })}</p>
      {nobody.value && <p class="note" role="alert" data-nobody={seat.id}>{t("offerNobody")}</p>}
      {owner && !asking.value
        && <button class="quiet" data-offer={seat.id} disabled={model.busy.value} onClick={() => (asking.value = true)}>
        {t("offerSeat")}</button>}
      {owner && asking.value && (
        <form class="offer" aria-label={t("offerSeat")} onSubmit={(e) => {
          e.preventDefault();
          void offer();
        }}>
          <p class="note">{who.length > 0 && <>{t("offerAsked", { who: who.join(", ") })} </>}{t("offerNote")}</p>
          <button data-offer-yes={seat.id}>{t("offerAsk")}
            </button> <button type="button" class="quiet" onClick={() => (asking.value = false)}>{t("cancel")}</button>
        </form>
      )}
    </>
  );
}

/**
 * OfferBar asks whether an offered seat may be taken, or says whose answer is awaited. The last holder of the seat may
 * be among those asked.
 */
export function OfferBar({ model }: { model: GameModel }) {
  const game = model.game.value, pending = game?.pendingSeat;
  if (!game || !pending) return null;
  const name = namer(model), asked = pending.missing.filter((s) => mayVote(model, s));
  const answer = (seat: string, agree: boolean) => {
    const id = uuid(), send = (requestId: string) => access.answerSeat(
      { name: game.name, seat, offered: pending.offered, agree, requestId }, asVoter(game.name, seat));
    void model.change(() => (agree && seat === pending.seat
      ? client.game(game.name, seat).leaving(seat, send, id) : send(id)));
  };
  return (
    <div class="undo-bar" role="alertdialog" aria-label={t("offerQuestion")}>
      <span>{t("offerOf", { seat: name(pending.seat) })}</span>
      {asked.map((s) => (
        <span key={s}>
          {asked.length > 1 && <b>{name(s)} </b>}
          <button data-seat-answer="agree" onClick={() => answer(s, true)}>{t("agree")}</button>
          <button data-seat-answer="refuse" onClick={() => answer(s, false)}>{t("refuse")}</button>
        </span>
      ))}
      {!asked.length && <span>
        {t("undoWaits",
        { seats: pending.missing.map((s) => (s === pending.seat ? t("lastHolder", { seat: name(s) }) : name(s)))
        .join(", ") })}</span>}
    </div>
  );
}
