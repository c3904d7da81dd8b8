import type { Board, Track } from "@warledger/client/proto/board/v1/board";
import { inkOn, Palette, safeColors } from "../board/color";
import type { GameModel } from "../game/model";
import { t } from "../words";
import { show } from "./sheet";

/** ranksOf are the ranks that a board's tracks have, most important first. */
export function ranksOf(board: Board | null | undefined): number[] {
  return [...new Set((board?.tracks ?? []).map((x) => x.rank).filter((n) => n > 0))].sort((a, b) => a - b);
}

/**
 * Strip shows the numbers that matter every minute, as the ruleset ranks its tracks: those of the game first, then each
 * seat's together. Those that rank after `last` are left to the panel of tracks.
 */
export function Strip({ model, last }: { model: GameModel; last: number }) {
  const board = model.board.value, all = (board?.tracks ?? []).filter((x) => x.rank > 0);
  const ranked = all.filter((x) => x.rank <= last).sort((a, b) => a.rank - b.rank), left = all.length - ranked.length;
  if (!board || !ranked.length) return null;
  // In their order of play, where there is one.
  const order = board.clock?.order?.seats ?? [], seats = order.length === board.seats.length
    ? [...board.seats].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id)) : board.seats;
  const palette = new Palette(board, safeColors.value), own = (seat: string) => ranked.filter((x) => x.owner === seat);
  return (
    <ul class="strip" aria-label={t("strip")}>
      {own("").map((x) => <li key={x.id}><Figure track={x} named /></li>)}
      {seats.length > 2 && ranked.some((x) => x.owner)
        && <li class="note">{legendOf(seats.map((s) => own(s.id)).find((x) => x.length) ?? [])}</li>}
      {seats.filter((s) => own(s.id).length).map((s) => (
        <li key={s.id} data-strip={s.id} class={board.clock?.active === s.id ? "active" : ""}>
          <span class="side-chip" style={{ background: palette.seat(s.id), color: inkOn(palette.seat(s.id)) }}
            title={s.name} aria-hidden="true">{palette.emblem(s.id)}</span><span class="hidden"> {s.name} </span>
          {own(s.id).map((x) => <Figure key={x.id} track={x} named={board.seats.length <= 2} />)}
        </li>
      ))}
      {left > 0 && <li><button class="quiet" id="more-numbers" onClick={() => show("tracks")}>
        {t("moreNumbers", { n: left })}</button></li>}
    </ul>
  );
}

// With many seats there is no room for the names of their tracks, so they are said once: each without its owner.
function legendOf(tracks: Track[]): string {
  return tracks.map((x) => x.name.split(/[:：] */).at(-1)).join(" · ");
}

// A track that has no number says what it has to say in words.
function Figure({ track: x, named }: { track: Track; named?: boolean }) {
  const number = x.value !== 0n || x.min !== undefined || x.max !== undefined || !x.text || /\d/.test(x.text);
  return (
    <span class="figure" data-track={x.id} title={x.name + (x.text ? ": " + x.text : "")}>
      <span class={named ? "" : "hidden"}> {x.name} </span><b>
        {number ? String(x.value) + (x.max !== undefined ? "/" + String(x.max) : "") : x.text}</b>
    </span>
  );
}
