/**
 * The client of a Warledger server, for Node and browsers. It knows the contract and nothing of rulesets, so it plays
 * every game alike:
 *
 *     const client = new Client("http://localhost:7482");
 *     const game = client.game("games/abc", "red");
 *     await game.take("red", "bot:red");
 *     for await (const { record, caughtUp } of game.watch()) { ... }
 *     await game.submit("move r1 0203");
 *
 * Every change carries an id that the client draws, so repeating it is safe. Calls are repeated with the same id while
 * the server cannot be reached. Messages are in modules of their own, as "@warledger/client/proto/v1/game_service" is.
 */
export * from "./client.js";
export { newAccount, type Offered, type ComputerOffer } from "./computer.js";
export * from "./errors.js";
export * from "./game.js";
export * as orders from "./orders.js";
export { unpackMap } from "./packed.js";
export * from "./reasons.js";
export { Table, type Grant, type Hook, type Voted } from "./table.js";
export { Talk, type Heard, type ListenOptions, type Saying } from "./talk.js";
export { Wallet, about, type Chains, type TokenSource } from "./tokens.js";
export * from "./verify.js";
export * from "./watch.js";
export { again, uuid, type Backoff, type Retries } from "./retry.js";
export { ChainReplaced, NoChain, LogInconsistent, ThrowTakenBack } from "./alarm.js";
export { checkKept, type Chain } from "./chain.js";
export { isMutual } from "./tableevents.js";
export { type Consent, type Wish } from "./takenback.js";
export { prove, type Proved } from "./prove.js";
