import type { Action } from "@warledger/client/proto/board/v1/board";

/** Choice is what the player has pointed at so far. */
export interface Choice {
  pieces: string[];
  spaces: string[];
}

export const NOTHING: Choice = { pieces: [], spaces: [] };

/** matches says whether an action is among those that a choice leaves open. */
export function matches(a: Action, c: Choice): boolean {
  return c.pieces.every((p) => a.pieces.includes(p)) && c.spaces.every((s) => a.spaces.includes(s));
}

/**
 * open are the actions that a choice leaves; what a ruleset lists for a chosen piece alone may be an offer, which is
 * apart.
 */
export function open(actions: Action[], c: Choice): Action[] {
  return actions.filter((a) => !a.offer && matches(a, c));
}

export function aim(a: Action): string {
  return a.spaces[a.spaces.length - 1] ?? "";
}

/** Reach is a space that a click may aim at, with the price if all ways there cost the same. */
export interface Reach {
  space: string;
  cost: string;
  actions: Action[];
}

/** reaches lists where the actions aim. */
export function reaches(actions: Action[]): Map<string, Reach> {
  const all = new Map<string, Reach>();
  for (const a of actions) {
    const space = aim(a);
    if (!space) continue;
    const r = all.get(space);
    if (!r) all.set(space, { space, cost: a.cost, actions: [a] });
    else {
      r.actions.push(a);
      if (r.cost !== a.cost) r.cost = "";
    }
  }
  return all;
}

/** aimed are the actions that aim at a space; those with just the pieces chosen, if there are any. */
export function aimed(actions: Action[], c: Choice, space: string): Action[] {
  const there = actions.filter((a) => aim(a) === space);
  const exact = there.filter((a) => a.pieces.length === c.pieces.length);
  return exact.length ? exact : there;
}

/**
 * variant writes the command that the player seems to mean when clicking a space that no listed action aims at: a
 * listed command of the chosen pieces with its aim replaced. The server says whether it is allowed, and by which rule
 * not.
 */
export function variant(actions: Action[], c: Choice, space: string): string {
  for (const a of actions) {
    const target = aim(a);
    if (!target || !c.pieces.length || !c.pieces.every((p) => a.pieces.includes(p))) continue;
    const words = a.command.split(" ");
    const at = words.lastIndexOf(target);
    if (at < 0) continue;
    words[at] = space;
    return words.join(" ");
  }
  return "";
}

/**
 * standIn writes the command that the chosen piece would give if it could do what others do: a listed command of
 * another single piece, with its piece and aim replaced. The server says by which rule it is not allowed.
 */
export function standIn(actions: Action[], c: Choice, space: string): string {
  const [piece, more] = c.pieces;
  if (!piece || more) return "";
  for (const a of actions) {
    const words = a.command.split(" "), at = words.lastIndexOf(aim(a)), by = words.indexOf(a.pieces[0] ?? "");
    if (a.pieces.length !== 1 || !aim(a) || at < 0 || by < 0) continue;
    words[at] = space;
    words[by] = piece;
    return words.join(" ");
  }
  return "";
}

/** byKind groups actions, in the order in which kinds first come. */
export function byKind(actions: Action[]): Map<string, Action[]> {
  const all = new Map<string, Action[]>();
  for (const a of actions) all.get(a.kind)?.push(a) ?? all.set(a.kind, [a]);
  return all;
}

/**
 * narrowed are the actions in which every word that was typed occurs: in the label, the command, or the names of what
 * it touches.
 */
export function narrowed(actions: Action[], typed: string, names: Map<string, string>): Action[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return actions;
  return actions.filter((a) => {
    const text = [a.label, a.command, a.cost, ...[...a.pieces, ...a.spaces].map((id) => names.get(id) ?? "")].join(" ")
      .toLowerCase();
    return words.every((w) => text.includes(w));
  });
}
