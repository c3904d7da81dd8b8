import { useSignal, type Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { layerOn } from "./layers";

/** How long a mouse rests before it is told what is under it, and a finger before it holds, in milliseconds. */
const REST = 400, HOLD = 500;

/** How far a mouse may go before what it was told is gone, in pixels. */
const AWAY = 14;

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
