import { useEffect, useRef } from "preact/hooks";
import type { GameModel } from "../game/model";
import { t } from "../words";

/** SureDialog asks once more before what may end the game, or gives up what could still be done. */
export function SureDialog({ model }: { model: GameModel }) {
  const action = model.doubt.value, box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (action && !box.current?.open) box.current?.showModal();
  }, [action]);
  if (!action) return null;
  return (
    <dialog ref={box} class="sure" aria-labelledby="sure-title"
      onClose={() => model.doubt.peek() === action && (model.doubt.value = null)}>
      <h2 id="sure-title">{action.label}</h2>
      <p>{action.confirm ? t("sureOffer") : t("sureEnd", { n: model.left(action) })}</p>
      <div class="buttons">
        <button id="sure-yes" onClick={() => {
          model.doubt.value = null;
          void model.submit(action.command);
        }}>{action.label}</button>
        <form method="dialog"><button id="sure-no" autofocus>{action.confirm ? t("cancel") : t("sureStay")}</button>
          </form>
      </div>
    </dialog>
  );
}
