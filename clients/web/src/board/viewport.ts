import { useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";

/** How far a finger may stray and still have clicked, in pixels. */
const SLOP = 6;

/** useViewport moves and zooms a picture of a size in a frame that scrolls. */
export function useViewport(frame: RefObject<HTMLDivElement | null>, width: number, height: number) {
  const scale = useSignal(0.5);
  const fitted = useSignal(0.5);
  const detail = useComputed(() => (scale.value * 100 > 78 ? "near" : scale.value * 100 > 42 ? "middle" : "far"));
  const state = useRef({ pointers: new Map<number, PointerEvent>(), travel: 0, spread: 0, width, height });
  state.current.width = width;
  state.current.height = height;

  const view = useMemo(() => {
    const zoomTo = (to: number, x?: number, y?: number) => {
      const f = frame.current;
      if (!f) return;
      const next = Math.min(Math.max(to, fitted.value * 0.9), 5);
      const box = f.getBoundingClientRect();
      const px = (x ?? box.left + box.width / 2) - box.left, py = (y ?? box.top + box.height / 2) - box.top;
      const mx = (f.scrollLeft + px) / scale.value, my = (f.scrollTop + py) / scale.value;
      scale.value = next;
      // The picture takes its new size before the frame scrolls to where the same point is under the finger.
      const svg = f.firstElementChild as SVGElement | null;
      svg?.setAttribute("width", String(state.current.width * next));
      svg?.setAttribute("height", String(state.current.height * next));
      f.scrollLeft = mx * next - px;
      f.scrollTop = my * next - py;
    };
    const fit = () => {
      const f = frame.current;
      if (!f || state.current.width < 2) return;
      fitted.value = Math.min(f.clientWidth / state.current.width, f.clientHeight / state.current.height);
      zoomTo(fitted.value);
    };
    return {
      scale, detail, fit,
      zoom: (by: number) => zoomTo(scale.value * by),
      zoomTo,
      toMap: (x: number, y: number) => {
        const box = frame.current!.firstElementChild!.getBoundingClientRect();
        return { x: (x - box.left) / scale.value, y: (y - box.top) / scale.value };
      },
      centre: (x: number, y: number) => {
        const f = frame.current!;
        f.scrollTo({ left: x * scale.value - f.clientWidth / 2, top: y * scale.value - f.clientHeight / 2, behavior: "smooth" });
      },
      reveal: (x: number, y: number, margin: number) => {
        const f = frame.current!, m = margin * scale.value, px = x * scale.value, py = y * scale.value;
        if (px < f.scrollLeft + m) f.scrollLeft = px - m;
        if (px > f.scrollLeft + f.clientWidth - m) f.scrollLeft = px - f.clientWidth + m;
        if (py < f.scrollTop + m) f.scrollTop = py - m;
        if (py > f.scrollTop + f.clientHeight - m) f.scrollTop = py - f.clientHeight + m;
      },
      /** Whether the last press was a drag and no click. */
      dragged: () => state.current.travel > SLOP,
      handlers: {
        onPointerDown: (e: PointerEvent) => {
          const s = state.current;
          if (e.button !== 0) return;
          if (s.pointers.size === 0) s.travel = 0;
          s.pointers.set(e.pointerId, e);
          s.spread = spreadOf(s.pointers);
        },
        onPointerMove: (e: PointerEvent) => {
          const s = state.current, was = s.pointers.get(e.pointerId);
          if (!was) return;
          s.pointers.set(e.pointerId, e);
          s.travel += Math.hypot(e.clientX - was.clientX, e.clientY - was.clientY);
          if (s.pointers.size === 1) {
            if (s.travel <= SLOP) return;
            frame.current!.setPointerCapture(e.pointerId);
            frame.current!.scrollLeft -= e.clientX - was.clientX;
            frame.current!.scrollTop -= e.clientY - was.clientY;
          } else {
            const spread = spreadOf(s.pointers);
            if (s.spread > 0) zoomTo((scale.value * spread) / s.spread, ...middle(s.pointers));
            s.spread = spread;
          }
        },
        onPointerUp: (e: PointerEvent) => void state.current.pointers.delete(e.pointerId),
        onPointerCancel: (e: PointerEvent) => void state.current.pointers.delete(e.pointerId),
      },
    };
  }, []);

  useEffect(() => {
    const f = frame.current;
    if (!f || width < 2) return;
    fitted.value = Math.min(f.clientWidth / width, f.clientHeight / height);
    // A map on which counters would be too small to be read begins as wide as the window.
    view.zoomTo(fitted.value * 100 > 60 ? fitted.value : Math.min(f.clientWidth / width, 1.2));
    const onWheel = (e: WheelEvent) => {
      e.preventDefault();
      if (e.shiftKey) f.scrollLeft += e.deltaY;
      else view.zoomTo(scale.value * Math.exp(-e.deltaY * (e.deltaMode ? 0.03 : 0.0015)), e.clientX, e.clientY);
    };
    // Preact listens passively to nothing, but browsers do by themselves: only a listener of one's own may keep the page from scrolling.
    f.addEventListener("wheel", onWheel, { passive: false });
    const sizes = new ResizeObserver(() => {
      fitted.value = Math.min(f.clientWidth / state.current.width, f.clientHeight / state.current.height);
    });
    sizes.observe(f);
    return () => {
      f.removeEventListener("wheel", onWheel);
      sizes.disconnect();
    };
  }, [width, height]);
  return view;
}

function spreadOf(pointers: Map<number, PointerEvent>): number {
  const [a, b] = [...pointers.values()];
  return a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0;
}

function middle(pointers: Map<number, PointerEvent>): [number, number] {
  const [a, b] = [...pointers.values()];
  return [(a!.clientX + b!.clientX) / 2, (a!.clientY + b!.clientY) / 2];
}
