import { stored } from "./wallet";
import { en } from "./words.en";
import { ja } from "./words.ja";

export type Lang = "en" | "ja";

/** Language of the page and of everything that the server puts into words. */
export const lang = stored<Lang>("lang", navigator.language.startsWith("ja") ? "ja" : "en");

/** Key names a sentence of the page. */
export type Key = keyof typeof en;

const books: Record<Lang, Record<Key, string>> = { en, ja };

/** t says a sentence, with {names} filled in. */
export function t(key: Key, facts: Record<string, string | number | bigint> = {}): string {
  return books[lang.value][key].replace(/\{(\w+)\}/g,
    (whole, name: string) => (name in facts ? String(facts[name]) : whole));
}

/** ago says how long ago a time was. */
export function ago(seconds: number): string {
  const f = new Intl.RelativeTimeFormat(lang.value, { numeric: "auto" });
  const s = Math.round(Date.now() / 1000 - seconds);
  if (s < 60) return t("justNow");
  if (s < 3600) return f.format(-Math.round(s / 60), "minute");
  if (s < 86400) return f.format(-Math.round(s / 3600), "hour");
  return f.format(-Math.round(s / 86400), "day");
}
