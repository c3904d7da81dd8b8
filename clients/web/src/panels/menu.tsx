import { useEffect, useRef } from "preact/hooks";
import type { Action } from "@warledger/client/proto/board/v1/board";
import type { GameModel } from "../game/model";
import { t } from "../words";
import { ShortOdds } from "../board/odds";
import { ActionButton, ActionList } from "./actions";

/** ActionMenu asks which of several actions a click meant, on the half of the board where what was clicked is not. */
export function ActionMenu({ model }: { model: GameModel }) {
  const list = model.menu.value;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (list.length) box.current?.querySelector<HTMLButtonElement>("button.do")?.focus();
  }, [list]);
  if (!list.length) return null;
  const row = rowOf(list);
  return (
    <div class={"menu" + (model.high.value ? " low" : " high")} role="dialog" aria-label={t("whichAction")} ref={box}
      onKeyDown={(e) => e.key === "Escape" && model.clear()}>
      <p>{t("whichAction")} <button class="quiet" onClick={() => model.clear()}>{t("cancel")}</button></p>
      {model.weighed.value.size > 0 ? <Weighed model={model} list={list} />
        : row ? <Row model={model} list={list} row={row} />
        : <div class="menu-list"><ActionList key={model.question.value} list={list} model={model} first={40} /></div>}
    </div>
  );
}

// What was dropped where it could mean several things: each with its odds, so that one click commits.
function Weighed({ model, list }: { model: GameModel; list: Action[] }) {
  return (
    <ul class="menu-list weighed-list">
      {list.map((a) => {
        const answer = model.weighed.value.get(a.command);
        return (
          <li key={a.command} data-weighed={a.command}>
            <ActionButton action={a} model={model} known={!!answer} inLine />
            {answer && <ShortOdds answer={answer} />}
          </li>
        );
      })}
    </ul>
  );
}

/** From how many actions on they are a row, and how long what tells them apart may be. */
const MANY = 4, SHORT = 8;

// What the labels have in common at both ends, and what is between: the turns of a plan, numbers, modes.
interface Common {
  before: string;
  after: string;
  between: string[];
}

function rowOf(list: Action[]): Common | undefined {
  if (list.length < MANY || list.some((a) => a.cost !== list[0]!.cost)) return undefined;
  const labels = list.map((a) => [...a.label]), least = Math.min(...labels.map((l) => l.length)), first = labels[0]!;
  let head = 0, tail = 0;
  while (head < least && labels.every((l) => l[head] === first[head])) head++;
  while (tail < least - head && labels.every((l) => l.at(-1 - tail) === first.at(-1 - tail))) tail++;
  // No word or number is cut in two.
  const inWord = (c: string | undefined) => !!c && /[\p{L}\p{N}]/u.test(c) && !/[\p{Lo}]/u.test(c);
  while (head > 0 && inWord(first[head - 1])) head--;
  while (tail > 0 && inWord(first.at(-tail))) tail--;
  const between = labels.map((l) => l.slice(head, l.length - tail).join("").trim());
  if (between.some((x) => !x || x.length > SHORT) || new Set(between).size < between.length) return undefined;
  return { before: first.slice(0, head).join(""), after: first.slice(first.length - tail).join(""), between };
}

function Row({ model, list, row }: { model: GameModel; list: Action[]; row: Common }) {
  return (
    <div class="menu-row" role="group" aria-label={`${row.before}…${row.after}`}>
      <p>{row.before}…{row.after} {list[0]!.cost && <span class="cost">{list[0]!.cost}</span>}</p>
      {list.map((a, i) => (
        <button key={a.command} class="do" data-command={a.command} aria-label={a.label} disabled={model.busy.value}
          onClick={() => void model.consider(a)}>{row.between[i]}</button>
      ))}
    </div>
  );
}
