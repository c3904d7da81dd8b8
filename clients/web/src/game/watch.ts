import type { Update, Link as Told, Watch as Following } from "@warledger/client";
import { client, refusal, type Refusal } from "../wire";

/** How the watch stands. */
export type Link = "connecting" | Told;

interface Hears {
  message(u: Update): void;
  link(l: Link): void;
  /** The watch cannot go on: the token is void or the game gone. */
  failed(r: Refusal): void;
}

/** Watch follows a game for ever, and hurries when the browser says that somebody looks or that the network is back. */
export class Watch {
  private readonly watch: Following;

  constructor(game: string, viewer: string, language: string, private readonly told: Hears) {
    this.watch = client.game(game).inLanguage(language)
      .watch({ viewer, heartbeat: 8, silent: true, onLink: (l) => told.link(l) });
    addEventListener("online", this.hurry);
    addEventListener("offline", this.cut);
    document.addEventListener("visibilitychange", this.hurry);
    void this.run();
  }

  stop(): void {
    removeEventListener("online", this.hurry);
    removeEventListener("offline", this.cut);
    document.removeEventListener("visibilitychange", this.hurry);
    this.watch.stop();
  }

  private readonly hurry = (): void => this.watch.hurry();

  private readonly cut = (): void => this.watch.cut();

  private async run(): Promise<void> {
    try {
      for await (const update of this.watch) this.told.message(update);
    } catch (thrown) {
      this.told.failed(refusal(thrown));
    }
  }
}
