import { useEffect, useRef } from "preact/hooks";
import type { BattleFormSide, BattleNumber } from "@warledger/client/proto/v1/battle";
import type { GameModel } from "../game/model";
import { t } from "../words";
import { ask, calculate, leave, shown, type Entry, type Force, type Shown } from "./calculate";
import { Chances } from "./preview";

type Side = "attacker" | "defender";

/** CalculatorDialog is a battle to be entered, with its odds. */
export function CalculatorDialog({ model }: { model: GameModel }) {
  const s = shown.value, box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (s && !box.current?.open) box.current?.showModal();
  }, [s]);
  if (!s) return null;
  const a = s.answer, form = a?.form;
  const again = (change: Partial<Entry>) => ask(model, { ...s.entry, ...change });
  return (
    <dialog ref={box} class="calculator" aria-labelledby="calculator-title" aria-busy={s.busy} onClose={leave}>
      <h2 id="calculator-title">{a?.forecast?.title ?? t("calcOpen")}</h2>
      {!a && !s.fault && <p role="status">{t("loading")}</p>}
      {s.fault && <p role="alert">{s.fault.message}</p>}
      {form && (
        <div class="calculated">
          <div class="entry">
            <div class="fields">
              {form.kinds.length > 1 && <label class="field">{t("calcKind")}
                <select id="calculator-kind" value={form.kind}
                  onChange={(e) => again({ kind: e.currentTarget.value, attacker: only(s.entry.attacker),
                    defender: {} })}>
                  {form.kinds.map((k) => <option key={k.id} value={k.id}>{k.title}</option>)}
                </select></label>}
              <label class="field">{t("attacker")}
                <select id="calculator-party" value={form.attacker?.party}
                  onChange={(e) => again({ attacker: { party: e.currentTarget.value }, kind: "", defender: {} })}>
                  {form.attacker?.parties.map((p) => <option key={p.id} value={p.id}>{p.title}</option>)}
                </select></label>
            </div>
            <div class="forces">
              {(["attacker", "defender"] as const).map((side) => <Forces key={side} side={side} form={form[side]!}
                change={(force) => again({ kind: form.kind, [side]: force })} />)}
            </div>
            <p class="note">{t("calcOrder")}</p>
            <Choices model={model} shown={s} again={again} />
          </div>
          <div class="result">{a.forecast && <Chances forecast={a.forecast} />}</div>
        </div>
      )}
      <div class="buttons">
        <button id="calculator-reset" onClick={() => calculate(model, s.entry.space)}>{t("calcReset")}</button>
        <form method="dialog"><button autofocus>{t("close")}</button></form>
      </div>
    </dialog>
  );
}

// only is who attacks, without what was entered.
function only(force: Force | undefined): Force {
  return force?.party ? { party: force.party } : {};
}

// enteredAs is a side as it stands in the form.
function enteredAs(form: BattleFormSide): Required<Force> {
  return {
    party: form.party, entered: true,
    numbers: Object.fromEntries(form.numbers.filter((n) => n.most > 0 && n.value > 0).map((n) => [n.id, n.value])),
    traits: form.traits.filter((x) => x.on).map((x) => x.id),
    losses: form.numbers.filter((n) => n.canBeLost).map((n) => n.id),
  };
}

function Forces({ side, form, change }: { side: Side; form: BattleFormSide; change: (force: Force) => void }) {
  const now = enteredAs(form), name = form.parties.find((p) => p.id === form.party)?.title;
  const set = (numbers: Record<string, number>) => change({ ...now, numbers: { ...now.numbers, ...numbers } });
  const all = (count: (n: BattleNumber) => number) => set(Object.fromEntries(form.numbers.filter((n) => n.most > 0)
    .map((n) => [n.id, Math.min(count(n), n.most)])));
  const earlier = (i: number) => {
    const losses = [...now.losses];
    losses.splice(i - 1, 2, losses[i]!, losses[i - 1]!);
    change({ ...now, losses });
  };
  return (
    <fieldset data-side={side}>
      <legend>{t(side)}{name && `: ${name}`}</legend>
      <p class="fill">
        {side === "attacker" && <button class="quiet" onClick={() => all((n) => n.there + n.withinReach)}>
          {t("calcAll")}</button>}
        <button class="quiet" onClick={() => all((n) => n.there)}>{t("calcThere")}</button>
        <button class="quiet" onClick={() => all(() => 0)}>{t("calcNone")}</button>
      </p>
      <table>
        <tbody>
          {form.numbers.map((n, i) => (
            <tr key={n.id} class={n.value ? "" : "zero"}>
              <td class="turn">{n.canBeLost && i > 0
                && <button class="quiet" aria-label={t("calcEarlier", { what: n.title })}
                  title={t("calcEarlier", { what: n.title })} onClick={() => earlier(i)}>↑</button>}</td>
              <th scope="row">{n.title}</th>
              <td>{n.most > 0 ? (
                <input type="number" min={0} max={n.most} value={n.value} data-number={n.id} aria-label={n.title}
                  onChange={(e) => {
                    const value = Math.round(Number(e.currentTarget.value));
                    set({ [n.id]: Math.min(Math.max(value || 0, 0), n.most) });
                  }} />
              ) : <span class="follows">{n.value}</span>}</td>
              <td class="there">{n.there + n.withinReach > 0
                && <small title={t("calcInReach", { there: n.there, reach: n.withinReach })}>
                  {n.there}{n.withinReach > 0 && ` + ${n.withinReach}`}</small>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {form.traits.map((x) => (
        <label key={x.id} class="trait"><input type="checkbox" checked={x.on} data-trait={x.id}
          onChange={(e) => change({ ...now, traits: e.currentTarget.checked ? [...now.traits, x.id]
            : now.traits.filter((id) => id !== x.id) })} /> {x.title}</label>
      ))}
    </fieldset>
  );
}

// How the choices within the battle are made. Another order of losses by policy takes the place of one by hand.
function Choices({ model, shown: s, again }:
  { model: GameModel; shown: Shown; again: (change: Partial<Entry>) => void }) {
  const used = new Map(s.answer!.forecast?.policies.map((p) => [p.id, p.value]));
  const known = model.ruleset.value?.policies.filter((p) => used.has(p.id)) ?? [];
  return (
    <details class="policies">
      <summary>{t("policies")}</summary>
      {known.map((p) => (
        <label key={p.id} class="field">{p.description}
          <select data-policy={p.id} value={s.entry.policies?.[p.id] ?? used.get(p.id)}
            onChange={(e) => again({
              policies: { ...s.entry.policies, [p.id]: e.currentTarget.value },
              ...(s.entry.attacker && { attacker: { ...s.entry.attacker, losses: [] } }),
              ...(s.entry.defender && { defender: { ...s.entry.defender, losses: [] } }),
            })}>
            {p.values.map((v) => <option key={v.value} value={v.value}>{v.description || v.value}</option>)}
          </select>
        </label>
      ))}
    </details>
  );
}
