import { signal } from "@preact/signals";
import { further } from "virtual:languages";
import type { en as later } from "./lobby/words.en";
import { stored } from "./wallet";
import { en } from "./words.en";

/** Key names a sentence of the page. */
export type Key = keyof typeof en | keyof typeof later;

type Book = Partial<Record<Key, string>>;

/** What fetches the words of the languages besides English. The page's head begins to, for a browser's own. */
const others: typeof further = { ja: { name: "日本語", words: () => import("./japanese") }, ...further };

/** The languages that there are, by tag, under their own names. */
export const languages: Record<string, string> = { en: "English",
  ...Object.fromEntries(Object.entries(others).map(([tag, l]) => [tag, l.name])) };

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

/** English, with the words that were learned. */
let english: Book = en;

const book = signal<Book>(english);

// The words of another language are fetched when somebody reads it. What it lacks stays English.
function read(tag: string): Promise<void> {
  if (!(tag in others)) {
    book.value = english;
    return Promise.resolve();
  }
  return others[tag]!.words().then(({ words }) => {
    if (lang.peek() === tag) book.value = { ...english, ...words };
  }, () => undefined); // offline, the words that were there stay
}

/** worded resolves when the page has the words of the language that it begins with. */
export const worded = read(lang.peek());

let last = lang.peek();
lang.subscribe((tag) => {
  if (tag !== last) void read((last = tag));
});

/** learn adds the English words of a part of the page that is loaded later. */
export function learn(more: Book): void {
  english = { ...english, ...more };
  book.value = { ...more, ...book.peek() };
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

/** day says a time by the day and the minute. */
export function day(seconds: number): string {
  return new Intl.DateTimeFormat(lang.value, { dateStyle: "medium", timeStyle: "short" }).format(seconds * 1000);
}

/** listed joins names as the language does: "Germany, Japan and Italy". */
export function listed(names: string[]): string {
  return new Intl.ListFormat(lang.value, { type: "conjunction" }).format(names);
}
