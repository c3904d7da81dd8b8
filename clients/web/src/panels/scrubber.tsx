import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { GameModel } from "../game/model";
import { t } from "../words";

/** Seconds that each version stays while the game is played back. */
const PACE = 1.1;

/** Scrubber goes to any version on the line that is looked at, step by step or at once. */
export function Scrubber({ model }: { model: GameModel }) {
  const playing = useSignal(false);
  const line = model.shownLine.value;
  const at = model.live.value ? line.length - 1 : Math.max(0, line.indexOf(model.looking.value));
  const to = (i: number) => {
    const v = line[Math.min(Math.max(i, 0), line.length - 1)];
    if (v !== undefined) model.visit(v);
  };
  useEffect(() => {
    if (!playing.value) return;
    if (at >= line.length - 1) {
      playing.value = false;
      return;
    }
    const timer = setTimeout(() => to(at + 1), PACE * 1000);
    return () => clearTimeout(timer);
  }, [playing.value, at, line.length]);
  const mine = model.lastOfMine();
  const plays = model.mine.value.length > 0; // who only looks on takes nothing back
  const canAct = plays && model.live.value && !model.game.value?.over && !model.game.value?.readOnly;
  return (
    <div class="scrubber" role="group" aria-label={t("history")}>
      <button id="step-back" aria-label={t("stepBack")} title={t("stepBack")}
        disabled={at <= 0} onClick={() => to(at - 1)}>◀</button>
      <button id="playback" aria-label={playing.value ? t("pause") : t("playBack")} title={t("playBack")}
        disabled={line.length < 2} onClick={() => {
        if (!playing.value && at >= line.length - 1) to(0);
        playing.value = !playing.value;
      }}>{playing.value ? "❚❚" : "▶"}</button>
      <button id="step-on" aria-label={t("stepOn")} title={t("stepOn")}
        disabled={at >= line.length - 1} onClick={() => to(at + 1)}>▶|</button>
      <input id="scrub" type="range" min={0} max={Math.max(0, line.length - 1)} value={at} aria-label={t("scrub")}
        aria-valuetext={t("versionN", { n: line[at] ?? 0n })} onInput={(e) => to(Number(e.currentTarget.value))} />
      <output for="scrub">{t("versionOf", { n: line[at] ?? 0n, last: line.at(-1) ?? 0n })}</output>
      {plays && <button id="since-mine" title={t("sinceMineHint")}
        disabled={!mine || line.indexOf(mine) >= line.length - 1} onClick={() => {
        model.visit(mine);
        playing.value = true;
      }}>{t("sinceMine")}</button>}
      {!model.live.value && <button id="to-now" class="now" onClick={() => model.visit(0n)}>{t("toNow")}</button>}
      {plays && <span class="undo-redo">
        <button id="undo"
          disabled={!canAct || model.busy.value || line.length < 2
          || !!model.game.value?.pendingUndo} onClick={() => void model.undo()}>↶ {t("undo")}</button>
        <button id="redo" disabled={!canAct || model.busy.value || !model.canRedo.value}
          onClick={() => void model.redo()}>↷ {t("redo")}</button>
      </span>}
    </div>
  );
}
