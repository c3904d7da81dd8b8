import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import type { Board, Piece, Procedure } from "@warledger/client/proto/board/v1/board";
import type { PreviewCommandResponse } from "@warledger/client/proto/v1/preview";
import { Palette, safeColors } from "../board/color";
import { counterStates, type States } from "../board/states";
import { leading } from "../game/plans";
import type { GameModel } from "../game/model";
import { stored } from "../wallet";
import { t } from "../words";
import { ActionButton } from "./actions";
import { Bars } from "./bars";
import { TrayPiece } from "./boxes";
import { Die } from "./die";
import { Losses } from "./purchase";

/** Whether the battle board is folded to its head. */
const folded = stored("battle-folded", false);

/** How many answers there is room for below the two sides. */
const ANSWERS = 6;

/** fightOf is the innermost procedure in which two sides meet; undefined if none is under way. */
export function fightOf(board: Board | null): Procedure | undefined {
  return board?.procedures.findLast((p) => p.attackers.length > 0 && p.defenders.length > 0);
}

/**
 * BattleBoard shows a combat while it is fought: both sides in order, the last dice, the losses to choose, and what can
 * be answered.
 */
export function BattleBoard({ model }: { model: GameModel }) {
  const board = model.board.value, fight = fightOf(board), at = fight?.spaces[0];
  useEffect(() => {
    if (at) dispatchEvent(new CustomEvent("warledger-show", { detail: at }));
  }, [at]);
  if (!board || !fight) return null;
  const palette = new Palette(board, safeColors.value), states = counterStates(model);
  const due = model.actions.value.some((a) => a.lot?.due);
  return (
    <section class={"battle" + (folded.value ? " folded" : "")} aria-label={fight.text} data-battle={fight.spaces[0]}>
      <h2>
        <button class="fold" aria-expanded={!folded.value} onClick={() => (folded.value = !folded.value)}>
          {folded.value ? "▸" : "▾"} {fight.text}</button>
        {fight.spaces[0]
          && <button class="quiet"
          onClick={() => dispatchEvent(new CustomEvent("warledger-show", { detail: fight.spaces[0] }))}>{t("showOnMap")}
          </button>}
      </h2>
      {!folded.value && (
        <>
          <div class="sides">
            <Side title={t("attacker")} ids={fight.attackers} number="attack" {...{ model, board, palette, states }} />
            <Side title={t("defender")} ids={fight.defenders} number="defence" {...{ model, board, palette, states }} />
          </div>
          <LastDice model={model} />
          {due ? <Losses key={String(model.boardVersion.value)} model={model} /> : <Answers model={model} />}
        </>
      )}
    </section>
  );
}

interface SideProps {
  title: string;
  ids: string[];
  /** The figure by which the pieces of this side hit, if the ruleset has one. */
  number: string;
  model: GameModel;
  board: Board;
  palette: Palette;
  states: States;
}

function Side({ title, ids, number, model, board, palette, states }: SideProps) {
  const figure = (p: Piece) => p.numbers.find((n) => n.key === number)?.value ?? "";
  const here = board.pieces.filter((p) => ids.includes(p.id)),
    name = board.seats.find((s) => s.id === here[0]?.owner)?.name;
  const groups = [...new Set(here.map(figure))].sort((a, b) => Number(a) - Number(b));
  return (
    <div class="side-of-battle" data-side={number}>
      <h3>{here[0] && <i style={{ background: palette.piece(here[0]) }} aria-hidden="true" />}{title}
        {name && `: ${name}`} <small>{here.reduce((n, p) => n + Math.max(p.count, 1), 0)}</small></h3>
      {groups.map((value) => (
        <div key={value} class="rank">
          {value && <b title={`${model.atlas.value?.names.get(`number ${number}`) || number} ${value}`}>{value}</b>}
          <div class="tray">
            {here.filter((p) => figure(p) === value)
            .map((p) => <TrayPiece key={p.id} piece={p} model={model} palette={palette} states={states} />)}</div>
        </div>
      ))}
    </div>
  );
}

// The dice that fell last on the line that is shown, and their outcome.
function LastDice({ model }: { model: GameModel }) {
  const at = model.boardVersion.value,
    record = [...model.records.value.values()].findLast((r) => r.rolls.length > 0 && r.version <= at
    && model.shownLine.value.includes(r.version));
  if (!record) return null;
  const told = record.events.filter((e) => e.narration).map((e) => e.narration);
  return (
    <div class="last-dice">
      <p class="dice">
        {record.rolls.slice(-24).map((d) => <Die key={d.index} sides={d.sides} value={d.value} reason={d.reason} />)}
        </p>
      <ul>{told.slice(-4).map((x, i) => <li key={i}>{x}</li>)}</ul>
    </div>
  );
}

// Few answers have their buttons here too; what follows from the first of them is shown before it is given.
function Answers({ model }: { model: GameModel }) {
  const list = model.actions.value, ours = model.actionsTotal.value <= ANSWERS && list.length > 0,
    outlook = useSignal<PreviewCommandResponse | undefined>(undefined);
  const first = ours && oddsKnown(model) ? list[0]!.command : "";
  useEffect(() => {
    outlook.value = undefined;
    if (!first) return;
    let gone = false;
    void model.outlook(first).then((a) => !gone && (outlook.value = a));
    return () => {
      gone = true;
    };
  }, [first, model.boardVersion.value]);
  if (!ours) return null;
  const f = outlook.value?.forecasts.at(-1);
  return (
    <div class="battle-answers">
      {f && <figure><figcaption>{f.title} <b>{leading(f)}</b></figcaption>
        <Bars rows={f.outcomes.map((o) => [o.label || o.id, o.chance])} others={f.others} /></figure>}
      <div class="answers">{list.map((a, i) => <ActionButton key={a.command} action={a} model={model}
        known={i === 0 && !!f} />)}</div>
    </div>
  );
}

// Odds are for whoever decides: nobody else has an answer whose outcome could be asked for.
function oddsKnown(model: GameModel): boolean {
  return model.live.value && !model.game.value?.over;
}
