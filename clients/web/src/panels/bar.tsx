import type { GameModel } from "../game/model";
import { linkTo } from "../route";
import { t, type Key } from "../words";
import { Palette, safeColors } from "../board/color";
import { stepOf } from "./sequence";
import { Settings } from "./settings";

/** Bar is the head of the table: what is played, when it is, who is waited for, and whether the page keeps up. */
export function Bar({ model }: { model: GameModel }) {
  const game = model.game.value, board = model.board.value;
  const palette = board && new Palette(board, safeColors.value);
  return (
    <header class="bar">
      <a href={linkTo()} class="home">◆ Warledger<span class="hidden"> {t("toLobby")}</span></a>
      <div class="what">
        <h1>{game?.title || game?.scenario || "…"}</h1>
        {board?.clock && <span class="clock" data-turn={board.clock.turn} title={board.clock.text}>
          {stepOf(board) >= 0 && board.clock.turnText
            ? <><span class="turn">{board.clock.turnText}</span><span class="whole">{board.clock.text}</span></>
            : board.clock.text}</span>}
      </div>
      <ul class="seats" aria-label={t("seats")}>
        {game?.seats.map((s) => {
          const waits = game.waitingFor.includes(s.id), mine = model.mine.value.includes(s.id);
          return (
            <li key={s.id} class={(waits ? "waits" : "") + (mine ? " mine" : "")} data-seat={s.id}>
              <i style={{ background: palette?.seat(s.id) }} aria-hidden="true" />
              {board?.seats.find((x) => x.id === s.id)?.name ?? s.id}
              {mine && <small> {t("you")}</small>}
              {waits && <b aria-label={t("isWaitedFor")}> ●</b>}
            </li>
          );
        })}
      </ul>
      <LinkSign model={model} />
      <Settings />
    </header>
  );
}

const SIGNS: Record<string, Key> = { connecting: "linkConnecting", "catching-up": "linkCatchingUp", live: "linkLive",
  lost: "linkLost" };

function LinkSign({ model }: { model: GameModel }) {
  const lost = model.link.value === "lost", behind = model.behind.value;
  const state = lost ? "lost" : behind ? "behind" : model.link.value;
  return <span class={"link " + state} data-link={state} role="status">
    {behind && !lost ? t("linkBehind") : t(SIGNS[model.link.value]!)}</span>;
}
