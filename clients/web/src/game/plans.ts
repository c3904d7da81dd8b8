import { effect, signal, untracked } from "@preact/signals";
import type { Procedure } from "@warledger/client/proto/board/v1/board";
import type { Forecast } from "@warledger/client/proto/v1/preview";
import type { GameModel } from "./model";

/** Plans are the combats that what was done so far leads to, with the chances that the server sees for them. */
export class Plans {
  /** Forecasts by the space that they are about. */
  readonly odds = signal<Map<string, Forecast>>(new Map());
  private asked: AbortController | undefined;

  constructor(private readonly model: GameModel) {}

  /** watch asks for the odds whenever there is a new position with plans; the answer says how to stop. */
  watch(): () => void {
    const stop = effect(() => {
      const board = this.model.board.value, actions = this.model.actions.value, live = this.model.live.value;
      untracked(() => void this.weigh(board?.plans ?? [], live
        ? actions.find((a) => a.forgoes && !a.pieces.length)?.command : undefined));
    });
    return () => {
      stop();
      this.asked?.abort();
    };
  }

  // Whoever ends the segment has these combats: a preview of that has the odds of all.
  private async weigh(plans: Procedure[], end: string | undefined): Promise<void> {
    this.asked?.abort(); // odds of a plan that is changed are worked out for nobody
    const mine = (this.asked = new AbortController());
    if (!plans.length || !end) {
      this.odds.value = new Map();
      return;
    }
    const answer = await this.model.outlook(end, mine.signal);
    if (mine !== this.asked) return;
    this.odds.value = new Map((answer?.forecasts ?? []).flatMap((f) => f.spaces.map((s) => [s, f] as const)));
  }
}

/** originsOf are the spaces that the pieces of a plan come from. */
export function originsOf(model: GameModel, plan: Procedure): string[] {
  const acting = new Set(plan.attackers), at = plan.spaces[0];
  const from = (model.board.value?.pieces ?? []).filter((p) => acting.has(p.id))
    .map((p) => p.numbers.find((n) => n.key === "from")?.value ?? p.place);
  return [...new Set(from)].filter((s) => s !== at);
}

/** leading is the outcome that an attacker hopes for, which rulesets name first, in per cent. */
export function leading(f: Forecast | undefined): string {
  const first = f?.outcomes.find((o) => o.id === "win") ?? f?.outcomes[0];
  return first?.chance ? `${Math.round(first.chance.value * 100)} %` : "";
}
