import { useEffect, useRef } from "preact/hooks";
import type { Signal } from "@preact/signals";
import { t } from "../words";
import type { Need } from "./need";

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
