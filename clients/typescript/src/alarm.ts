// What may be wrong with mutual dice, apart from the code that finds it: pages fetch that when a game has such dice.

/**
 * NoChain says that the chain of a seat is not kept here: the seat was taken with another program, or on another
 * machine. Game.renewChain makes a new one.
 */
export class NoChain extends Error {
  constructor(readonly seat: string) {
    super(`the chain of ${seat} for mutual dice is not kept here`);
  }
}

/**
 * LogInconsistent says that the server's log contradicts what it showed before, or that the server asks for a link
 * twice: it may be choosing the dice.
 */
export class LogInconsistent extends Error {}

/**
 * ChainReplaced says that the server has a chain for a seat that was not sent from here. Unless another program of the
 * player sent it, somebody else answers for the dice in the player's name.
 */
export class ChainReplaced extends Error {
  constructor(readonly seat: string) {
    super(
      `the server has a chain for the dice of ${seat} that was not sent from here: ` +
        "if no other program of yours sent it, somebody else answers in your name");
  }
}

/**
 * ThrowTakenBack says that an undo took back a throw that a link of the seat went into, and that the player neither
 * asked for the undo nor agreed to it with this client. Whoever has the seat's token can agree in the player's name,
 * and throw again until the dice are better. So no link is revealed. If it was the player, with another program,
 * Game.acceptUndo goes on.
 */
export class ThrowTakenBack extends Error {
  constructor(
    readonly seat: string,
    /** Version of the record that took it back. */
    readonly undo: bigint,
    /** Version of the newest command among those whose dice were taken back. */
    readonly thrown: bigint,
  ) {
    super(`record ${undo} takes back the dice of record ${thrown}, and nobody agreed to that for ${seat} from here: ` +
      "if no other program of yours did, somebody throws again in your name");
  }
}

/** alarm tells whether something thrown says that somebody may be choosing or foreseeing the dice. */
export function alarm(thrown: unknown): boolean {
  return thrown instanceof LogInconsistent || thrown instanceof ChainReplaced || thrown instanceof ThrowTakenBack;
}
