import { useEffect, useRef } from "preact/hooks";
import type { GameModel } from "../game/model";
import { t } from "../words";
import { ActionList } from "./actions";

/** ActionMenu asks which of several actions a click meant, on the half of the board where what was clicked is not. */
export function ActionMenu({ model }: { model: GameModel }) {
  const list = model.menu.value;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (list.length) box.current?.querySelector<HTMLButtonElement>("button.do")?.focus();
  }, [list]);
  if (!list.length) return null;
  return (
    <div class={"menu" + (model.high.value ? " low" : " high")} role="dialog" aria-label={t("whichAction")} ref={box}
      onKeyDown={(e) => e.key === "Escape" && model.clear()}>
      <p>{t("whichAction")} <button class="quiet" onClick={() => model.clear()}>{t("cancel")}</button></p>
      <div class="menu-list"><ActionList key={model.question.value} list={list} model={model} first={40} menu /></div>
    </div>
  );
}
