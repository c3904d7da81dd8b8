import type { GameModel } from "../game/model";

/** States are the pieces by what they are doing. */
export interface States {
  selected: Set<string>;
  open: Set<string>;
  asked: Set<string>;
  moved: Set<string>;
}

export function counterStates(model: GameModel): States {
  const chosen = model.choice.value.pieces;
  // With a piece chosen, those that can join it; else all that can act.
  const actors = new Set(model.open.value.flatMap((a) => a.pieces));
  for (const p of chosen) actors.delete(p);
  const asked = model.board.value?.prompts.filter((p) => !p.optional && model.mine.value.includes(p.seat))
    .flatMap((p) => p.pieces) ?? [];
  return { selected: new Set(chosen), open: actors, asked: new Set(chosen.length ? [] : asked),
    moved: new Set(model.moved.value.keys()) };
}
