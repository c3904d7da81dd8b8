import { useEffect, useRef } from "preact/hooks";
import { ForecastMethod, PreviewStop, type Forecast } from "@warledger/client/proto/v1/preview";
import type { GameModel } from "../game/model";
import { t, type Key } from "../words";
import { Bars } from "./bars";
import { preview, shown, type Shown } from "./foresee";

const STOPS: Partial<Record<PreviewStop, Key>> = {
  [PreviewStop.DECISION]: "stopDecision", [PreviewStop.DICE]: "stopDice", [PreviewStop.HIDDEN]: "stopHidden",
    [PreviewStop.OVER]: "stopOver",
};

/** PreviewDialog shows what a command would do: what is certain, and the chances of the rest as bars. */
export function PreviewDialog({ model }: { model: GameModel }) {
  const s = shown.value, box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (s && !box.current?.open) box.current?.showModal();
  }, [s]);
  if (!s) return null;
  const a = s.answer;
  return (
    <dialog ref={box} class="preview" aria-labelledby="preview-title" onClose={() => (shown.value = null)}>
      <h2 id="preview-title">{a?.action?.label ?? s.command}
        {a?.action?.cost && <span class="cost">{a.action.cost}</span>}</h2>
      {!a && !s.fault && <p role="status">{t("loading")}</p>}
      {s.fault && <p role="alert">{s.fault.message}</p>}
      {a && (
        <>
          {a.events.some((e) => e.narration) && <ul class="certain">
            {a.events.filter((e) => e.narration).map((e, i) => <li key={i}>{e.narration}</li>)}</ul>}
          {STOPS[a.stop] && <p class="note">{t(STOPS[a.stop]!)}</p>}
          {a.forecasts.map((f, i) => <Chances key={i} forecast={f} />)}
          {a.assumptions.map((x, i) => <p key={i} class="note">{x}</p>)}
          <Policies model={model} shown={s} />
        </>
      )}
      <div class="buttons">
        {a && <button id="preview-do" onClick={() => {
          box.current?.close();
          void (a.action ? model.perform(a.action) : model.submit(s.command));
        }}>{t("doIt")}</button>}
        <form method="dialog"><button autofocus>{t("close")}</button></form>
      </div>
    </dialog>
  );
}

// Forecasts go by policies: of those that were used each may be another.
function Policies({ model, shown: s }: { model: GameModel; shown: Shown }) {
  const used = new Map(s.answer!.forecasts.flatMap((f) => f.policies).map((p) => [p.id, p.value]));
  const known = model.ruleset.value?.policies.filter((p) => used.has(p.id)) ?? [];
  if (!known.length) return null;
  return (
    <fieldset class="policies">
      <legend>{t("policies")}</legend>
      {known.map((p) => (
        <label key={p.id} class="field">{p.description}
          <select data-policy={p.id} value={s.policies[p.id] ?? used.get(p.id)}
            onChange={(e) => preview(model, s.command, { ...s.policies, [p.id]: e.currentTarget.value })}>
            {p.values.map((v) => <option key={v.value} value={v.value}>{v.description || v.value}</option>)}
          </select>
        </label>
      ))}
    </fieldset>
  );
}

const METHODS: Partial<Record<ForecastMethod, Key>> = { [ForecastMethod.EXACT]: "methodExact",
  [ForecastMethod.COMPUTED]: "methodComputed", [ForecastMethod.SAMPLED]: "methodSampled" };

/** Modifiers are what strengths, columns and rolls are made of, those of one together. */
export function Modifiers({ forecast: f }: { forecast: Forecast }) {
  const groups = [...new Set(f.modifiers.map((m) => m.of))];
  if (!groups.length) return null;
  return (
    <dl class="modifiers">
      {groups.map((of) => (
        <div key={of}>
          <dt>{of}</dt>
          {f.modifiers.filter((m) => m.of === of)
            .map((m, i) => <dd key={i} data-modifier={m.id}><span>{m.title}</span> <b>{m.value}</b></dd>)}
        </div>
      ))}
    </dl>
  );
}

/** Chances are a forecast: what it is made of, its outcomes as bars, and what is left and lost. */
export function Chances({ forecast: f }: { forecast: Forecast }) {
  return (
    <section class="forecast">
      <h3>{f.title}</h3>
      <Modifiers forecast={f} />
      <Bars rows={f.outcomes.map((o) => [o.label || o.id, o.chance])} others={f.others} />
      {f.distributions.map((d) => (
        <details key={d.id + d.seat} open={f.distributions.length < 3}>
          <summary>{d.title}</summary>
          <Bars rows={d.shares.map((x) => [x.label, x.chance])} others={d.others} />
        </details>
      ))}
      {f.expectations.length > 0 && <dl class="facts">
        {f.expectations.map((e) => <><dt>{e.title}</dt><dd>{e.value.toFixed(2)} {e.unit}</dd></>)}</dl>}
      <p class="note">
        {METHODS[f.method]
          && t(METHODS[f.method]!, { n: f.trials })} {f.policies.map((p) => p.description)
          .join(" ")} {f.assumptions.join(" ")}
      </p>
    </section>
  );
}
