import { reaches } from "../game/choice";
import type { GameModel } from "../game/model";
import { t } from "../words";

/**
 * describeSpace says a space in words, for whoever hears the board: name, terrain, pieces, and what a click there would
 * do.
 */
export function describeSpace(model: GameModel, id: string): string {
  const atlas = model.atlas.value!, board = model.board.value!;
  const s = atlas.spaces.get(id);
  const parts = [[id === s?.name ? "" : id, s?.name].filter(Boolean).join(" ")];
  if (s) parts.push([s.terrain, ...s.features].map((k) => atlas.names.get(k) ?? k).join(", "));
  const state = board.spaces.find((x) => x.id === id);
  const owner = board.seats.find((x) => x.id === state?.owner)?.name;
  if (owner) parts.push(t("heldBy", { seat: owner }));
  const here = board.pieces.filter((p) => p.place === id);
  if (here.length) parts.push(here.map((p) => (p.count > 1 ? `${p.count} × ${p.name}` : p.name)).join(", "));
  const reach = reaches(model.open.value).get(id);
  if (reach && (model.choice.value.pieces.length || reach.actions.some((a) => !a.pieces.length)))
    parts.push(reach.actions.length === 1 ? reach.actions[0]!.label : t("canBeAimedAt"));
  return parts.filter(Boolean).join(". ");
}
