import { signal } from "@preact/signals";
import type { CalculateBattleResponse } from "@warledger/client/proto/v1/battle";
import type { GameModel } from "../game/model";
import { as, games, refusal, type Refusal } from "../wire";
import { lang, t } from "../words";

/** Force is a side as somebody enters it; what is left out is that of the position. */
export interface Force { party?: string; entered?: boolean; numbers?: Record<string, number>; traits?: string[]
  losses?: string[] }

/** Entry is a battle as somebody enters it; what is left out is that of the position. */
export interface Entry { name: string; space: string; version?: bigint; kind?: string; attacker?: Force;
  defender?: Force; policies?: Record<string, string> }

/** Shown is a battle as it was entered, with its odds once they have come. */
export interface Shown {
  entry: Entry;
  answer?: CalculateBattleResponse | undefined;
  fault?: Refusal | undefined;
  busy: boolean;
}

/** shown is the battle that is calculated; null for none. */
export const shown = signal<Shown | null>(null);
let asked: AbortController | undefined;

/** calculates reports whether battles of the game can be calculated. */
export function calculates(model: GameModel): boolean {
  return !!model.ruleset.value?.calculatesBattles;
}

/** calculate opens the calculator for a space, filled in with what is there and what could come. */
export function calculate(model: GameModel, space: string): void {
  shown.value = null;
  ask(model, { name: model.name, space, ...(!model.live.value && { version: model.boardVersion.value }) });
}

/** ask asks for odds. Whoever types on does not wait for odds that nobody will read: an older question is given up. */
export function ask(model: GameModel, entry: Entry): void {
  asked?.abort();
  const mine = (asked = new AbortController());
  shown.value = { entry, answer: shown.peek()?.answer, busy: true };
  void games.calculateBattle({ ...entry, languageCode: lang.value }, { ...as(model.name), signal: mine.signal }).then(
    (answer) => asked === mine && (shown.value = { entry, answer, busy: false }),
    (thrown) => asked === mine
      && (shown.value = { entry, answer: shown.peek()?.answer, fault: refusal(thrown), busy: false }),
  );
}

/** leave closes the calculator. */
export function leave(): void {
  asked?.abort();
  asked = undefined;
  shown.value = null;
}

/** CalculatorButton opens the calculator for a space. */
export function CalculatorButton({ model, space }: { model: GameModel; space: string }) {
  if (!calculates(model) || !model.atlas.value?.spaces.has(space)) return null;
  return <button class="quiet" data-calculate={space} onClick={() => calculate(model, space)}>{t("calcOpen")}</button>;
}
