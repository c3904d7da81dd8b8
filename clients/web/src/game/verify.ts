import { verifyRecord as verify } from "@warledger/client";
import type { Record as GameRecord } from "@warledger/client/proto/v1/game_service";
import { client } from "../wire";
import type { Key } from "../words";
import type { GameModel } from "./model";

const DICE = { proved: "diceProved", false: "diceFalse", later: "diceLater",
  copied: "diceCopied" } as const satisfies Record<string, Key>;
const CHAIN = { proved: "chainProved", false: "chainFalse",
  unchecked: "chainUnchecked" } as const satisfies Record<string, Key>;

/** Verdict is what checking a record has shown, in the page's words. */
export interface Verdict {
  dice: (typeof DICE)[keyof typeof DICE];
  chain: (typeof CHAIN)[keyof typeof CHAIN];
}

/**
 * verifyRecord checks the hash of a record, and its dice once the secret is out. The browser computes it all by itself.
 */
export async function verifyRecord(model: GameModel, record: GameRecord): Promise<Verdict> {
  const { dice, chain } = await verify(client.game(model.name), record, model.viewer.value);
  return { dice: DICE[dice], chain: CHAIN[chain] };
}
