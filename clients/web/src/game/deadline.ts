import { create } from "@bufbuild/protobuf";
import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";
import { DeadlinesSchema, DeadlineSpan, Lapse, type Deadlines } from "@warledger/client/proto/log/v1/deadline";
import { lang, t, type Key } from "../words";

/** Units of time that a person thinks in, in seconds. */
export const UNITS: [number, Key][] = [[60, "minutes"], [3600, "hours"], [86400, "days_"]];

export const SPANS: [DeadlineSpan, Key][] = [[DeadlineSpan.ACTION, "spanAction"], [DeadlineSpan.TURN, "spanTurn"]];

export const LAPSES: [Lapse, Key][] = [[Lapse.NOTICE, "lapseNotice"], [Lapse.OPEN_SEAT, "lapseOpen"],
  [Lapse.FORFEIT, "lapseForfeit"], [Lapse.PLAY, "lapsePlay"]];

/** Wanted is what a form asks for: whole numbers of units. */
export interface Wanted {
  on: boolean;
  allowance: number;
  unit: number;
  span: DeadlineSpan;
  /** Hours. */
  bank: number;
  lapse: Lapse;
  /** Hours before the end; 0 for none. */
  reminder: number;
  holidays: number;
  /** Days of the week, 1 for Monday. */
  off: number[];
}

export const USUAL: Wanted = { on: false, allowance: 2, unit: 86400, span: DeadlineSpan.ACTION, bank: 0,
  lapse: Lapse.NOTICE, reminder: 6, holidays: 0, off: [] };

const seconds = (n: number) => ({ seconds: BigInt(Math.round(n)) });

/** deadlinesOf makes deadlines of what a form asks for; none if it asks for none. */
export function deadlinesOf(w: Wanted): Deadlines | undefined {
  if (!w.on) return undefined;
  return create(DeadlinesSchema, {
    allowance: seconds(w.allowance * w.unit), span: w.span, bank: w.bank ? seconds(w.bank * 3600) : undefined,
      lapse: w.lapse,
    reminders: w.reminder ? [seconds(w.reminder * 3600)] : [], holidayDays: w.holidays, daysOff: [...w.off].sort(),
    // Days off are those of whoever asks for them, by the clock of today.
    utcOffset: w.off.length ? seconds(-new Date().getTimezoneOffset() * 60) : undefined,
  });
}

/** wantedOf fills a form with deadlines. */
export function wantedOf(d: Deadlines | undefined): Wanted {
  if (!d) return USUAL;
  const length = whole(d.allowance), unit = [...UNITS].reverse().find(([s]) => length % s === 0)?.[0] ?? 60;
  return {
    on: true, allowance: length / unit, unit, span: d.span || DeadlineSpan.ACTION, bank: whole(d.bank) / 3600,
      lapse: d.lapse || Lapse.NOTICE,
    reminder: whole(d.reminders[0]) / 3600, holidays: d.holidayDays, off: [...d.daysOff],
  };
}

export function whole(d: Duration | undefined): number {
  return Number(d?.seconds ?? 0n);
}

/** lasting says a length of time in words, by its largest unit or two. */
export function lasting(length: number): string {
  const parts: string[] = [];
  for (const [size, name] of [[86400, "day"], [3600, "hour"], [60, "minute"]] as const) {
    const n = Math.floor(length / size);
    if (n > 0)
      parts.push(new Intl.NumberFormat(lang.value, { style: "unit", unit: name, unitDisplay: "long" }).format(n));
    length -= n * size;
  }
  return parts.slice(0, 2).join(" ") || t("moment");
}

/** left says how much time is left until a moment, or that it is past. */
export function left(until: Timestamp): string {
  const s = Number(until.seconds) - Date.now() / 1000;
  return s > 0 ? t("timeLeft", { time: lasting(s) }) : t("timeUp");
}

/** ruleOf says deadlines in words. */
export function ruleOf(d: Deadlines | undefined): string {
  if (!d) return t("noDeadlines");
  const said = [t(d.span === DeadlineSpan.TURN ? "perTurn" : "perAction", { time: lasting(whole(d.allowance)) })];
  if (whole(d.bank)) said.push(t("bankOf", { time: lasting(whole(d.bank)) }));
  said.push(t(LAPSES.find(([l]) => l === (d.lapse || Lapse.NOTICE))![1]));
  if (d.holidayDays) said.push(t("holidaysOf", { n: d.holidayDays }));
  if (d.daysOff.length) said.push(t("offOn", { days: d.daysOff.map(weekday).join(", ") }));
  return said.join(" · ");
}

/** weekday is the name of a day, 1 for Monday. */
export function weekday(n: number): string {
  // 1 January 2024 was a Monday
  return new Intl.DateTimeFormat(lang.value, { weekday: "short", timeZone: "UTC" }).format(Date.UTC(2024, 0, n));
}
