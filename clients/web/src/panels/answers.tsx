import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Action } from "@warledger/client/proto/board/v1/board";
import type { GameModel } from "../game/model";
import { lang, t } from "../words";
import { ActionButton } from "./actions";
import { useFolds } from "./fit";

/** The least width of the question, in pixels, and the share of its length that it needs to stand on two lines. */
const LEAST = 200, PART = 0.54;

interface AnswersProps {
  model: GameModel;
  list: Action[];
  /** Who acts, where that has just been said. */
  subject: string;
  /** How many more there are in the index, and what unfolds it. */
  more: number;
  unfolded: boolean;
  unfold: () => void;
}

/**
 * Answers is one row of buttons. Those that it has no room for are in a list that unfolds; the first answer and what
 * gives up the rest always stay.
 */
export function Answers({ model, list, subject, more, unfolded, unfold }: AnswersProps) {
  const row = useRef<HTMLDivElement>(null), open = useSignal("");
  const key = [lang.value, more > 0, model.question.value, model.choice.value.pieces.join(), !!model.bill.value,
    ...list.map((a) => a.command + a.label + a.cost)].join();
  const middle = list.filter((a, i) => i > 0 && !a.forgoes).length;
  const folds = useFolds(row, ".prompt", key, middle + 1, (el) => wanted(el) > room(el));
  const out = Math.min(folds, middle), shown = list.filter((a, i) => i === 0 || a.forgoes || i <= middle - out);
  const rest = list.filter((a) => !shown.includes(a)), button = (a: Action) =>
    <ActionButton key={a.command} action={a} model={model} subject={subject} inLine />;
  return (
    <div class={"answers" + (folds > middle ? " many" : "")} ref={row}>
      {shown.map(button)}
      {rest.length > 0 && (
        <div class="rest" onKeyDown={(e) => e.key === "Escape" && (open.value = "")}>
          <button class="quiet" id="rest" aria-expanded={open.value === key} aria-controls="rest-list"
            onClick={() => (open.value = open.value === key ? "" : key)}>
            {t("moreAnswers", { n: rest.length })} ▾</button>
          {open.value === key && <div id="rest-list" onClick={() => (open.value = "")}>{rest.map(button)}</div>}
        </div>
      )}
      {more > 0 && <button class="quiet all" aria-expanded={unfolded} aria-controls="index" onClick={unfold}>
        {t("allActions", { n: model.actionsTotal.value })}</button>}
    </div>
  );
}

// How wide the row would like to be.
function wanted(row: HTMLElement): number {
  const gap = parseFloat(getComputedStyle(row).columnGap) || 0;
  return [...row.children].reduce((n, x) => n + x.getBoundingClientRect().width + gap, -gap);
}

// How wide it may be: beside the question on two lines, or the whole line below the rows for parts and payment.
function room(row: HTMLElement): number {
  const line = row.closest<HTMLElement>(".prompt")!, asked = line.querySelector(".asked"),
    style = getComputedStyle(line);
  const whole = line.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  if (line.querySelector(":scope > .parts")) return whole;
  const text = document.createRange();
  if (asked) text.selectNodeContents(asked);
  const long = asked ? [...text.getClientRects()].reduce((n, r) => n + r.width, 0) : 0;
  const least = Math.min(long, Math.max(LEAST, long * PART));
  return whole - parseFloat(style.columnGap) - least;
}
