import { useEffect, useMemo, useRef } from "preact/hooks";
import { BoardView } from "../board/view";
import { BattleBoard } from "../panels/battle";
import { PlayPanel } from "../panels/play";
import { PromptLine } from "../panels/prompt";
import { Glance } from "../panels/glance";
import { Boxes, Tracks } from "../panels/boxes";
import { Scrubber } from "../panels/scrubber";
import { sheetOpen, show, shownTab, TABS, type Tab } from "../panels/sheet";
import { SpacePanel } from "../panels/space";
import { Trouble } from "../panels/trouble";
import { Unread } from "../panels/unread";
import { shown as calculated } from "../panels/calculate";
import { Bar } from "../panels/bar";
import { DeadlineBar } from "../panels/deadlines";
import { OfferBar } from "../panels/handover";
import { UndoBar } from "../panels/undo";
import { fetchRest, later, part } from "../later";
import { t, type Key } from "../words";
import { onKeys, toBoard } from "./keys";
import { GameModel } from "./model";

// The board needs none of these: they are fetched when it stands.
const TablePanel = later(() => import("../panels/table").then((m) => m.TablePanel)),
  CalculatorDialog = later(() => import("../panels/calculator").then((m) => m.CalculatorDialog)),
  LogPanel = part("LogPanel"), TalkPanel = part("TalkPanel"), SpaceTalk = part("SpaceTalk"),
  ActionMenu = part("ActionMenu"), PreviewDialog = part("PreviewDialog"), SureDialog = part("SureDialog"),
  DiceDialog = part("DiceDialog"), ProofDialog = part("ProofDialog"), CompareDialog = part("CompareDialog");

// What can be seen to change when something is clicked, for whoever drives the page.
function stateOf(model: GameModel): string {
  const { pieces, spaces } = model.choice.value;
  return [model.boardVersion.value, model.seat.value, pieces.join(), spaces.join(), model.fanned.value,
    model.menu.value.length, model.doubt.value ? "?" : "", model.odds.value ? "%" : "", model.note.value,
    model.picked.value.length, model.shares.value.length, model.actions.value.length].join("/");
}

const LABELS: Record<Tab, Key> = { play: "tabPlay", log: "tabLog", boxes: "tabBoxes", tracks: "tabTracks",
  talk: "tabTalk", table: "tabTable" };

/** GamePage is the table of one game. */
export function GamePage({ name, join }: { name: string; join: boolean }) {
  const model = useMemo(() => new GameModel(name), [name]);
  const tab = shownTab;
  useEffect(() => {
    tab.value = join ? "table" : "play";
    sheetOpen.value = join;
    void model.start().then(() => {
      if (model.mine.value.length === 0 && model.game.value?.seats.some((s) => !s.taken)) [tab.value,
        sheetOpen.value] = ["table", true];
    });
    return () => model.stop();
  }, [model]);
  useEffect(() => {
    document.title = (model.myTurn.value.length ? "● " : "") + (model.game.value?.title || "Warledger");
  }, [model.myTurn.value, model.game.value]);
  useEffect(() => {
    const onDown = (e: KeyboardEvent) => onKeys(model, e);
    addEventListener("keydown", onDown);
    return () => removeEventListener("keydown", onDown);
  }, [model]);
  // Everything else is fetched when the board has been painted, or there is none.
  const stands = !!model.board.value || !!model.trouble.value;
  useEffect(() => {
    if (stands) requestAnimationFrame(() => setTimeout(fetchRest));
  }, [stands]);
  // The button that was pressed is gone with its question: the keys go back to the board.
  const version = model.boardVersion.value, drawn = useRef(version);
  useEffect(() => {
    if (drawn.current !== 0n && document.activeElement === document.body) toBoard();
    drawn.current = version;
  }, [version]);
  const gone = !model.game.value && model.trouble.value;
  const onKey = (e: KeyboardEvent) => {
    const at = TABS.indexOf(tab.value), step = ({ ArrowRight: 1, ArrowLeft: -1 } as Record<string, number>)[e.key];
    if (!step) return;
    tab.value = TABS[(at + step + TABS.length) % TABS.length]!;
    document.getElementById("tab-" + tab.value)?.focus();
  };
  return (
    <div class={"game" + (model.live.value ? "" : " past")} data-version={String(model.boardVersion.value)}
      data-newest={String(model.heard.value)} data-busy={String(model.busy.value)}
      data-actions={String(model.actionsTotal.value)} data-state={stateOf(model)}>
      <Bar model={model} />
      {gone ? <main id="main" class="gone"><Trouble model={model} /></main> : (
        <>
          <Glance model={model} />
          <main id="main" class="table-top">
            <UndoBar model={model} />
            <DeadlineBar model={model} />
            <OfferBar model={model} />
            <PromptLine model={model} />
            <div class="stage">
              <BoardView model={model} />
              <BattleBoard model={model} />
            </div>
            <ActionMenu model={model} />
            <Trouble model={model} />
            <Scrubber model={model} />
          </main>
          <aside class={"side" + (sheetOpen.value ? " open" : "")}>
            <div role="tablist" aria-label={t("panels")} onKeyDown={onKey}>
              {TABS.map((x) => (
                <button key={x} id={"tab-" + x} role="tab" aria-selected={tab.value === x} aria-controls="panel"
                  tabIndex={tab.value === x ? 0 : -1} onClick={() => show(x)}>{t(LABELS[x])}
                  {x === "talk" && <Unread model={model} />}</button>
              ))}
            </div>
            <div id="panel" role="tabpanel" aria-labelledby={"tab-" + tab.value} tabIndex={-1}>
              {tab.value === "play" && <><PlayPanel model={model} /><SpacePanel model={model} />
                <SpaceTalk model={model} /></>}
              {tab.value === "log" && <LogPanel model={model} />}
              {tab.value === "boxes" && <Boxes model={model} all />}
              {tab.value === "tracks" && <Tracks model={model} />}
              {tab.value === "talk" && <TalkPanel model={model} />}
              {tab.value === "table" && <TablePanel model={model} />}
            </div>
          </aside>
          <PreviewDialog model={model} />
          {calculated.value && <CalculatorDialog model={model} />}
          <SureDialog model={model} />
          <DiceDialog wanted={model.need} />
          <ProofDialog model={model} />
          <CompareDialog />
        </>
      )}
    </div>
  );
}
