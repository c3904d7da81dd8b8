import { effect, signal, untracked } from "@preact/signals";
import type { Layer } from "@warledger/client/proto/board/v1/board";
import { layerOn } from "../board/layers";
import { as, games } from "../wire";
import { lang } from "../words";
import type { GameModel } from "./model";

/** How many pieces the server is asked about at once. */
const MOST = 64;

/**
 * Ranges are how far the chosen pieces reach, or those of the stack that is spread out, and who could attack the space
 * that was clicked last. They are shown for anybody's pieces, at any time. Each is a layer to switch on.
 */
export class Ranges {
  readonly shown = signal<Layer[]>([]);
  private asked = "";

  constructor(private readonly model: GameModel) {}

  /** watch asks whenever the choice or the board changes, and returns how to stop. */
  watch(): () => void {
    return effect(() => {
      const { board, choice, fanned, boardVersion, talk } = this.model, now = board.value;
      const stack = () => now!.pieces.filter((p) => p.place === fanned.value).map((p) => p.id);
      const pieces = !now || !layerOn("ranges") ? []
        : (choice.value.pieces.length ? choice.value.pieces : fanned.value ? stack() : []).slice(0, MOST);
      const space = now && layerOn("threats") ? talk.place.value : "";
      const viewer = this.model.viewer.value, version = boardVersion.value;
      untracked(() => void this.ask(pieces, space, viewer, version));
    });
  }

  private async ask(rangesOf: string[], threatsTo: string, viewer: string, version: bigint): Promise<void> {
    const asked = [viewer, version, threatsTo, ...rangesOf].join("\n");
    if (asked === this.asked) return;
    this.asked = asked;
    if (!rangesOf.length && !threatsTo) {
      this.shown.value = [];
      return;
    }
    // After a failed call nothing is drawn; the next choice asks again.
    const answer = await games.getBoard({ name: this.model.name, version: this.model.looking.value, viewer,
      languageCode: lang.value, rangesOf, threatsTo, onlyIncluded: true }, as(this.model.name)).catch(() => undefined);
    if (asked === this.asked) this.shown.value = answer?.board?.ranges ?? [];
  }
}
