import { useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";

/** How far a finger may stray and still have clicked, in pixels. */
const SLOP = 6;

/**
 * useViewport moves and zooms a picture of a size in a frame that scrolls. A picture whose edges meet is drawn twice, side by side, as long as
 * it fills the frame, and the frame goes from the one to the same place of the other before an edge is reached: it turns like a globe.
 */
export function useViewport(frame: RefObject<HTMLDivElement | null>, width: number, height: number, wraps: boolean) {
  const scale = useSignal(0.5);
  const fitted = useSignal(0.5);
  const room = useSignal(0);
  const detail = useComputed(() => (scale.value * 100 > 78 ? "near" : scale.value * 100 > 42 ? "middle" : "far"));
  const state = useRef({ pointers: new Map<number, PointerEvent>(), travel: 0, spread: 0, middle: [0, 0] as [number, number], width, height, wraps });
  Object.assign(state.current, { width, height, wraps });

  const view = useMemo(() => {
    const twice = () => state.current.wraps && state.current.width * scale.value >= room.value - 1;
    // One turn of the globe is as good as none.
    const scrollTo = (left: number) => {
      const turn = state.current.width * scale.value;
      frame.current!.scrollLeft = twice() ? ((left % turn) + turn) % turn : left;
    };
    // Of a place that is drawn twice the one that is nearer to the middle of the frame is meant.
    const nearest = (x: number) => {
      const f = frame.current!, turn = state.current.width, middle = (f.scrollLeft + f.clientWidth / 2) / scale.value;
      return twice() && Math.abs(x + turn - middle) < Math.abs(x - middle) ? x + turn : x;
    };
    // The point that was at one place of the window, or in its middle, comes to be at another.
    const zoomTo = (to: number, from?: [number, number], onto = from) => {
      const f = frame.current;
      if (!f) return;
      const next = Math.min(Math.max(to, fitted.value * 0.9), 5);
      const box = f.getBoundingClientRect();
      const [px, py] = from ? [from[0] - box.left, from[1] - box.top] : [box.width / 2, box.height / 2];
      const [qx, qy] = onto ? [onto[0] - box.left, onto[1] - box.top] : [px, py];
      const mx = ((f.scrollLeft + px) / scale.value) % state.current.width, my = (f.scrollTop + py) / scale.value;
      scale.value = next;
      // The picture takes its new size before the frame scrolls to where the same point is under the finger.
      const svg = f.firstElementChild as SVGElement | null;
      svg?.setAttribute("width", String(state.current.width * next * (twice() ? 2 : 1)));
      svg?.setAttribute("height", String(state.current.height * next));
      scrollTo(mx * next - qx);
      f.scrollTop = my * next - qy;
    };
    const fit = () => {
      const f = frame.current;
      if (!f || state.current.width < 2) return;
      fitted.value = Math.min(f.clientWidth / state.current.width, f.clientHeight / state.current.height);
      zoomTo(fitted.value);
    };
    return {
      scale, detail, fit, twice,
      zoom: (by: number) => zoomTo(scale.value * by),
      zoomTo,
      pan: (by: number) => scrollTo(frame.current!.scrollLeft + by),
      toMap: (x: number, y: number) => {
        const box = frame.current!.firstElementChild!.getBoundingClientRect();
        return { x: ((x - box.left) / scale.value) % state.current.width, y: (y - box.top) / scale.value };
      },
      centre: (at: number, y: number) => {
        const f = frame.current!, x = nearest(at);
        f.scrollTo({ left: x * scale.value - f.clientWidth / 2, top: y * scale.value - f.clientHeight / 2, behavior: "smooth" });
      },
      reveal: (at: number, y: number, margin: number) => {
        const f = frame.current!, x = nearest(at), m = margin * scale.value, px = x * scale.value, py = y * scale.value;
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
          if (s.pointers.size > 1) s.middle = middle(s.pointers);
        },
        onPointerMove: (e: PointerEvent) => {
          const s = state.current, was = s.pointers.get(e.pointerId);
          if (!was) return;
          s.pointers.set(e.pointerId, e);
          s.travel += Math.hypot(e.clientX - was.clientX, e.clientY - was.clientY);
          if (s.pointers.size === 1) {
            if (s.travel <= SLOP) return;
            frame.current!.setPointerCapture(e.pointerId);
            scrollTo(frame.current!.scrollLeft - (e.clientX - was.clientX));
            frame.current!.scrollTop -= e.clientY - was.clientY;
          } else {
            // Two fingers pull the map apart, and take it with them.
            const spread = spreadOf(s.pointers), at = middle(s.pointers);
            if (s.spread > 0) zoomTo((scale.value * spread) / s.spread, s.middle, at);
            s.spread = spread;
            s.middle = at;
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
    room.value = f.clientWidth;
    fitted.value = Math.min(f.clientWidth / width, f.clientHeight / height);
    // A map on which counters would be too small to be read begins as wide as the window.
    view.zoomTo(fitted.value * 100 > 60 ? fitted.value : Math.min(f.clientWidth / width, 1.2));
    f.scrollLeft = 0;
    const onWheel = (e: WheelEvent) => {
      e.preventDefault();
      if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) view.pan(e.deltaX || e.deltaY);
      else view.zoomTo(scale.value * Math.exp(-e.deltaY * (e.deltaMode ? 0.03 : 0.0015)), [e.clientX, e.clientY]);
    };
    // Preact listens passively to nothing, but browsers do by themselves: only a listener of one's own may keep the page from scrolling.
    f.addEventListener("wheel", onWheel, { passive: false });
    const sizes = new ResizeObserver(() => {
      room.value = f.clientWidth;
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
