import type { GameModel } from "../game/model";
import { Palette, safeColors } from "../board/color";
import { counterStates } from "../board/states";
import { t } from "../words";
import { TrayPiece } from "./boxes";
import { CalculatorButton } from "./calculate";

/**
 * SpacePanel says what stands where the player points: the pieces of a stack with their names, numbers, steps and
 * marks.
 */
export function SpacePanel({ model }: { model: GameModel }) {
  const board = model.board.value, atlas = model.atlas.value;
  if (!board || !atlas) return null;
  const chosen = board.pieces.find((p) => p.id === model.choice.value.pieces[0]);
  const place = model.fanned.value || chosen?.place;
  if (!place) return null;
  return <><SpaceAbout model={model} place={place} /><CalculatorButton model={model} space={place} /></>;
}

/** SpaceAbout says all of a space: its name and terrain, and the pieces in it. */
export function SpaceAbout({ model, place }: { model: GameModel; place: string }) {
  const board = model.board.value, atlas = model.atlas.value;
  if (!board || !atlas) return null;
  const here = board.pieces.filter((p) => p.place === place).sort((a, b) => b.order - a.order);
  const space = atlas.spaces.get(place);
  const state = board.spaces.find((s) => s.id === place);
  const word = (kind: string, key: string) => atlas.names.get(`${kind} ${key}`) || key;
  const palette = new Palette(board, safeColors.value), states = counterStates(model);
  return (
    <section class="space" aria-label={t("spaceLabel", { space: place })}>
      <h2>{place !== space?.name ? place : ""} {space?.name ?? atlas.boxes.find((b) => b.id === place)?.name ?? ""}</h2>
      <p class="note">
        {[space?.terrain, ...(space?.features ?? [])].filter((k): k is string => !!k)
          .map((k) => atlas.names.get(k) ?? k).join(", ")}
        {state?.owner
          && " · " + t("heldBy", { seat: board.seats.find((s) => s.id === state.owner)?.name ?? state.owner })}
        {state?.marks.length ? " · " + state.marks.map((m) => word("mark", m)).join(", ") : ""}
      </p>
      <ul>
        {here.map((p) => (
          <li key={p.id}>
            <TrayPiece piece={p} model={model} palette={palette} states={states} />
            <div>
              <b>{p.count > 1 ? `${p.count} × ` : ""}{p.name}</b>{" "}
              <small>
                {[...p.numbers.map((n) => `${word("number", n.key)} ${n.value}`), p.maxSteps > 0
                  ? t("steps", { n: p.steps, max: p.maxSteps }) : "",
                  ...p.marks.map((m) => word("mark", m))].filter(Boolean).join(" · ")}
              </small>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
