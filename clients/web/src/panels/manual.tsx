import { useEffect, useRef } from "preact/hooks";
import type { Signal } from "@preact/signals";
import type { Refusal } from "../wire";
import { t } from "../words";

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

/** DiceDialog asks for the next die of a command, in a game whose players throw real ones. */
export function DiceDialog({ wanted }: { wanted: Signal<Need | null> }) {
  const need = wanted.value;
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (need && !box.current?.open) box.current?.showModal();
  }, [need]);
  if (!need) return null;
  return (
    <dialog ref={box} class="manual" aria-labelledby="die-title"
      onClose={() => wanted.peek() === need && (wanted.value = null)}>
      <h2 id="die-title">{t("throwDie", { n: need.given.length + 1, sides: need.sides })}</h2>
      <p>{t("dieFor", { reason: need.reason })} {need.given.length > 0
        && t("diceSoFar", { dice: need.given.join(", ") })}</p>
      <div class="faces">
        {Array.from({ length: need.sides }, (_, i) => i + 1).map((v) => (
          <button key={v} data-face={v} onClick={() => {
            wanted.value = null;
            need.then([...need.given, v]);
          }}>{v}</button>
        ))}
      </div>
      <form method="dialog"><button>{t("cancel")}</button></form>
    </dialog>
  );
}
