import type { Action, Region } from "@warledger/client/proto/board/v1/board";

/** Parts are what a command is put together from, one region a click: such as the zones of markers. */
export interface Parts {
  /** First word of the command. */
  verb: string;
  /** How many regions one command has. */
  size: number;
  /** The regions to choose from, each with its word in a command, in the map's order. */
  choices: { word: string; region: Region }[];
  /** The words of each listed command. */
  rows: string[][];
}

/**
 * partsOf are the parts that all actions are made of; undefined unless each is a verb and as many words, all names of
 * regions that the action aims at.
 */
export function partsOf(actions: Action[], regions: Region[]): Parts | undefined {
  const first = actions[0];
  if (!first || actions.length < 2) return undefined;
  const named = new Map<string, Region>(), rows: string[][] = [], [verb = "", ...parts] = first.command.split(" ");
  if (!parts.length) return undefined;
  for (const a of actions) {
    const words = a.command.split(" ");
    if (a.pieces.length || words[0] !== verb || words.length !== parts.length + 1) return undefined;
    for (const w of words.slice(1)) {
      const region = named.get(w)
        ?? regions.find((r) => r.spaces.length && a.spaces.includes(r.id) && (r.id === w || r.id.endsWith("-" + w)));
      if (!region) return undefined;
      named.set(w, region);
    }
    rows.push(words.slice(1));
  }
  const choices = [...named].map(([word, region]) => ({ word, region }))
    .sort((a, b) => regions.indexOf(a.region) - regions.indexOf(b.region));
  return { verb, size: parts.length, choices, rows };
}

/** coming are the words that may follow what has been chosen; the order in which one chooses does not matter. */
export function coming(parts: Parts, chosen: string[]): Set<string> {
  const all = new Set<string>();
  for (const row of parts.rows) {
    const left = [...row];
    if (chosen.every((w) => left.includes(w) && left.splice(left.indexOf(w), 1))) left.forEach((w) => all.add(w));
  }
  return all;
}
