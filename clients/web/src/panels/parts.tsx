import type { GameModel } from "../game/model";
import { left, said, settled } from "../game/bill";
import { coming } from "../game/parts";
import { t } from "../words";

/** PayLine says what pays so far, where one click does not pay for all, and has the button that pays. */
export function PayLine({ model }: { model: GameModel }) {
  const bill = model.bill.value, shares = model.shares.value;
  if (!bill) return null;
  const { action, payment } = bill, rest = left(bill, shares);
  const undo = () => (model.paying.value = { command: action.command, shares: shares.slice(0, -1) });
  return (
    <div class="answers parts paying">
      <span role="status">{shares.length
        ? t("payingSoFar", { n: payment.due - rest, all: `${payment.due}${payment.unit}`,
          list: said(bill, shares).join(", ") })
        : t("payFrom", { what: action.label, price: `${payment.due}${payment.unit}` })}</span>
      {shares.length > 0 && <>
        <button class="quiet" id="pay-back" onClick={undo}>{t("partsBack")}</button>
        <span class="action"><button id="pay-done" class="do" disabled={rest > 0 || model.busy.value}
          onClick={() => void model.consider(settled(bill, shares))}>{t("partsDone")}</button></span></>}
    </div>
  );
}

/** PartsLine says what has been put together so far, and has the button that sends it. */
export function PartsLine({ model }: { model: GameModel }) {
  const parts = model.parts.value, chosen = model.picked.value;
  if (!parts) return null;
  const name = (word: string) => parts.choices.find((c) => c.word === word)?.region.name ?? word;
  const counts = parts.choices.map((c) => [c.region.name, chosen.filter((w) => w === c.word).length] as const)
    .filter(([, n]) => n).map(([what, n]) => (n > 1 ? `${what} × ${n}` : what));
  return (
    <div class="answers parts">
      <span role="status">{t("partsSoFar", { n: chosen.length, all: parts.size })}
        {counts.length > 0 && `: ${counts.join(", ")}`}</span>
      {chosen.length > 0 && <button class="quiet" id="parts-back" title={name(chosen.at(-1)!)}
        onClick={() => (model.picked.value = chosen.slice(0, -1))}>{t("partsBack")}</button>}
      <span class="action"><button id="parts-done" class="do"
        disabled={chosen.length < parts.size || model.busy.value}
        onClick={() => void model.submit([parts.verb, ...chosen].join(" "))}>{t("partsDone")}</button></span>
    </div>
  );
}

/** PartsList has a button for each region, for whoever does not point at the board. */
export function PartsList({ model }: { model: GameModel }) {
  const parts = model.parts.value, chosen = model.picked.value;
  if (!parts) return null;
  const next = coming(parts, chosen);
  return (
    <div class="parts-list" role="group" aria-label={t("partsChoose")}>
      {parts.choices.map(({ word, region }) => (
        <button key={word} data-part={word} disabled={!next.has(word)} onClick={() => model.pick(word)}>
          {region.name} <b>{chosen.filter((w) => w === word).length || ""}</b></button>
      ))}
    </div>
  );
}
