import { useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";

/** How long the wheel or the fingers rest before the map is drawn anew, in milliseconds. */
const REST = 400;

/** Pull is how what has been drawn is stretched and shifted, in pixels. */
interface Pull {
  k: number;
  dx: number;
  dy: number;
}

/** How far a finger may stray and still have clicked, in pixels. */
const SLOP = 6;

/**
 * useViewport moves and zooms a picture of a size in a frame that scrolls. A picture whose edges meet is drawn twice,
 * side by side, as long as it fills the frame, and the frame goes from the one to the same place of the other before an
 * edge is reached: it turns like a globe.
 *
 * Until the picture has come something of about the frame's size waits in its place. From that the scale is known with
 * which the picture is drawn first: drawn with any other, it would be laid out and painted twice.
 */
export function useViewport(
  frame: RefObject<HTMLDivElement | null>, waiting: RefObject<HTMLElement | null>, width: number, height: number,
  wraps: boolean,
) {
  const scale = useSignal(0.5);
  const fitted = useSignal(0.5);
  const room = useSignal(0);
  const detail = useComputed<"near" | "middle" | "far">(() => (scale.value * 100 > 78 ? "near" : scale.value * 100 > 42
    ? "middle" : "far"));
  const state = useRef({ pointers: new Map<number, PointerEvent>(), travel: 0, spread: 0, begun: 0,
    middle: [0, 0] as [number, number], width, height, wraps, pull: null as Pull | null,
    rest: undefined as ReturnType<typeof setTimeout> | undefined });
  // How large a picture is at first: as large as the window, if it can be read then. A map on which counters would be
  // too small to be read begins with no empty band beside it: as wide as the window, or as high.
  const first = (f: HTMLElement) => {
    const [across, down] = [f.clientWidth / width, f.clientHeight / height];
    fitted.value = Math.min(across, down);
    return !wraps && fitted.value * 100 > 60 ? fitted.value : Math.min(Math.max(across, down), 1.2);
  };
  if (width > 1 && width !== state.current.width && waiting.current && !frame.current) {
    room.value = waiting.current.clientWidth;
    scale.value = first(waiting.current);
  }
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
    const clamp = (to: number) => Math.min(Math.max(to, fitted.value * 0.9), 5);
    // A point of the map comes to a place of the frame, at a scale.
    const place = (next: number, mx: number, my: number, qx: number, qy: number) => {
      const f = frame.current!, svg = f.firstElementChild!.firstElementChild as SVGElement;
      scale.value = next;
      // The picture takes its new size before the frame scrolls to where the same point is under the finger.
      svg.setAttribute("width", String(state.current.width * next * (twice() ? 2 : 1)));
      svg.setAttribute("height", String(state.current.height * next));
      scrollTo((mx % state.current.width) * next - qx);
      f.scrollTop = my * next - qy;
    };
    const zoomTo = (to: number) => {
      const f = frame.current;
      if (!f?.firstElementChild) return;
      settle();
      const px = f.clientWidth / 2, py = f.clientHeight / 2;
      place(clamp(to), (f.scrollLeft + px) / scale.value, (f.scrollTop + py) / scale.value, px, py);
    };
    // While the wheel turns or fingers pull, what has been drawn is only stretched, by x * k + dx; drawn anew it is
    // when they rest. The point that was at one place of the window comes to be at another.
    const pull = (by: number, from: [number, number], onto = from) => {
      const s = state.current, sheet = frame.current!.firstElementChild as HTMLElement,
        box = sheet.getBoundingClientRect();
      const was = s.pull ?? { k: 1, dx: 0, dy: 0 }, k = clamp(scale.value * was.k * by) / scale.value;
      const left = box.left - was.dx, top = box.top - was.dy;
      s.pull = { k, dx: onto[0] - left - ((from[0] - box.left) / was.k) * k,
        dy: onto[1] - top - ((from[1] - box.top) / was.k) * k };
      sheet.style.transform = `translate(${s.pull.dx}px, ${s.pull.dy}px) scale(${k})`;
      clearTimeout(s.rest);
      s.rest = setTimeout(settle, REST);
    };
    const settle = () => {
      const s = state.current, f = frame.current, g = s.pull;
      clearTimeout(s.rest);
      if (!g || !f) return;
      const sheet = f.firstElementChild as HTMLElement, box = sheet.getBoundingClientRect(),
        around = f.getBoundingClientRect();
      const px = f.clientWidth / 2, py = f.clientHeight / 2, now = scale.value * g.k;
      s.pull = null;
      sheet.style.transform = "";
      place(now, (around.left + px - box.left) / now, (around.top + py - box.top) / now, px, py);
    };
    const fit = () => {
      const f = frame.current;
      if (!f || state.current.width < 2) return;
      fitted.value = Math.min(f.clientWidth / state.current.width, f.clientHeight / state.current.height);
      zoomTo(fitted.value);
    };
    // Of two fingers one may stay and drag on.
    const release = (e: PointerEvent) => {
      state.current.pointers.delete(e.pointerId);
      settle();
    };
    return {
      scale, detail, fit, twice, nearest,
      zoom: (by: number) => zoomTo(scale.value * (state.current.pull?.k ?? 1) * by),
      zoomTo, pull, settle,
      pan: (by: number) => scrollTo(frame.current!.scrollLeft + by),
      toMap: (x: number, y: number) => {
        const box = frame.current!.firstElementChild!.getBoundingClientRect();
        const now = scale.value * (state.current.pull?.k ?? 1);
        return { x: ((x - box.left) / now) % state.current.width, y: (y - box.top) / now };
      },
      centre: (at: number, y: number) => {
        const f = frame.current!, x = nearest(at);
        f.scrollTo({ left: x * scale.value - f.clientWidth / 2, top: y * scale.value - f.clientHeight / 2,
          behavior: "smooth" });
      },
      /** jump shows a place in the middle at once. */
      jump: (at: number, y: number) => {
        const f = frame.current!;
        f.scrollLeft = nearest(at) * scale.value - f.clientWidth / 2;
        f.scrollTop = y * scale.value - f.clientHeight / 2;
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
          if (s.pointers.size === 0) {
            s.travel = 0;
            settle();
          }
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
            if (s.spread > 0) pull(spread / s.spread, s.middle, at);
            s.spread = spread;
            s.middle = at;
          }
        },
        onPointerUp: release,
        onPointerCancel: release,
      },
    };
  }, []);

  useLayoutEffect(() => {
    const f = frame.current;
    if (!f || width < 2) return;
    room.value = f.clientWidth;
    const wanted = first(f);
    // Scroll bars take a little of the frame, and lines above it that have come with the picture.
    if (scale.value < wanted || scale.value > wanted * 1.05) view.zoomTo(wanted);
    state.current.begun = scale.value;
    // Where the game is going on the board says; one that goes round begins with its middle.
    f.scrollLeft = wraps ? (width * scale.value - f.clientWidth) / 2 : 0;
    f.scrollTop = (height * scale.value - f.clientHeight) / 2;
    const onWheel = (e: WheelEvent) => {
      e.preventDefault();
      if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) view.pan(e.deltaX || e.deltaY);
      else view.pull(Math.exp(-e.deltaY * (e.deltaMode ? 0.03 : 0.0015)), [e.clientX, e.clientY]);
    };
    // Preact listens passively to nothing, but browsers do by themselves: only a listener of one's own may keep the
    // page from scrolling.
    f.addEventListener("wheel", onWheel, { passive: false });
    const sizes = new ResizeObserver(() => {
      room.value = f.clientWidth;
      fitted.value = Math.min(f.clientWidth / state.current.width, f.clientHeight / state.current.height);
      // A frame that grows is filled again, as long as nobody has zoomed.
      const all = Math.max(f.clientWidth / width, f.clientHeight / height);
      if (scale.value === state.current.begun && scale.value < Math.min(all, 1.2)
        && (wraps || fitted.value * 100 <= 60)) {
        view.zoomTo(Math.min(all, 1.2));
        state.current.begun = scale.value;
      }
    });
    sizes.observe(f);
    return () => {
      f.removeEventListener("wheel", onWheel);
      clearTimeout(state.current.rest);
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
