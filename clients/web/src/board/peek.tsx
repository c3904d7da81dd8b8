import { useSignal, type Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { aim } from "../game/choice";
import type { GameModel } from "../game/model";
import { ActionList } from "../panels/actions";
import { CalculatorButton } from "../panels/calculate";
import { SpaceAbout } from "../panels/space";
import { t } from "../words";
import { layerOn } from "./layers";

/** How long a mouse rests before it is told what is under it, and a finger before it holds, in milliseconds. */
const REST = 400, HOLD = 500;

/** How far a mouse may go before what it was told is gone, in pixels, and how much room a card has. */
const AWAY = 14, ROOM = [330, 380] as const;

/** Peek is a space that is shown in full, near where the pointer was. */
export interface Peek {
  space: string;
  x: number;
  y: number;
  /** It was asked for, and stays, with what can be done there. */
  pinned: boolean;
}

/** Peeking is how a board is asked about its spaces. */
export interface Peeking {
  peek: Signal<Peek | null>;
  pin(space: string, x: number, y: number): void;
  /** Whether the press that ends now was held, and so is no click. Asked once. */
  held(): boolean;
  handlers: Record<"onPointerDown" | "onPointerMove" | "onPointerUp" | "onPointerLeave", (e: PointerEvent) => void>
    & { onContextMenu(e: MouseEvent): void };
}

/** usePeek watches for a mouse that rests, a finger that holds and the right button. */
export function usePeek(frame: RefObject<HTMLDivElement | null>, at: (x: number, y: number) => string | undefined,
  worth: (space: string) => boolean, version: bigint): Peeking {
  const peek = useSignal<Peek | null>(null), asked = { at, worth };
  const now = useMemo(() => ({ ...asked, timer: undefined as ReturnType<typeof setTimeout> | undefined, held: false,
    from: [0, 0] as [number, number] }), []);
  Object.assign(now, asked);
  const peeking = useMemo((): Peeking => {
    const show = (space: string | undefined, x: number, y: number, pinned: boolean) => {
      const box = frame.current?.getBoundingClientRect();
      if (space && box) peek.value = { space, x: x - box.left, y: y - box.top, pinned };
    };
    const wait = (e: PointerEvent, ms: number, then: () => void) => {
      clearTimeout(now.timer);
      now.from = [e.clientX, e.clientY];
      now.timer = setTimeout(then, ms);
    };
    const far = (e: PointerEvent) => Math.hypot(e.clientX - now.from[0], e.clientY - now.from[1]) > AWAY;
    return {
      peek,
      pin: (space, x, y) => {
        clearTimeout(now.timer);
        peek.value = { space, x, y, pinned: true };
      },
      held: () => {
        const was = now.held;
        now.held = false;
        return was;
      },
      handlers: {
        onPointerDown: (e) => {
          clearTimeout(now.timer);
          now.held = false;
          if (e.button === 0) peek.value = null;
          if (e.pointerType !== "touch") return;
          if (!e.isPrimary) return;
          wait(e, HOLD, () => {
            now.held = true;
            show(now.at(e.clientX, e.clientY), e.clientX, e.clientY, true);
          });
        },
        onPointerMove: (e) => {
          if (e.pointerType === "touch" || e.buttons) {
            if (far(e)) clearTimeout(now.timer);
            return;
          }
          if (peek.value?.pinned) return;
          if (peek.value && far(e)) peek.value = null;
          if (peek.value || !layerOn("cards")) return;
          wait(e, REST, () => {
            const space = now.at(e.clientX, e.clientY);
            if (space && now.worth(space)) show(space, e.clientX, e.clientY, false);
          });
        },
        onPointerUp: () => clearTimeout(now.timer),
        onPointerLeave: () => {
          clearTimeout(now.timer);
          if (!peek.value?.pinned) peek.value = null;
        },
        onContextMenu: (e) => {
          e.preventDefault();
          clearTimeout(now.timer);
          if (!now.held) show(now.at(e.clientX, e.clientY), e.clientX, e.clientY, true);
        },
      },
    };
  }, []);
  // What was said of a board is not said of the next.
  useEffect(() => {
    peek.value = null;
  }, [version]);
  useEffect(() => {
    const onEscape = (e: KeyboardEvent) => {
      if (e.key === "Escape") peek.value = null;
    };
    addEventListener("keydown", onEscape);
    return () => {
      removeEventListener("keydown", onEscape);
      clearTimeout(now.timer);
    };
  }, []);
  return peeking;
}

/** both are two sets of listeners, those to the same event one after the other. */
export function both<A extends Record<string, (e: never) => void>, B extends Record<string, (e: never) => void>>(
  a: A, b: B): A & B {
  const all: Record<string, (e: never) => void> = { ...a, ...b };
  for (const key of Object.keys(a)) if (b[key]) all[key] = (e) => {
    a[key]!(e);
    b[key]!(e);
  };
  return all as A & B;
}

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
