import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { DiceKind, TableEventSchema, type TableEvent } from "./gen/warledger/log/v1/log_pb.js";
import type { Game as GameState, Record as GameRecord } from "./gen/warledger/v1/game_service_pb.js";

/** isMutual reports whether a game has dice in which every seat has a part. */
export function isMutual(game: GameState): boolean {
  return game.dice === DiceKind.MUTUAL;
}

/** tableEventsOf are the changes of the table that a record makes. */
export function tableEventsOf(r: GameRecord): TableEvent[] {
  return r.events.flatMap(({ event }) => {
    const e = event && anyUnpack(event, TableEventSchema);
    return e ? [e] : [];
  });
}

/** commitsAnyone tells whether a record commits a seat to a chain. */
export function commitsAnyone(r: GameRecord): boolean {
  return tableEventsOf(r)
    .some(({ event: e }) => (e.case === "seatTaken" || e.case === "chainRenewed" || e.case === "diceAnswered")
    && e.value.chain !== undefined);
}
