import type { Piece, Track } from "@warledger/client/proto/board/v1/board";
import type { GameModel } from "../game/model";
import { reaches } from "../game/choice";
import { Counter } from "../board/counter";
import { Palette, safeColors } from "../board/color";
import { aim, choosePiece } from "../board/click";
import { counterStates, type States } from "../board/states";
import { t } from "../words";

/** Boxes shows the pieces that are off the map: all boxes, or only those where something may be done now. */
export function Boxes({ model, all }: { model: GameModel; all?: boolean }) {
  const board = model.board.value, atlas = model.atlas.value;
  if (!board || !atlas) return null;
  const palette = new Palette(board, safeColors.value), states = counterStates(model);
  const targets = reaches(model.open.value);
  const by = new Map<string, Piece[]>();
  for (const p of board.pieces) if (!atlas.spaces.has(p.place)) by.get(p.place)?.push(p) ?? by.set(p.place, [p]);
  const named = new Map(atlas.boxes.map((b) => [b.id, b]));
  for (const id of by.keys()) if (!named.has(id))
    named.set(id, { id, name: id, owner: "" } as typeof atlas.boxes[number]);
  const list = [...named.values()].filter((b) => {
    const here = by.get(b.id) ?? [];
    if (all) return here.length > 0 || targets.has(b.id);
    return here.some((p) => states.open.has(p.id) || states.selected.has(p.id))
      || (targets.has(b.id) && model.choice.value.pieces.length > 0);
  });
  if (!list.length) return all ? <p class="note">{t("noBoxes")}</p> : null;
  return (
    <div class="boxes">
      {list.map((b) => (
        <section key={b.id} data-box={b.id} aria-label={b.name}>
          <h2>
            {b.name} <small>{(by.get(b.id) ?? []).length || ""}</small>
            {targets.has(b.id) && model.choice.value.pieces.length > 0
              && <button class="target" onClick={() => aim(model, b.id)}>{t("here")} {targets.get(b.id)!.cost}</button>}
          </h2>
          <div class="tray">
            {(by.get(b.id) ?? [])
              .map((p) => <TrayPiece key={p.id} piece={p} model={model} palette={palette} states={states} />)}
          </div>
        </section>
      ))}
    </div>
  );
}

/** TrayPiece is a counter beside the map. */
export function TrayPiece({ piece, model, palette, states }:
  { piece: Piece; model: GameModel; palette: Palette; states: States }) {
  const selected = states.selected.has(piece.id), open = states.open.has(piece.id);
  return (
    <button class="tray-piece" data-piece={piece.id} aria-pressed={selected} title={piece.name}
      onClick={(e) => choosePiece(model, piece, e.shiftKey)}>
      <span class="hidden">{piece.name + (open ? ", " + t("canAct") : "")}</span>
      <svg viewBox="-9 -9 120 120" aria-hidden="true">
        <Counter piece={piece} atlas={model.atlas.value!} color={palette.piece(piece)}
          emblem={palette.emblem(piece.owner)} selected={selected} open={open} asked={states.asked.has(
          piece.id)} moved={false} />
      </svg>
    </button>
  );
}

/** Tracks shows the numbers of the game, those of each seat together. */
export function Tracks({ model }: { model: GameModel }) {
  const board = model.board.value;
  if (!board) return null;
  const palette = new Palette(board, safeColors.value);
  const groups: [string, Track[]][] = [["", board.tracks.filter((x) => !x.owner)],
    ...board.seats.map((s): [string, Track[]] => [s.id, board.tracks.filter((x) => x.owner === s.id)])];
  return (
    <div class="tracks">
      <Phases model={model} />
      {groups.filter(([, list]) => list.length).map(([seat, list]) => (
        <section key={seat}>
          {seat && <h2><i style={{ background: palette.seat(seat) }} aria-hidden="true" />
            {board.seats.find((s) => s.id === seat)!.name}</h2>}
          <dl>
            {list.map((x) => (
              <div key={x.id} data-track={x.id}>
                <dt>{x.name}</dt>
                <dd><b>{String(x.value)}</b>
                  {x.max !== undefined
                  && <> / {String(x.max)} <meter min={Number(x.min ?? 0n)} max={Number(x.max)} value={Number(x.value)}
                  aria-hidden="true" /></>}</dd>
                {x.text && <dd class="text">{x.text}</dd>}
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

function Phases({ model }: { model: GameModel }) {
  const c = model.board.value!.clock;
  if (!c) return null;
  return (
    <section>
      <h2>{c.text}</h2>
      {c.lastTurn > 0 && <p>
        {t("turnOf", { turn: c.turn, last: c.lastTurn })} <meter min={0} max={c.lastTurn} value={c.turn}
        aria-hidden="true" /></p>}
      <ol class="phases">
        {c.phases.map((p, i) => <li key={p} class={p === c.phase ? "now" : ""} aria-current={p === c.phase ? "step"
        : undefined}>{c.phaseNames[i] || p}</li>)}</ol>
    </section>
  );
}
