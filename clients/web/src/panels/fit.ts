import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** A phone, where lines are moved sideways by a finger and nothing is folded away. */
const phone = matchMedia("(max-width: 600px)");

/**
 * useFolds returns how many steps an element must fold away to fit its room. `over` reports whether it is too large as
 * it stands; it is asked again whenever the key or the width of the element's frame has changed.
 */
export function useFolds(of: RefObject<HTMLElement | null>, frame: string, key: string, most: number,
  over: (el: HTMLElement) => boolean): number {
  const folds = useSignal(0), width = useSignal(0), last = useRef("");
  useEffect(() => {
    const el = of.current?.closest(frame);
    if (!el) return undefined;
    const watch = new ResizeObserver(() => (width.value = el.clientWidth));
    watch.observe(el);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    const now = `${width.value} ${key}`, el = of.current;
    if (last.current !== now) {
      last.current = now;
      if (folds.peek()) { // from the beginning: there may be more room than before
        folds.value = 0;
        return;
      }
    }
    if (el && !phone.matches && folds.peek() < most && over(el)) folds.value++;
  });
  return folds.value + width.value * 0;
}
