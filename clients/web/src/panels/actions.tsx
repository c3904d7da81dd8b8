import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { Action } from "@warledger/client/proto/board/v1/board";
import { byKind, narrowed } from "../game/choice";
import type { GameModel } from "../game/model";
import { t } from "../words";
import { preview } from "./foresee";

/** How long a list has to be for being narrowed by typing, and how many more of it each press shows. */
const LONG = 12, MORE = 100;

/**
 * ActionList lists actions by kind, the first few of each, and narrows them by the words that are typed: label,
 * command, pieces, spaces.
 */
export function ActionList({ list, model, first }: { list: Action[]; model: GameModel; first: number }) {
  const words = useSignal(""), box = useRef<HTMLInputElement>(null);
  const long = list.length > LONG, typed = long ? words.value : ""; // what can't be seen narrows nothing
  const names = useMemo(() => namesOf(model), [model.board.value, model.atlas.value]);
  const found = useMemo(() => narrowed(list, typed, names), [list, typed, names]);
  const clear = () => {
    words.value = "";
    box.current?.focus();
  };
  return (
    <>
      {long && (
        <div class={"narrow" + (typed ? " on" : "")}>
          <input ref={box} type="search" aria-label={t("narrow", { n: list.length })} value={words.value}
            placeholder={t("narrow",
            { n: list.length })} spellcheck={false} autocomplete="off" onInput={(e) =>
            (words.value = e.currentTarget.value)} />
          {typed && <button class="quiet" onClick={clear}>{t("narrowClear", { found: found.length, n: list.length })}
            </button>}
        </div>
      )}
      {typed && found.length === 0 && <p class="note" role="status">
        {t("noneNarrowed")} <button class="quiet" onClick={clear}>{t("narrowAll", { n: list.length })}</button></p>}
      {[...byKind(found)].map(([kind, all]) => <Kind key={kind} list={all} model={model}
        first={typed ? MORE : first} />)}
    </>
  );
}

// Of a long list only a few are shown: what is meant is pointed at on the board.
function Kind({ list, model, first }: { list: Action[]; model: GameModel; first: number }) {
  const more = useSignal(0);
  const begin = list.length > 40 ? first : list.length;
  const shown = list.slice(0, begin + more.value);
  // Two that read alike are told apart by the commands themselves.
  const labels = new Map<string, number>();
  for (const a of list) labels.set(a.label + a.cost, (labels.get(a.label + a.cost) ?? 0) + 1);
  return (
    <div class="kind">
      {shown.map((a) =>
        <ActionButton key={a.command} action={a} model={model} exact={labels.get(a.label + a.cost)! > 1} />)}
      {list.length > shown.length && (
        <p class="note">
          {t("moreActions", { n: list.length - shown.length })} <button class="quiet more"
          onClick={() => (more.value += MORE)}>{t("showMore", { n: Math.min(MORE, list.length - shown.length) })}
          </button></p>
      )}
    </div>
  );
}

// What pieces, spaces and boxes are called, for whoever types a name or how it is read.
function namesOf(model: GameModel): Map<string, string> {
  const all = new Map<string, string>();
  for (const p of model.board.value?.pieces ?? []) all.set(p.id, p.name);
  for (const s of model.atlas.value?.map.spaces ?? []) if (s.name) all.set(s.id, s.name + " " + s.reading);
  for (const b of model.atlas.value?.boxes ?? []) all.set(b.id, b.name + " " + b.reading);
  return all;
}

interface ButtonProps {
  action: Action;
  model: GameModel;
  /** It shows the command as well: another button reads the same. */
  exact?: boolean;
  /** It stands where its odds are shown already. */
  known?: boolean;
  /** It has no room for a button of its own that asks for consequences. */
  inLine?: boolean;
  /** Who acts, where that has just been said. */
  subject?: string;
}

/**
 * ActionButton does an action, once the odds of its dice have been shown; beside it is a button that says what would
 * come of it.
 */
export function ActionButton({ action, model, exact, known, inLine, subject }: ButtonProps) {
  const rest = subject && action.label.startsWith(subject) ? action.label.slice(subject.length) : "",
    label = /^[:：]/.test(rest) ? rest.slice(1).trim() : action.label;
  return (
    <div class="action">
      <button class={action.forgoes ? "do forgoes" : "do"} data-command={action.command} disabled={model.busy.value}
        onClick={() => void (known ? model.perform(action) : model.consider(action))}>
        <span>{label}{exact && <code> {action.command}</code>}</span>{" "}
          {action.cost && <span class="cost">{action.cost}</span>}
      </button>
      {!action.forgoes && !inLine
        && <button class="odds" aria-label={t("previewOf", { label: action.label })} title={t("preview")}
        onClick={() => preview(model, action.command)}>%</button>}
    </div>
  );
}
