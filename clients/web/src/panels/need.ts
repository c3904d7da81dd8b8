import type { Refusal } from "../wire";

/** Need is a die that the player has to throw before the game goes on. */
export interface Need {
  given: number[];
  sides: number;
  reason: string;
  /** Goes on with all dice so far. */
  then(dice: number[]): void;
}

/** needOf is the die that a refusal asks for; null if it asks for none. */
export function needOf(r: Refusal, given: number[], then: (dice: number[]) => void): Need | null {
  return r.reason === "DICE_EXPECTED" && r.facts["sides"]
    ? { given, sides: Number(r.facts["sides"]), reason: r.facts["reason"] ?? "", then } : null;
}
