// The build of the web board takes from the folder of languages what it needs: of each file the words of the page, in a
// chunk of their own, so that nobody fetches a language that they do not read.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { en as later } from "./src/lobby/words.en";
import { en } from "./src/words.en";

const folder = process.env.WARLEDGER_LANGUAGES ?? fileURLToPath(new URL("../../languages", import.meta.url));
const list = "virtual:languages", one = "virtual:language/";

/** unescape reads a text as the files write it. */
const unescape = (text: string) =>
  text.replace(/\\([\\nt])/g, (_, c: string) => (c === "n" ? "\n" : c === "t" ? "\t" : "\\"));

/** read gives the lines of a file: the English, and the translation. */
function read(tag: string): Map<string, string> {
  const lines = readFileSync(`${folder}/${tag}.tsv`, "utf8").split(/\r?\n/);
  return new Map(lines.filter((l) => l && !l.startsWith("#")).map((l) => l.split("\t"))
    .filter(([, text, key]) => text && !key).map(([english, text]) => [unescape(english!), unescape(text!)]));
}

/** wordsOf returns the tag of the language whose words a module has; undefined for other modules. */
function wordsOf(module: string | null): string | undefined {
  if (module?.startsWith("\0" + one)) return module.slice(one.length + 1);
  return module?.endsWith("/src/japanese.ts") ? "ja" : undefined;
}

/**
 * languages makes the module of the languages that there are, and one with the words of each. It writes the names of
 * the files of words into the page's head, so that they load together with the page.
 */
export function languages(): Plugin {
  return {
    name: "languages",
    resolveId: (id) => (id === list || id.startsWith(one) ? "\0" + id : null),
    load(id) {
      if (id === "\0" + list) {
        const tags = readdirSync(folder).filter((f) => f.endsWith(".tsv")).map((f) => f.slice(0, -4)).sort();
        for (const tag of tags) this.addWatchFile(`${folder}/${tag}.tsv`);
        return "export const further = {" + tags.map((tag) => `${JSON.stringify(tag)}: { name: ` +
          `${JSON.stringify(read(tag).get("@name") ?? tag)}, words: () => import("${one}${tag}") }`).join(", ") + "};";
      }
      if (!id.startsWith("\0" + one)) return null;
      const words = read(id.slice(one.length + 1));
      return "export const words = " +
        JSON.stringify(Object.fromEntries(Object.entries({ ...en, ...later })
        .map(([key, text]) => [key, words.get(text)]))) + ";";
    },
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        if (!bundle) return html; // the page of the development server fetches them later
        const files = Object.values(bundle).flatMap((c) =>
          (c.type === "chunk" ? [[wordsOf(c.facadeModuleId), c.fileName]] : [])).filter(([tag]) => tag);
        const told = html.replace("words = {}", "words = " + JSON.stringify(Object.fromEntries(files)));
        if (told === html) throw new Error("the head of index.html has no place for the files of the words");
        return told;
      },
    },
  };
}
