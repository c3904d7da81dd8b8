import { signal } from "@preact/signals";
import type { PreviewCommandResponse } from "@warledger/client/proto/v1/preview";
import type { GameModel } from "../game/model";
import { as, games, refusal, type Refusal } from "../wire";
import { lang } from "../words";

/** Shown is a command that was asked about. */
export interface Shown {
  command: string;
  /** How choices within the forecasts are made, by id; those left out have their defaults. */
  policies: Record<string, string>;
  answer?: PreviewCommandResponse | undefined;
  fault?: Refusal;
}

/** What the dialog shows. */
export const shown = signal<Shown | null>(null);

/** preview asks what a command would do, and shows it; meanwhile the answer for other policies stays. */
export function preview(model: GameModel, command: string, policies: Record<string, string> = {}): void {
  const asked: Shown = { command, policies, answer: shown.peek()?.command === command ? shown.peek()?.answer
    : undefined };
  shown.value = asked;
  const request = { name: model.name, seat: model.seat.value, form: { case: "notation", value: command } as const,
    policies, languageCode: lang.value };
  void games.previewCommand(request, as(model.name)).then(
    (answer) => shown.value === asked && (shown.value = { command, policies, answer }),
    (thrown) => shown.value === asked && (shown.value = { command, policies, fault: refusal(thrown) }),
  );
}
