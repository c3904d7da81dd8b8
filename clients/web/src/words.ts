import { effect, signal } from "@preact/signals";
import { further } from "virtual:languages";
import type { en as later } from "./lobby/words.en";
import { stored } from "./wallet";
import { en } from "./words.en";
import { ja } from "./words.ja";

/** Key names a sentence of the page. */
export type Key = keyof typeof en | keyof typeof later;

type Book = Partial<Record<Key, string>>;

/** The languages that there are, by tag, under their own names. */
export const languages: Record<string, string> = { en: "English", ja: "日本語",
  ...Object.fromEntries(Object.entries(further).map(([tag, l]) => [tag, l.name])) };

/** usual is the first language that the browser likes and that there is. */
function usual(): string {
  for (const liked of navigator.languages) {
    for (let tag = liked; tag; tag = tag.slice(0, Math.max(0, tag.lastIndexOf("-")))) {
      if (tag in languages) return tag;
    }
  }
  return "en";
}

/** Language of the page and of everything that the server puts into words. */
export const lang = stored("lang", usual());
if (!(lang.peek() in languages)) lang.value = usual(); // a newer page may have had more

/** English and Japanese, with the words that were learned. */
const known: Record<string, Book> = { en, ja };

const book = signal<Book>(known[lang.peek()] ?? known["en"]!);

// The words of a further language are fetched when somebody reads it. What it lacks stays English.
effect(() => {
  const tag = lang.value;
  if (!(tag in further)) book.value = known[tag] ?? known["en"]!;
  else {
    void further[tag]!.words().then(({ words }) => {
      if (lang.peek() === tag) book.value = { ...known["en"], ...words };
    }, () => undefined); // who is offline reads what was there
  }
});

/** learn adds the words of a part of the page that is loaded later. */
export function learn(more: Book, moreJapanese: Book): void {
  known["en"] = { ...known["en"], ...more };
  known["ja"] = { ...known["ja"], ...moreJapanese };
  book.value = { ...(lang.peek() === "ja" ? moreJapanese : more), ...book.peek() };
}

/** t says a sentence, with {names} filled in. */
export function t(key: Key, facts: Record<string, string | number | bigint> = {}): string {
  return book.value[key]!.replace(/\{(\w+)\}/g,
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

/** listed joins names as the language does: "Germany, Japan and Italy". */
export function listed(names: string[]): string {
  return new Intl.ListFormat(lang.value, { type: "conjunction" }).format(names);
}
