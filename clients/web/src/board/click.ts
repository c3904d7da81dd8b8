import type { Piece } from "@warledger/client/proto/board/v1/board";
import { drawn, left, settled } from "../game/bill";
import { aim as aimOf, aimed, reaches, standIn, variant } from "../game/choice";
import type { GameModel } from "../game/model";
import { t } from "../words";
import type { Atlas } from "./atlas";
import type { Stack } from "./stacks";

/** choosePiece adds a piece to the choice, or takes it out again. */
export function choosePiece(model: GameModel, p: Piece, add = false): void {
  const c = model.choice.value;
  model.menu.value = [];
  model.odds.value = null;
  model.note.value = "";
  if (c.pieces.includes(p.id)) {
    model.choice.value = { pieces: c.pieces.filter((x) => x !== p.id), spaces: [] };
    return;
  }
  // It may be what the chosen pieces aim at, or join them.
  const joins = model.open.value.some((a) => a.pieces.includes(p.id));
  model.choice.value = { pieces: c.pieces.length && (joins || add) ? [...c.pieces, p.id] : [p.id], spaces: [] };
  // A stack stays spread out as long as another of its pieces could join.
  const others = new Set(model.board.value!.pieces.filter((x) => x.place === model.fanned.value).map((x) => x.id));
  if (!model.open.value.some((a) => a.pieces.some((x) => others.has(x) && !model.choice.value.pieces.includes(x))))
    model.fanned.value = "";
}

/** actorsOf are the pieces that can act. */
export function actorsOf(model: GameModel): Set<string> {
  return new Set(model.actions.value.flatMap((a) => a.pieces));
}

/** click does what a click on a space means, with what is chosen. */
export function click(model: GameModel, space: string): void {
  const part = model.parts.value?.choices.find((x) => x.region.spaces.includes(space));
  if (part) return model.pick(part.word);
  const c = model.choice.value;
  const targets = reaches(model.open.value);
  const actors = actorsOf(model);
  const here = model.board.value!.pieces.filter((p) => p.place === space);
  const own = here.filter((p) => actors.has(p.id));
  const reach = targets.get(space);
  if (model.pays(space)) {
    // Where a click could mean something else as well, the page asks.
    const bill = model.bill.value!, { kind } = bill.action;
    const others = reach?.actions.filter((a) => a.kind !== kind) ?? [];
    const shares = drawn(bill, [], space);
    if (!others.length || model.shares.value.length) return model.payFrom(space);
    if (left(bill, shares) === 0) {
      model.choice.value = { ...c, spaces: [space] };
      model.menu.value = [...others, settled(bill, shares)];
      return;
    }
  }
  // With something chosen, or where nothing of one's own stands, a click aims.
  if (reach && (c.pieces.length || !own.length || reach.actions.every((a) => !a.pieces.length)))
    return aim(model, space);
  if (c.pieces.length && !here.some((p) => c.pieces.includes(p.id)) && !own.length) return void askWhy(model, space);
  model.menu.value = [];
  model.odds.value = null;
  model.note.value = "";
  if (own.length === 1 && !c.pieces.includes(own[0]!.id)) {
    // The one piece that can act needs no spreading out, which would hide where it can go; the panel shows the others.
    model.fanned.value = "";
    return choosePiece(model, own[0]!);
  }
  if (here.length > 1) {
    model.fanned.value = model.fanned.value === space ? "" : space;
    return;
  }
  model.fanned.value = "";
  if (here.length === 1) choosePiece(model, here[0]!);
  else {
    model.clear();
    model.note.value = nowhere(model, space);
  }
}

/** aim does what a click on a space or box means: the one action that it leaves, or a choice of them. */
export function aim(model: GameModel, space: string): void {
  const open = model.open.value, shown = model.odds.value?.action;
  const found = shown && aimOf(shown) === space ? [shown] : aimed(open, model.choice.value, space);
  model.odds.value = shown === found[0] ? model.odds.value : null;
  model.note.value = "";
  model.choice.value = { ...model.choice.value, spaces: [space] };
  if (found.length === 1) void model.consider(found[0]!);
  else model.menu.value = found;
}

/** drop is aim for what was dragged to a space: where it could mean several things, each shows its odds. */
export function drop(model: GameModel, space: string): void {
  if (!reaches(model.open.value).has(space)) return void askWhy(model, space);
  aim(model, space);
  void model.weigh();
}

// The list of what is allowed may hold a generating set only, and where it does not, the referee says why not.
async function askWhy(model: GameModel, space: string): Promise<void> {
  const c = model.choice.value, command = variant(model.actions.value, c, space);
  model.wished.value = space;
  model.refusedVerb.value = command.split(" ")[0]!;
  if (command) return (await model.ask(command)) ? model.submit(command) : undefined;
  // What others do is asked about only for the referee's reason, and never sent.
  const other = standIn(model.actions.value, c, space);
  model.refusedVerb.value = other.split(" ")[0]!;
  if (!other || (await model.ask(other))) model.note.value = nowhere(model, space);
}

// Why a click did nothing, and what can be done instead.
function nowhere(model: GameModel, space: string): string {
  const board = model.board.value!, atlas = model.atlas.value!;
  const place = placeName(atlas, space), chosen = model.choice.value.pieces;
  if (!model.actions.value.length) return "";
  if (!chosen.length) return t("nothingAt", { place });
  const names = chosen.map((id) => board.pieces.find((p) => p.id === id)?.name ?? id).join(", ");
  const can = [...new Set(model.open.value.filter((a) => a.pieces.length).map((a) => a.label))];
  return can.length ? t("nothingThere", { names, place, can: can.slice(0, 4).join("; ") + (can.length > 4 ? "…" : "") })
    : t("nothingNow", { names });
}

function placeName(atlas: Atlas, id: string): string {
  const name = atlas.spaces.get(id)?.name;
  return name && name !== id ? `${name} (${id})` : id;
}

/** firstOf is the space where the keyboard begins. */
export function firstOf(model: GameModel): string {
  const actor = model.open.value.find((a) => a.pieces.length)?.pieces[0];
  return model.board.value?.pieces.find((p) => p.id === actor)?.place
    ?? model.open.value.find((a) => a.spaces.length)?.spaces.at(-1) ?? "";
}

/** next goes from one space with something to do to the next, for the key n. */
export function next(model: GameModel, stacks: Map<string, Stack>, cursor: { value: string },
  view: { centre(x: number, y: number): void }): void {
  const actors = actorsOf(model);
  const places =
    [...new Set(model.board.value!.pieces.filter((p) => actors.has(p.id) && stacks.has(p.place)).map((p) => p.place))];
  const place = places[(places.indexOf(cursor.value) + 1) % places.length];
  const c = place && model.atlas.value!.spaces.get(place)?.centre;
  if (!c) return;
  cursor.value = place;
  view.centre(c.x, c.y);
}
