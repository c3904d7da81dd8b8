import { useSignal } from "@preact/signals";
import type { Prompt } from "@warledger/client/proto/board/v1/board";
import type { GameModel } from "../game/model";
import { t } from "../words";
import { ActionList } from "./actions";
import { byBoard, indexOpen } from "./prompt";
import { PartsList } from "./parts";
import { PlannedCombats } from "./plans";
import { Purchase } from "./purchase";
import { Boxes } from "./boxes";
import { DiceAlarm } from "./alarm";
import { Due } from "./deadlines";
import { RuleLink } from "./rule";
import { StandingOrders, UsualOrders } from "./usual";

/** How many actions of a kind are listed at once. */
const SHOWN = 40;

/** PlayPanel asks the question and lists the answers. */
export function PlayPanel({ model }: { model: GameModel }) {
  const board = model.board.value, game = model.game.value;
  if (!board || !game) return null;
  if (!model.live.value) return <p class="note">{t("pastNote")}</p>;
  const mine = model.mine.value;
  const prompts = board.prompts.filter((p) => !p.optional);
  const ours = prompts.filter((p) => mine.includes(p.seat));
  return (
    <section class="play" aria-label={t("tabPlay")}>
      {game.over && <Over model={model} />}
      <DiceAlarm model={model} />
      {game.pendingDice && !game.over && <p class="question" role="status" id="pending-dice">
        {t("dicePending", { seats: namesOf(model, game.pendingDice.missing) })}</p>}
      {mine.length > 1 && <SeatSwitch model={model} />}
      {ours.map((p) => <Question key={p.seat + p.decision} prompt={p} model={model} mine />)}
      {prompts.filter((p) => !mine.includes(p.seat))
        .map((p) => <Question key={p.seat + p.decision} prompt={p} model={model} />)}
      <UsualOrders model={model} />
      <Procedures model={model} />
      <Purchase key={model.question.value} model={model} />
      <PartsList model={model} />
      <PlannedCombats model={model} />
      <Boxes model={model} />
      <Actions model={model} />
      <StandingOrders model={model} />
      {mine.length > 0 && !game.over && <Typed model={model} />}
    </section>
  );
}

function namesOf(model: GameModel, seats: string[]): string {
  return seats.map((id) => model.board.value!.seats.find((s) => s.id === id)?.name ?? id).join(", ");
}

function Over({ model }: { model: GameModel }) {
  const ending = model.game.value!.ending;
  return (
    <div class="over" role="status">
      <h2>{t("gameOver")}</h2>
      {ending?.text && <p>{ending.text}</p>}
    </div>
  );
}

function SeatSwitch({ model }: { model: GameModel }) {
  const waiting = model.myTurn.value;
  return (
    <div class="switch" role="group" aria-label={t("actFor")}>
      {model.mine.value.map((s) => (
        <button key={s} data-act={s} aria-pressed={model.seat.value === s} onClick={() => model.act(s)}>
          {model.board.value!.seats.find((x) => x.id === s)?.name ?? s}{waiting.includes(s) ? " ●" : ""}
        </button>
      ))}
    </div>
  );
}

function Question({ prompt, model, mine }: { prompt: Prompt; model: GameModel; mine?: boolean }) {
  const seat = model.board.value!.seats.find((s) => s.id === prompt.seat)?.name ?? prompt.seat;
  return (
    <div class={"question" + (mine ? " mine" : "")} data-decision={prompt.decision}>
      <h2>{mine ? t("yourMove", { seat }) : t("waitingFor", { seat })} <Due model={model} seat={prompt.seat} /></h2>
      <p>{prompt.text}</p>
      <p class="rules">{prompt.rules.map((r) => <RuleLink key={r} id={r} ruleset={model.game.value!.ruleset} />)}</p>
    </div>
  );
}

function Procedures({ model }: { model: GameModel }) {
  return <>{model.board.value!.procedures.map((p, i) => <p key={i}
    class={p.attackers.length && p.defenders.length ? "procedure fight" : "procedure"}>▸ {p.text}</p>)}</>;
}

// All that may be done, with words to narrow it by: folded as long as the board leads there as well.
function Actions({ model }: { model: GameModel }) {
  const open = model.open.value, offers = model.offers.value, total = model.actionsTotal.value;
  const chosen = model.choice.value.pieces.length > 0;
  const coming = total - model.actions.value.length;
  return (
    <div class="actions">
      {chosen && open.length === 0 && offers.length === 0 && <p class="note">{t("nothingToDo")}</p>}
      {total > 0 && (
        <details id="index" class="index" open={indexOpen.value || !byBoard(model)}
          onToggle={(e) => byBoard(model) && (indexOpen.value = e.currentTarget.open)}>
          <summary>{t("allActions", { n: open.length + coming })}</summary>
          <ActionList key={(chosen ? "chosen " : "") + model.question.value} list={open} model={model}
            first={chosen ? SHOWN : 6} />
        </details>
      )}
      {coming > 0 && <p class="note" role="status">{t("moreComing", { n: coming })}</p>}
      {offers.length > 0 && (
        <details class="offers" open={chosen && open.length === 0}>
          <summary>{t("offers")}</summary>
          <ActionList key={model.question.value} list={offers} model={model} first={SHOWN} />
        </details>
      )}
    </div>
  );
}

function Typed({ model }: { model: GameModel }) {
  const text = useSignal("");
  const send = (e: Event) => {
    e.preventDefault();
    if (text.value.trim()) void model.enter(text.value.trim()).then(() => !model.trouble.value && (text.value = ""));
  };
  return (
    <details class="typed">
      <summary>{t("typeCommand")}</summary>
      <form onSubmit={send}>
        <input id="command" aria-label={t("typeCommand")} value={text.value}
          onInput={(e) => (text.value = e.currentTarget.value)} placeholder={model.actions.value[0]?.command
          ?? ""} spellcheck={false} autocomplete="off" />
        <button disabled={model.busy.value}>{t("send")}</button>
      </form>
    </details>
  );
}
