import { useSignal } from "@preact/signals";
import type { Action, Lot } from "@warledger/client/proto/board/v1/board";
import { Counter } from "../board/counter";
import { Palette, safeColors } from "../board/color";
import type { GameModel } from "../game/model";
import { t } from "../words";

/**
 * lotsOf are the actions that a form gathers: things to be bought, or hits to be assigned. Less than two need no form.
 */
export function lotsOf(model: GameModel): Action[] {
  const all = model.actions.value.filter((a) => a.lot);
  return all.length > 1 ? all : [];
}

/** Purchase gathers what can be bought in a form: numbers, the total and what is left, and one button for all of it. */
export function Purchase({ model }: { model: GameModel }) {
  return lotsOf(model).some((a) => a.lot!.due) ? null : <Lots model={model} />;
}

/** Losses gathers the casualties that hits ask for, beginning with those that the ruleset suggests. */
export function Losses({ model }: { model: GameModel }) {
  return <Lots model={model} />;
}

function Lots({ model }: { model: GameModel }) {
  const all = lotsOf(model), lots = all.map((a) => a.lot!), numbers = useSignal<Record<string, number>>({});
  if (!lots.length) return null;
  const { purse, kinds, verb, due } = lots[0]!;
  const count = (l: Lot) => numbers.value[l.thing] ?? l.suggested;
  const picked = lots.filter((l) => count(l) > 0), total = picked.reduce((sum, l) => sum + count(l) * l.price, 0),
    left = purse - total;
  const room = (l: Lot) => Math.min(count(l) + Math.floor(left / l.price), l.most || Infinity);
  const set = (l: Lot, n: number) =>
    (numbers.value = { ...numbers.value, [l.thing]: Math.max(0, Math.min(Math.trunc(n) || 0, room(l))) });
  // Where all is chosen already, one more of this is one less of another.
  const more = (l: Lot) => {
    const other = left < l.price && due ? picked.findLast((o) => o !== l && o.price === l.price) : undefined;
    if (!other) set(l, count(l) + 1);
    else if (!l.most || count(l) < l.most)
      numbers.value = { ...numbers.value, [other.thing]: count(other) - 1, [l.thing]: count(l) + 1 };
  };
  const full = (l: Lot) => due ? (l.most > 0 && count(l) >= l.most) || count(l) >= purse : room(l) <= count(l)
    || (picked.length >= kinds && !count(l));
  const send = (e: Event) => {
    e.preventDefault();
    const order = [verb, ...picked.flatMap((l) => [count(l), l.thing])].join(" ");
    void model.submit(order).then(() => !model.trouble.value && (numbers.value = {}));
  };
  return (
    <form class={"purchase" + (due ? " hits" : "")} onSubmit={send} aria-label={due ? t("losses") : t("purchase")}>
      <table>
        <tbody>
          {lots.map((l, i) => (
            <tr key={l.thing} data-lot={l.thing}>
              <th scope="row">
                {due && <Token action={all[i]!} model={model} disabled={full(l)} onClick={() => more(l)} />}
                <label for={"lot-" + l.thing}>{l.name}</label>
              </th>
              {!due && <td class="price">{l.price}</td>}
              <td class="number">
                <button type="button" aria-label={t("oneLess", { what: l.name })} disabled={!count(l)}
                  onClick={() => set(l, count(l) - 1)}>−</button>
                <input id={"lot-" + l.thing} type="number" inputMode="numeric" min={0} value={count(l)}
                  onInput={(e) => {
                  set(l, e.currentTarget.valueAsNumber);
                  e.currentTarget.value = String(count(l));
                }} />
                <button type="button" aria-label={t("oneMore", { what: l.name })} disabled={full(l)}
                  onClick={() => more(l)}>+</button>
              </td>
              <td class="sum">{due ? (l.most ? "/ " + l.most : "") : count(l) ? count(l) * l.price : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="total" role="status">{due ? t("lossesTotal", { total, left }) : t("purchaseTotal", { total, left })}</p>
      <button id={due ? "lose" : "buy"} disabled={!picked.length || (due && left > 0) || model.busy.value}>
        {due ? t("lossesDo") : t("purchaseDo")}</button>
    </form>
  );
}

// The counter that is meant: a click on it takes one more.
function Token({ action, model, disabled, onClick }:
  { action: Action; model: GameModel; disabled: boolean; onClick: () => void }) {
  const board = model.board.value!, piece = board.pieces.find((p) => p.id === action.pieces[0]);
  if (!piece) return null;
  const palette = new Palette(board, safeColors.value);
  return (
    <button type="button" class="tray-piece" disabled={disabled} onClick={onClick}>
      <span class="hidden">{t("oneMore", { what: action.lot!.name })}</span>
      <svg viewBox="-9 -9 120 120" aria-hidden="true"><Counter piece={piece} atlas={model.atlas.value!}
        color={palette.piece(piece)} emblem={palette.emblem(piece.owner)} /></svg>
    </button>
  );
}
