import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Board, Clock } from "@warledger/client/proto/board/v1/board";
import type { GameModel } from "../game/model";
import { t, type Key } from "../words";
import { inkOn, Palette, safeColors } from "./color";

/** How a player turn stands. */
type Stand = "over" | "now" | "next" | "later";

const WORDS: Record<Stand, Key> = { over: "ringOver", now: "ringNow", next: "ringNext", later: "ringLater" };

/** Radii of the ring, in a box of 100 by 100 around its middle. */
const INNER = 23, OUTER = 42, RAISED = 49, MIDDLE = (INNER + OUTER) / 2;

/** Turn is the player turn of a seat, in the order of play. */
interface Turn {
  seat: string;
  stand: Stand;
}

/** turnsOf are the player turns of the game turn: which are over, whose it is, and who comes next. */
function turnsOf(clock: Clock): Turn[] {
  const seats = clock.order?.seats ?? [], over = clock.order?.over ?? 0, now = clock.active ? over : -1;
  const after = clock.active ? over + 1 : over;
  const next = after < seats.length ? after : clock.order?.lasts ? after % seats.length : -1;
  return seats.map((seat, i) => ({ seat,
    stand: i === now ? "now" : i === next ? "next" : i < over ? "over" : "later" }));
}

/**
 * Ring shows the seats in their order of play as a ring, with the game turn in its middle. It is a button: pressed it
 * unfolds a list in words.
 */
export function Ring({ model, board }: { model: GameModel; board: Board }) {
  const open = useSignal(false), button = useRef<HTMLButtonElement>(null), card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (open.value) card.current?.focus({ preventScroll: true });
  }, [open.value]);
  const turns = board.clock ? turnsOf(board.clock) : [];
  if (turns.length < 2) return null;
  const palette = new Palette(board, safeColors.value);
  const name = (id: string) => board.seats.find((s) => s.id === id)?.name ?? id;
  const close = (e: KeyboardEvent) => {
    if (e.key !== "Escape") return;
    e.stopPropagation();
    open.value = false;
    button.current?.focus();
  };
  const said = turns.filter((x) => x.stand === "now" || x.stand === "next")
    .sort((a, b) => (a.stand === "now" ? -1 : b.stand === "now" ? 1 : 0))
    .map((x) => `${name(x.seat)}: ${t(WORDS[x.stand])}`).join(", ");
  return (
    <div class="ring">
      <button ref={button} id="ring" aria-expanded={open.value} aria-controls="ring-card" title={said}
        onClick={() => (open.value = !open.value)}>
        <span class="hidden">{`${t("ring")}. ${board.clock!.turnText}. ${said}`}</span>
        <svg viewBox="-50 -50 100 100" aria-hidden="true">
          {turns.map((x, i) => <Slice key={x.seat} turn={x} at={i} of={turns.length} palette={palette} />)}
          <text y="8" font-size="24" font-weight="700" text-anchor="middle" class="turn">{board.clock!.turn}</text>
        </svg>
      </button>
      {open.value && (
        <section ref={card} id="ring-card" tabIndex={0} aria-label={t("ring")} onKeyDown={close}>
          <h2>{t("ring")}</h2>
          <ol>
            {turns.map((x) => (
              <li key={x.seat} class={x.stand} aria-current={x.stand === "now" ? "step" : undefined}>
                <i style={{ background: palette.seat(x.seat) }} aria-hidden="true" />
                <span>{name(x.seat)}{model.mine.value.includes(x.seat) && <small> {t("you")}</small>}</span>
                <small>{t(WORDS[x.stand])}</small>
                <Figures board={board} seat={x.seat} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

// The numbers of a seat that matter every minute, with their names.
function Figures({ board, seat }: { board: Board; seat: string }) {
  const own = board.tracks.filter((x) => x.rank > 0 && x.owner === seat).sort((a, b) => a.rank - b.rank);
  if (!own.length) return null;
  const name = board.seats.find((s) => s.id === seat)?.name ?? "";
  // Its own name has just been said.
  const of = (said: string) => (said.startsWith(name) ? said.slice(name.length).replace(/^[:：\s]+/, "") : said);
  return <em>{own.map((x) => `${of(x.name)}: ${x.text && !/\d/.test(x.text) ? x.text : x.value}`).join(" · ")}</em>;
}

// A part of the ring: raised and framed while its seat plays, pale once that is over, with a tip before the next.
function Slice({ turn: { seat, stand }, at, of, palette }: { turn: Turn; at: number; of: number; palette: Palette }) {
  const gap = 0.035, begin = ((at / of) * 2 - 0.5) * Math.PI + gap, end = (((at + 1) / of) * 2 - 0.5) * Math.PI - gap;
  const out = stand === "now" ? RAISED : OUTER, color = palette.seat(seat), middle = (begin + end) / 2;
  const point = (r: number, a: number) => `${(r * Math.cos(a)).toFixed(2)} ${(r * Math.sin(a)).toFixed(2)}`;
  const large = end - begin > Math.PI ? 1 : 0;
  const text = palette.emblem(seat), size = Math.min(15, 24 / Math.max(text.length, 1));
  return (
    <g class={stand} data-turn={seat}>
      <path d={`M${point(out, begin)}A${out} ${out} 0 ${large} 1 ${point(out, end)}L${point(INNER, end)}` +
        `A${INNER} ${INNER} 0 ${large} 0 ${point(INNER, begin)}Z`} fill={color} />
      {stand === "next" && <path class="tip" d={`M${point(OUTER - 1, middle)}L${point(RAISED, middle - 0.16)}` +
        `L${point(RAISED, middle + 0.16)}Z`} />}
      <text x={MIDDLE * Math.cos(middle)} y={MIDDLE * Math.sin(middle) + size * 0.36} font-size={size}
        font-weight="700" text-anchor="middle" fill={inkOn(color)}>{text}</text>
    </g>
  );
}
