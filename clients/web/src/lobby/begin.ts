import type { Game } from "@warledger/client/proto/v1/game_service";
import { comingChain, isMutual } from "../game/mutual";
import { holder, keepSeat } from "../wallet";
import { again, as, computers, games, uuid } from "../wire";

/** Ids are those of the calls that begin a game: the same for every try, so that a retry gets a lost answer again. */
export class Ids {
  game = uuid();
  private readonly seats = new Map<string, string>();
  private readonly chains = new Map<string, { anchor: Uint8Array; length: number }>();

  private of(seat: string): string {
    if (!this.seats.has(seat)) this.seats.set(seat, uuid());
    return this.seats.get(seat)!;
  }

  /** sit takes a seat of a new game, under the name that this browser remembers. */
  async sit(made: Game, seat: string): Promise<void> {
    const chain = isMutual(made) ? this.chains.get(seat) ?? (await comingChain(made, seat)) : undefined;
    if (chain) this.chains.set(seat, chain);
    const request = { name: made.name, seat, holder: holder.value, chain, requestId: this.of(seat) };
    keepSeat(made.name, seat, (await again(() => games.takeSeat(request, as(made.name)))).seatToken);
  }

  /** give has a computer play a seat of a new game. */
  async give(made: Game, seat: string, computer: string, givesUp: boolean): Promise<void> {
    const request = { name: made.name, seat, computer, requestId: this.of(seat), givesUp };
    await again(() => computers.seatComputer(request, as(made.name)));
  }
}
