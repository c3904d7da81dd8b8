import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Strength, type Computer } from "@warledger/client/proto/v1/computer_service";
import type { Game, SeatState } from "@warledger/client/proto/v1/game_service";
import { DiceKind, JoinPolicy } from "@warledger/client/proto/log/v1/log";
import type { GameModel } from "../game/model";
import { invitationOf, wallet } from "../wallet";
import { as, computers, uuid } from "../wire";
import { lang, t, type Key } from "../words";
import { Sure } from "./link";

/** STRENGTHS are the words for how well a computer plays. */
export const STRENGTHS: Partial<Record<Strength, Key>> = { [Strength.CHANCE]: "strengthChance",
  [Strength.EASY]: "strengthEasy", [Strength.STRONG]: "strengthStrong" };

/** useComputers asks which computers play a scenario: none until the server has answered, or if it does not. */
export function useComputers(ruleset: string, scenario: string): Computer[] {
  const list = useSignal<Computer[]>([]);
  useEffect(() => {
    // there is none to choose then
    computers.listComputers({ ruleset, scenario, languageCode: lang.value })
      .then((r) => (list.value = r.computers), () => undefined);
  }, [ruleset, scenario, lang.value]);
  return list.value;
}

/** said is how a computer reads in a list: its name, how well it plays, and whose it is if it is a stranger's. */
export function said(c: Computer, ruleset: string): string {
  const strength = STRENGTHS[c.repertoire.find((r) => r.ruleset === ruleset)?.strength ?? Strength.UNSPECIFIED];
  const notes = [strength && t(strength), !c.house && t("computerStranger")].filter(Boolean);
  return notes.length ? `${c.title} (${notes.join(", ")})` : c.title;
}

// Whether this browser may say who fills a seat. Who gave a seat may take it back too, which only the server knows.
function mayFill(model: GameModel, game: Game, seat: string): boolean {
  return !!wallet.value[game.name]?.owner || !!invitationOf(game.name, seat)
    || (game.joinPolicy !== JoinPolicy.INVITED && model.mine.value.length > 0);
}

/** GiveSeat gives a free seat to a computer. */
export function GiveSeat({ model, seat }: { model: GameModel; seat: SeatState }) {
  const game = model.game.value!, list = useComputers(game.ruleset, game.scenario), chosen = useSignal(""),
    gives = useSignal(false);
  if (seat.taken || game.over || game.readOnly || game.dice !== DiceKind.COMMITTED || !mayFill(model, game, seat.id)
    || !list.length) return null;
  const name = chosen.value || list[0]!.name;
  const give = () => {
    const request = { name: game.name, seat: seat.id, computer: name, requestId: uuid(), givesUp: gives.value };
    void model.change(() => computers.seatComputer(request, as(game.name)));
  };
  return (
    <span class="give">
      {list.length > 1 && (
        <select aria-label={t("computerWhich")} data-computers={seat.id} value={name}
          onChange={(e) => (chosen.value = e.currentTarget.value)}>
          {list.map((c) => <option key={c.name} value={c.name}>{said(c, game.ruleset)}</option>)}
        </select>
      )}
      <label class="check"><input type="checkbox" data-gives-up={seat.id} checked={gives.value}
        onChange={(e) => (gives.value = e.currentTarget.checked)} />{t("computerGivesUp")}</label>
      <button data-give={seat.id} disabled={model.busy.value} onClick={give}>{t("computerGive")}</button>
    </span>
  );
}

/** TakeBack takes a seat back from a computer. */
export function TakeBack({ model, seat }: { model: GameModel; seat: SeatState }) {
  const game = model.game.value!;
  if (!seat.computer || game.over || game.readOnly || !mayFill(model, game, seat.id)) return null;
  const take = () => {
    const request = { name: game.name, seat: seat.id, requestId: uuid() };
    void model.change(() => computers.unseatComputer(request, as(game.name)));
  };
  return <Sure id={"back-" + seat.id} label={t("computerBack")} question={t("sureFree", { holder: seat.holder })}
    act={take} />;
}
