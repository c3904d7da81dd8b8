import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { DeadlineSpan, Lapse } from "@warledger/client/proto/log/v1/deadline";
import { deadlinesOf, lasting, LAPSES, left, ruleOf, SPANS, UNITS, wantedOf, weekday, whole,
  type Wanted } from "../game/deadline";
import type { GameModel } from "../game/model";
import { wallet } from "../wallet";
import { as, deadlines, uuid } from "../wire";
import { t } from "../words";

/** DeadlineFields ask how long seats may take. */
export function DeadlineFields({ wanted }: { wanted: Signal<Wanted> }) {
  const w = wanted.value, set = (part: Partial<Wanted>) => (wanted.value = { ...w, ...part });
  const number = (label: string, value: number, most: number, take: (n: number) => void, least = 0, name = "") => (
    <label class="field">{label}
      <input type="number" name={name} min={least} max={most} value={value}
      onChange={(e) => take(Math.min(Math.max(Math.round(Number(e.currentTarget.value)) || least, least), most))} />
      </label>
  );
  return (
    <div class="deadlines">
      <label class="check"><input type="checkbox" name="deadlines" checked={w.on}
        onChange={(e) => set({ on: e.currentTarget.checked })} />{t("withDeadlines")}</label>
      {w.on && (
        <>
          <span class="pair">
            {number(t("allowance"), w.allowance, 366, (n) => set({ allowance: n }), 1, "allowance")}
            <label class="field">{t("unit")}
              <select name="unit" value={String(w.unit)} onChange={(e) => set({ unit: Number(e.currentTarget.value) })}>
              {UNITS.map(([s, key]) => <option key={s} value={String(s)}>{t(key)}</option>)}</select></label>
          </span>
          <label class="field">{t("span")}
            <select value={String(w.span)}
            onChange={(e) => set({ span: Number(e.currentTarget.value) as DeadlineSpan })}>
            {SPANS.map(([x, key]) => <option key={x} value={String(x)}>{t(key)}</option>)}</select></label>
          <label class="field">{t("lapse")}
            <select name="lapse" value={String(w.lapse)}
            onChange={(e) => set({ lapse: Number(e.currentTarget.value) as Lapse })}>
            {LAPSES.map(([x, key]) => <option key={x} value={String(x)}>{t(key)}</option>)}</select></label>
          {number(t("bank"), w.bank, 8784, (n) => set({ bank: n }))}
          {number(t("reminder"), w.reminder, 8784, (n) => set({ reminder: n }))}
          {number(t("holidays"), w.holidays, 366, (n) => set({ holidays: n }), 0, "holidays")}
          <fieldset>
            <legend>{t("daysOff")}</legend>
            <span class="week">{[1, 2, 3, 4, 5, 6, 7].map((d) => (
              <label key={d} class="check">
                <input type="checkbox" checked={w.off.includes(d)} disabled={!w.off.includes(d) && w.off.length === 6}
                onChange={(e) =>
                set({ off: e.currentTarget.checked ? [...w.off, d] : w.off.filter((x) => x !== d) })} />{weekday(d)}
                </label>
            ))}</span>
          </fieldset>
        </>
      )}
    </div>
  );
}

/**
 * DeadlinePanel shows the deadlines of the game and what time everyone has. The owner proposes others, and whoever
 * holds a seat takes holidays.
 */
export function DeadlinePanel({ model }: { model: GameModel }) {
  const game = model.game.value!, wanted = useSignal(wantedOf(game.deadlines)), days = useSignal(1);
  const owner = !!wallet.value[game.name]?.owner && !game.over && !game.readOnly;
  useEffect(() => {
    wanted.value = wantedOf(game.deadlines);
  }, [game.deadlines]);
  if (!game.deadlines && !owner) return null;
  const name = (id: string) => model.board.value?.seats.find((s) => s.id === id)?.name ?? id;
  const propose = () => {
    const request = { name: game.name, deadlines: deadlinesOf(wanted.value), requestId: uuid() };
    void model.change(() => deadlines.proposeDeadlines(request, as(game.name)));
  };
  const rest = (seat: string) => {
    const request = { name: game.name, seat, days: days.value, requestId: uuid() };
    void model.change(() => deadlines.takeHoliday(request, as(game.name)));
  };
  return (
    <section class="times" aria-label={t("deadlines")}>
      <h2>{t("deadlines")}</h2>
      <p>{ruleOf(game.deadlines)}</p>
      <ul>
        {game.clocks.map((c) => (
          <li key={c.seat} data-clock={c.seat}>
            <b>{name(c.seat)}</b>
            {c.dueTime && <span>{left(c.dueTime)}</span>}
            {c.expired && <span class="tag">{t("timeUp")}</span>}
            {c.holidayUntil && Number(c.holidayUntil.seconds) * 1000 > Date.now() && <span>
              {t("onHoliday", { time: lasting(Number(c.holidayUntil.seconds) - Date.now() / 1000) })}</span>}
            {whole(c.bankLeft) > 0 && <span class="note">{t("bankLeft", { time: lasting(whole(c.bankLeft)) })}</span>}
            {c.holidaysLeft > 0 && <span class="note">{t("holidaysLeft", { n: c.holidaysLeft })}</span>}
            {c.holidaysLeft > 0 && model.mine.value.includes(c.seat) && !game.over && (
              <span>
                <input type="number" aria-label={t("holidayDays")} min={1} max={c.holidaysLeft} value={days.value}
                  onChange={(e) => (days.value = Math.max(1, Math.round(Number(e.currentTarget.value)) || 1))} />{" "}
                <button data-holiday={c.seat} disabled={model.busy.value} onClick={() => rest(c.seat)}>
                  {t("takeHoliday")}</button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {owner && (
        <details>
          <summary>{t("otherDeadlines")}</summary>
          <p class="note">{t("otherDeadlinesNote")}</p>
          <DeadlineFields wanted={wanted} />
          <button id="propose-deadlines" disabled={model.busy.value} onClick={propose}>{t("propose")}</button>
        </details>
      )}
    </section>
  );
}
