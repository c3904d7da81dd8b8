import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { PreviewStop, type Forecast, type ForecastChance, type PreviewCommandResponse,
} from "@warledger/client/proto/v1/preview";
import type { GameModel } from "../game/model";
import { ActionButton } from "../panels/actions";
import { Bars } from "../panels/bars";
import { preview } from "../panels/foresee";
import { Modifiers } from "../panels/preview";
import { t } from "../words";

/** How many outcomes there is room for at the target, and how many lines of what is certain. */
const MOST = 5, LINES = 4;

/** Between the card and the end of the frame, in pixels. */
const GAP = 8;

interface CardProps {
  model: GameModel;
  frame: RefObject<HTMLElement | null>;
  /** Where the action aims at, in pixels of the frame; undefined if it aims at nothing on the map. */
  target: () => { x: number; y: number; half: number } | undefined;
}

/**
 * OddsCard shows at the target what an action would cost and what may come of it, before the click that throws the
 * dice.
 */
export function OddsCard({ model, frame, target }: CardProps) {
  const odds = model.odds.value, card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const f = frame.current;
    if (!odds || !f) return undefined;
    const place = () => beside(card.current, f, target());
    place();
    f.addEventListener("scroll", place, { passive: true });
    return () => f.removeEventListener("scroll", place);
  });
  if (!odds) return null;
  const { action, answer } = odds;
  return (
    <div class="menu odds-card" ref={card} role="dialog" aria-label={t("previewOf", { label: action.label })}
      onKeyDown={(e) => e.key === "Escape" && model.clear()}>
      <div class="weighed">
        {answer.forecasts.map((f, i) => (
          <section key={i} class="forecast">
            <Likely forecast={f} most={MOST} />
            <Modifiers forecast={f} />
          </section>
        ))}
        {!answer.forecasts.length && <p class="note">{t("stopDice")}</p>}
        <ul class="certain">
          {answer.events.filter((e) => e.narration).slice(0, LINES).map((e, i) => <li key={i}>{e.narration}</li>)}</ul>
      </div>
      <ActionButton action={action} model={model} inLine />
      <p>
        <button class="quiet" onClick={() => model.clear()}>{t("cancel")}</button>
        {answer.forecasts.length > 0 && <button class="quiet" onClick={() => preview(model, action.command)}>
          {t("allOfIt")}</button>}
      </p>
    </div>
  );
}

/** What is shown of each of several actions. */
const FEW = 3;

/** ShortOdds are the odds of one of several actions, in brief. */
export function ShortOdds({ answer }: { answer: PreviewCommandResponse }) {
  return (
    <>
      {answer.forecasts.slice(0, 1).map((f, i) => <Likely key={i} forecast={f} most={FEW} />)}
      {!answer.forecasts.length && answer.stop === PreviewStop.DICE && <p class="note">{t("stopDice")}</p>}
    </>
  );
}

// The likeliest outcomes as bars, and what is to be expected.
function Likely({ forecast: f, most }: { forecast: Forecast; most: number }) {
  return (
    <>
      <h3>{f.title}</h3>
      <Bars rows={likeliest(f.outcomes, most).map((o) => [o.label || o.id, o.chance])} others={f.others} />
      {f.expectations.map((e) => <p key={e.id + e.seat} class="note">{e.title}: {e.value.toFixed(1)} {e.unit}</p>)}
    </>
  );
}

// beside puts a card below what it is about, or above that where the frame ends, or else to the side of it: all of the
// card is to be seen, and of the target as much as can be.
function beside(card: HTMLElement | null, frame: HTMLElement,
  at: { x: number; y: number; half: number } | undefined): void {
  if (!card) return;
  const [w, h, wide, high] = [card.offsetWidth, card.offsetHeight, frame.clientWidth, frame.clientHeight];
  const within = (v: number, most: number) => Math.max(GAP, Math.min(v, most - GAP));
  let left = within(at ? at.x - w / 2 : GAP, wide - w), top = GAP;
  if (at) {
    const below = at.y + at.half, above = at.y - at.half - h;
    top = below + h <= high ? below : within(above, high - h);
    // Neither fits: the side with more room.
    if (below + h > high && above < 0) left = within(at.x < wide / 2 ? at.x + at.half : at.x - at.half - w, wide - w);
  }
  card.style.left = `${left}px`;
  card.style.top = `${top}px`;
}

function likeliest<T extends { chance?: ForecastChance | undefined }>(all: T[], most: number): T[] {
  return [...all].sort((a, b) => (b.chance?.value ?? 0) - (a.chance?.value ?? 0)).slice(0, most);
}
