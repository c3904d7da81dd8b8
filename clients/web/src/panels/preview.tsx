import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ForecastMethod, PreviewStop, type Forecast, type ForecastChance, type PreviewCommandResponse } from "../gen/warledger/v1/preview_pb";
import type { GameModel } from "../game/model";
import { as, games, refusal, type Refusal } from "../wire";
import { lang, t, type Key } from "../words";

const shown = signal<{ command: string; answer?: PreviewCommandResponse; fault?: Refusal } | null>(null);

/** preview asks what a command would do, and shows it. */
export function preview(model: GameModel, command: string): void {
  shown.value = { command };
  void games.previewCommand({ name: model.name, seat: model.seat.value, form: { case: "notation", value: command }, languageCode: lang.value }, as(model.name)).then(
    (answer) => shown.value?.command === command && (shown.value = { command, answer }),
    (thrown) => shown.value?.command === command && (shown.value = { command, fault: refusal(thrown) }),
  );
}

const STOPS: Partial<Record<PreviewStop, Key>> = {
  [PreviewStop.DECISION]: "stopDecision", [PreviewStop.DICE]: "stopDice", [PreviewStop.HIDDEN]: "stopHidden", [PreviewStop.OVER]: "stopOver",
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
      <h2 id="preview-title">{a?.action?.label ?? s.command}{a?.action?.cost && <span class="cost">{a.action.cost}</span>}</h2>
      {!a && !s.fault && <p role="status">{t("loading")}</p>}
      {s.fault && <p role="alert">{s.fault.message}</p>}
      {a && (
        <>
          {a.events.some((e) => e.narration) && <ul class="certain">{a.events.filter((e) => e.narration).map((e, i) => <li key={i}>{e.narration}</li>)}</ul>}
          {STOPS[a.stop] && <p class="note">{t(STOPS[a.stop]!)}</p>}
          {a.forecasts.map((f, i) => <Chances key={i} forecast={f} />)}
          {a.assumptions.map((x, i) => <p key={i} class="note">{x}</p>)}
        </>
      )}
      <div class="buttons">
        {a && <button id="preview-do" onClick={() => {
          box.current?.close();
          void model.submit(s.command);
        }}>{t("doIt")}</button>}
        <form method="dialog"><button autofocus>{t("close")}</button></form>
      </div>
    </dialog>
  );
}

const METHODS: Partial<Record<ForecastMethod, Key>> = { [ForecastMethod.EXACT]: "methodExact", [ForecastMethod.COMPUTED]: "methodComputed", [ForecastMethod.SAMPLED]: "methodSampled" };

function Chances({ forecast: f }: { forecast: Forecast }) {
  return (
    <section class="forecast">
      <h3>{f.title}</h3>
      <Bars rows={f.outcomes.map((o) => [o.label || o.id, o.chance])} others={f.others} />
      {f.distributions.map((d) => (
        <details key={d.id + d.seat} open={f.distributions.length < 3}>
          <summary>{d.title}</summary>
          <Bars rows={d.shares.map((x) => [x.label, x.chance])} others={d.others} />
        </details>
      ))}
      {f.expectations.length > 0 && <dl class="facts">{f.expectations.map((e) => <><dt>{e.title}</dt><dd>{e.value.toFixed(2)} {e.unit}</dd></>)}</dl>}
      <p class="note">
        {METHODS[f.method] && t(METHODS[f.method]!, { n: f.trials })} {f.policies.map((p) => p.description).join(" ")} {f.assumptions.join(" ")}
      </p>
    </section>
  );
}

function Bars({ rows, others }: { rows: [string, ForecastChance | undefined][]; others?: ForecastChance | undefined }) {
  const all = others && others.value > 0 ? [...rows, [t("others"), others] as [string, ForecastChance]] : rows;
  return (
    <table class="bars">
      <tbody>
        {all.map(([label, c], i) => (
          <tr key={i}>
            <th scope="row">{label}</th>
            <td class="bar-cell" aria-hidden="true">
              <span class="fill" style={{ width: `${(c?.value ?? 0) * 100}%` }} />
              {c?.low !== undefined && c.high !== undefined && <span class="range" style={{ left: `${c.low * 100}%`, width: `${(c.high - c.low) * 100}%` }} />}
            </td>
            <td class="percent" title={c?.fraction}>{((c?.value ?? 0) * 100).toFixed(1)} %</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
