import { useSignal } from "@preact/signals";
import type { Lot } from "@warledger/client/proto/board/v1/board";
import type { GameModel } from "../game/model";
import { t } from "../words";

/** Purchase gathers what can be bought in a form: numbers, the total and what is left, and one button for all of it. */
export function Purchase({ model }: { model: GameModel }) {
  const lots = model.actions.value.flatMap((a) => a.lot ?? []), numbers = useSignal<Record<string, number>>({});
  if (lots.length < 2) return null;
  const { purse, kinds, verb } = lots[0]!;
  const count = (l: Lot) => numbers.value[l.thing] ?? 0;
  const picked = lots.filter((l) => count(l) > 0), total = picked.reduce((sum, l) => sum + count(l) * l.price, 0), left = purse - total;
  const set = (l: Lot, n: number) => (numbers.value = { ...numbers.value, [l.thing]: Math.max(0, Math.min(Math.trunc(n) || 0, count(l) + Math.floor(left / l.price))) });
  const full = (l: Lot) => left < l.price || (picked.length >= kinds && !count(l));
  const buy = (e: Event) => {
    e.preventDefault();
    const order = [verb, ...picked.flatMap((l) => [count(l), l.thing])].join(" ");
    void model.submit(order).then(() => !model.trouble.value && (numbers.value = {}));
  };
  return (
    <form class="purchase" onSubmit={buy} aria-label={t("purchase")}>
      <table>
        <tbody>
          {lots.map((l) => (
            <tr key={l.thing} data-lot={l.thing}>
              <th scope="row"><label for={"lot-" + l.thing}>{l.name}</label></th>
              <td class="price">{l.price}</td>
              <td class="number">
                <button type="button" aria-label={t("oneLess", { what: l.name })} disabled={!count(l)} onClick={() => set(l, count(l) - 1)}>−</button>
                <input id={"lot-" + l.thing} type="number" inputMode="numeric" min={0} value={count(l)} onInput={(e) => {
                  set(l, e.currentTarget.valueAsNumber);
                  e.currentTarget.value = String(count(l));
                }} />
                <button type="button" aria-label={t("oneMore", { what: l.name })} disabled={full(l)} onClick={() => set(l, count(l) + 1)}>+</button>
              </td>
              <td class="sum">{count(l) ? count(l) * l.price : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="total" role="status">{t("purchaseTotal", { total, left })}</p>
      <button id="buy" disabled={!picked.length || model.busy.value}>{t("purchaseDo")}</button>
    </form>
  );
}
