import type { Action } from "@warledger/client/proto/board/v1/board";
import { aim, byKind, reaches } from "../game/choice";
import { stored } from "../wallet";
import type { GameModel } from "../game/model";
import { pricesOf } from "../game/price";
import { t } from "../words";
import { Answers } from "./answers";
import { Due } from "./deadlines";
import { PartsLine, PayLine } from "./parts";
import { lotsOf } from "./purchase";
import { sheetOpen, shownTab } from "./sheet";

/** How many buttons the line has room for. */
const MOST = 5;

/** Whether the index of all that may be done is unfolded. */
export const indexOpen = stored("index-open", false);

/**
 * answers are what may be done and can't be pointed at on the board, for buttons of its own; what gives up the rest
 * comes last.
 */
export function answers(model: GameModel): Action[] {
  const all = model.parts.value ? [] : model.actions.value, form = lotsOf(model),
    chosen = model.choice.value.pieces.length > 0,
    open = model.parts.value ? [] : model.open.value;
  const kinds = [...byKind(all).values()];
  // To end a phase, to be done: what touches nothing on the board stays in reach, whatever is chosen and however long
  // the list is.
  const general = kinds.flatMap((list) => (list.length === 1 && !list[0]!.pieces.length && !list[0]!.spaces.length
    ? list : []));
  // What is bought has a form, and where a chosen piece goes is pointed at: its buttons would hide the board.
  const others = open.filter((a) => !general.includes(a) && !form.includes(a)
    && !(chosen && pointed(model, a) && model.atlas.value?.spaces.has(aim(a))));
  const aimless = others.filter((a) => (chosen ? !pointed(model, a) : !a.pieces.length && !aim(a)));
  const room = MOST - general.length;
  const picked = others.length <= room ? others : aimless.slice(0, Math.max(room, 0));
  const list = [...picked, ...general.filter((a) => !picked.includes(a))];
  return [...list.filter((a) => !a.forgoes), ...list.filter((a) => a.forgoes)].slice(-MOST);
}

// Whether a click elsewhere on the board, with its pieces chosen, means this action.
function pointed(model: GameModel, a: Action): boolean {
  const space = aim(a), board = model.board.value!;
  return !!space && !board.pieces.some((p) => p.place === space && a.pieces.includes(p.id));
}

/** byBoard reports whether anything that may be done can be pointed at, a piece or a space, or has a form. */
export function byBoard(model: GameModel): boolean {
  return !!model.parts.value
    || model.actions.value.some((a) => a.lot || a.pieces.length || model.atlas.value?.spaces.has(aim(a)));
}

// The first of many names, and how many more there are, so that the line keeps its height.
function few(names: string[]): string {
  return names.length > MOST ? `${names.slice(0, MOST - 1).join(", ")} ${t("dropMore", { n: names.length - MOST + 1 })}`
    : names.join(", ");
}

// The index unfolds in the panel, which comes up where it was not to be seen; pressed again, both go.
function toIndex(): void {
  indexOpen.value = !indexOpen.value;
  shownTab.value = "play";
  sheetOpen.value = indexOpen.value;
}

/** PromptLine says above the board what is asked, and has buttons for what can't be pointed at. */
export function PromptLine({ model }: { model: GameModel }) {
  const board = model.board.value, game = model.game.value;
  if (!board || !game || !model.live.value) return null;
  const name = (id: string) => board.seats.find((s) => s.id === id)?.name ?? id;
  const asked = board.prompts.filter((p) => !p.optional), mine = model.mine.value;
  const p = asked.find((p) => p.seat === model.seat.value && mine.includes(p.seat))
    ?? asked.find((p) => mine.includes(p.seat)) ?? asked[0];
  const ours = !!p && mine.includes(p.seat);
  const chosen = model.choice.value.pieces.map((id) => board.pieces.find((x) => x.id === id)?.name ?? id);
  const { same, unit, at } = pricesOf(chosen.length ? [...reaches(model.open.value).values()] : []);
  // Of one chosen piece each button would begin with the name, which the line has just said.
  const subject = chosen.length === 1 ? chosen[0]! : "";
  const shown = answers(model), more = model.actionsTotal.value - shown.length;
  return (
    <section class={"prompt" + (ours ? " mine" : "")} aria-label={t("promptLine")}>
      <p class="asked">
        {game.over ? <b>{game.ending?.text || t("gameOver")}</b> : p && <><b>
          {ours ? name(p.seat) : t("waitingFor", { seat: name(p.seat) })}:</b> {p.text} <Due model={model}
          seat={p.seat} /></>}
        {chosen.length > 0
          && <span class="chosen" title={chosen.join(", ")}> {t("chosen", { names: few(chosen) })} {same
          ? t(at.size ? "mostCost" : "eachCosts", { cost: same })
          : unit && t("costsIn", { unit })} <button class="quiet"
          onClick={() => model.clear()}>{t("clearChoice")}</button></span>}
      </p>
      <PartsLine model={model} />
      <PayLine model={model} />
      {(shown.length > 0 || more > 0) && (
        <Answers model={model} list={shown} subject={subject} more={more} unfolded={indexOpen.value}
          unfold={() => toIndex()} />
      )}
      <p class="reason" role="status">{model.note.value}</p>
    </section>
  );
}
