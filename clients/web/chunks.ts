// Which files the build makes. What the first board needs is one file: a browser asks for six at a time, and each
// takes a round trip. What comes later is in a few files by purpose, and each part of the lobby in its own.
import type { Plugin } from "vite";

/** What the client has that a board needs later or never: the code for mutual dice and for proofs. */
const DICE = /\/typescript\/dist\/(bytes|chain|dice|prove|takenback|verify)\.js$|\/@noble\/|\/src\/game\/kept\.ts$/;

/** Calls that no board needs, or that are made when it stands. */
const CALLS = /\/gen\/warledger\/v1\/(?!game_)\w+_service_pb\.js$/;

/** chunks puts everything that the entry imports into one file, and what it fetches later into a few. */
export function chunks(): Plugin {
  const first = new Set<string>(), rest = new Set<string>();
  return {
    name: "chunks",
    apply: "build",
    buildEnd() {
      const all = [...this.getModuleIds()];
      const follow = (from: string[], found: Set<string>) => {
        for (let id = from.pop(); id; id = from.pop()) {
          if (first.has(id) || found.has(id) || DICE.test(id) || CALLS.test(id)) continue;
          found.add(id);
          from.push(...(this.getModuleInfo(id)?.importedIds ?? []));
        }
      };
      follow(all.filter((id) => this.getModuleInfo(id)?.isEntry), first);
      follow(all.filter((id) => id.endsWith("/src/rest.ts")), rest);
    },
    config: () => ({ build: { rolldownOptions: { output: { codeSplitting: {
      includeDependenciesRecursively: false, groups: [
      { name: "dice", test: DICE, priority: 2 },
      { name: "calls", test: CALLS, priority: 2 },
      { name: "index", test: (id: string) => first.has(id), priority: 1 },
      { name: "rest", test: (id: string) => rest.has(id), priority: 1 },
    ] } } } } }),
  };
}
