import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { aim } from "../game/choice";
import type { GameModel } from "../game/model";
import { ActionList } from "../panels/actions";
import { CalculatorButton } from "../panels/calculate";
import { SpaceAbout } from "../panels/space";
import { t } from "../words";
import type { Peek } from "./peek";

/** How much room a card has, in pixels. */
const ROOM = [330, 380] as const;

/** PeekCard is the whole stack of a space, full size, and what can be done there if it was asked for. */
export function PeekCard({ model, peek, frame }:
  { model: GameModel; peek: Signal<Peek | null>; frame: RefObject<HTMLDivElement | null> }) {
  const now = peek.value, board = model.board.value, card = useRef<HTMLDivElement>(null);
  const asked = now?.pinned ? now.space : "";
  // The keys go where the answer is, and back to the board.
  useEffect(() => {
    if (!asked) return;
    card.current?.focus({ preventScroll: true });
    return () => document.querySelector<HTMLElement>(".frame")?.focus({ preventScroll: true });
  }, [asked]);
  if (!now || !board || !frame.current) return null;
  const { space, x, y, pinned } = now, room = frame.current.getBoundingClientRect();
  const here = new Set(board.pieces.filter((p) => p.place === space).map((p) => p.id));
  const acts = pinned ? model.actions.value.filter((a) => !a.offer && (aim(a) === space
    || a.pieces.some((p) => here.has(p)))) : [];
  const left = x + 18 + ROOM[0] > room.width ? Math.max(x - 18 - ROOM[0], 8) : x + 18;
  // A high stack has the whole height.
  const tall = here.size > 5;
  const place = tall ? { top: "8px", "max-height": `${room.height - 16}px` }
    : y > room.height / 2 ? { bottom: `${Math.max(room.height - y - 10, 8)}px`, "max-height": `${y}px` }
    : { top: `${Math.max(y - 10, 8)}px`, "max-height": `${room.height - y}px` };
  return (
    <div ref={card} class={(pinned ? "peek pinned" : "peek") + (tall ? " tall" : "")} data-peek={space}
      tabIndex={pinned ? -1 : undefined} role={pinned ? "dialog" : undefined}
      aria-hidden={pinned ? undefined : true} aria-label={pinned ? t("spaceLabel", { space }) : undefined}
      style={{ left: `${left}px`, ...place }}>
      {pinned && (
        <div class="here">
          {acts.length > 0 ? <ActionList list={acts} model={model} first={6} />
            : <p class="note">{t("peekNothing")}</p>}
          <CalculatorButton model={model} space={space} />
          <button class="quiet" onClick={() => (peek.value = null)}>{t("close")}</button>
        </div>
      )}
      <SpaceAbout model={model} place={space} />
    </div>
  );
}
