/**
 * Standing orders as commands: what a seat says in advance so that it is not asked.
 *
 *     import { orders } from "@warledger/client";
 *     await game.submit(orders.ocs({ order: "defence-supply", value: "pay", keep: 4, at: "11.07", once: true }));
 *     await game.submit(orders.downfall({ order: "advance", choice: "nobody", units: ["us-i-25"] }));
 *
 * `at`, `units` and `once` limit an order to a hex, to units, to one combat. Each ruleset has a function of its own,
 * since its orders differ. What an order does, and how it may be limited, is in the ruleset's page. The server knows
 * whether an order can be given; these functions throw RangeError only for what could not be written.
 */

/** The values of each order of OCS; their numbers in notation count from 1. */
const ocsValues = {
  "attack-supply": ["pay"],
  "defence-supply": ["nothing", "pay"],
  lead: ["best"],
  terrain: ["best"],
  "attack-losses": ["retreats", "steps"],
  "defence-losses": ["retreats", "steps"],
  retreat: ["cheapest"],
  advance: ["must", "all"],
  react: ["nobody"],
  intercept: ["never", "best"],
  pass: ["end"],
  usual: ["give", "all"],
  loses: ["first", "last"],
  store: ["never", "first", "last"],
  keep: [],
  grounded: ["stay"],
  "air-combat": ["first"],
  beach: ["table", "fight"],
  displace: ["nearest", "farthest"],
  refuge: ["first"],
  yield: ["ordinary", "organic"],
  restock: ["first"],
  feed: ["never", "always"],
} as const;

/** What an order of OCS is limited to; without a field it is for the whole game. */
export interface OcsLimits {
  /** The only hex that the order is for. */
  at?: string;
  /** The only own units that it is for. */
  units?: readonly string[];
  /** It ends with the combat or mission under way, or else with the next that it fits. */
  once?: boolean;
}

/** OcsOrder is a standing order of OCS. The value "ask" asks after all, and "drop" takes the order back. */
export type OcsOrder = OcsLimits & {
  [K in keyof typeof ocsValues]: {
    order: K;
    value: (typeof ocsValues)[K][number] | "ask" | "drop";
    /** How many tokens stay in each store; only with the value "pay". */
    keep?: number;
  }
}[keyof typeof ocsValues] | (OcsLimits & { order: "keep"; value?: undefined; keep: number });

/** The choices of each order of Downfall; zones takes the ids of zones too. */
const downfallChoices = {
  support: ["none", "air", "naval", "both"],
  bombard: ["none", "weakest", "strongest"],
  fire: ["weakest", "strongest"],
  abort: ["never", "eliminated", "always"],
  retreat: ["never", "eliminated", "always"],
  withdraw: ["safest"],
  advance: ["nobody", "all"],
  bombs: ["none"],
  losses: ["weakest", "strongest"],
  zones: ["evenly"],
  remove: ["fullest", "emptiest"],
  "air-supply": ["none", "most"],
  division: ["keep"],
  pass: ["end"],
  forced: [],
  all: ["usual"],
} as const;

/** DownfallOrder is a standing order of Downfall. "ask" asks after all, and "drop" takes the order back. */
export type DownfallOrder = {
  [K in keyof typeof downfallChoices]: {
    order: K;
    /** What is done; for zones also the id of a zone. */
    choice: (typeof downfallChoices)[K][number] | "ask" | "drop" | (K extends "zones" ? string : never);
    /** The only hex under attack that the order is for. */
    at?: string;
    /** The only own units that it is for, where one takes part. */
    units?: readonly string[];
  }
}[keyof typeof downfallChoices];

/** Consent is whether allies may use the ships of a power. */
export type Consent = "always" | "never" | "ask";

/** AnniversaryOrders are all standing orders of a power, in place of those that it had. Without a field it is asked. */
export interface AnniversaryOrders {
  /** Types of units that are lost first, by id; then the cheapest. */
  losses?: readonly string[];
  /** Breaks off below so many percent of the enemy's strength, 1 to 255; 0 asks. */
  retreat?: number;
  /** What submarines do. */
  submarines?: "strike" | "submerge";
  /** Bombard with all that may. */
  bombard?: boolean;
  /** Divert fighters to the nearest refuge. */
  divert?: boolean;
  /** Agree to the lists of casualties of allies. */
  agree?: boolean;
  /** Whether allies may land on carriers of the power; "always" without it. */
  carriers?: Consent;
  /** Whether allies may board its transports; "always" without it. */
  transports?: Consent;
  /** Ask even where there is one answer only (option forced_choices). */
  ask?: boolean;
}

/** ocs writes a standing order of OCS. */
export function ocs(given: OcsOrder): string {
  const { order, value, at, units = [], once } = given;
  const n = ocsNumber(order, value, given.keep ?? 0);
  return written(["orders", ...some(ids(units).join(",")), `order=${order}`, ...(n ? [`value=${n}`] : []),
    ...(at ? [`at=${at}`] : []), ...(once ? ["once=true"] : []), ...(value === "drop" ? ["drop=true"] : [])]);
}

/** ocsNumber is the value of an order in notation. */
function ocsNumber(order: keyof typeof ocsValues, value: string | undefined, keep: number): number {
  const values = Object.hasOwn(ocsValues, order) ? ocsValues[order] as readonly string[] : undefined;
  if (!values) throw new RangeError(`"${order}" is no standing order of OCS`);
  const at = values.indexOf(value ?? ""), keeps = order === "keep" && !value;
  if (!Number.isInteger(keep) || keep < 0 || (keep > 0 && !keeps && !(value === "pay" && at >= 0)))
    throw new RangeError(`${keep} tokens stay with the order ${order} ${value ?? ""}, expected none`);
  if (value === "ask" || value === "drop") return 0;
  if (keeps && keep > 0) return keep;
  if (at < 0) throw new RangeError(`"${value ?? ""}" is no value of the order ${order}`);
  return at + 1 + keep;
}

/** downfall writes a standing order of Downfall. */
export function downfall({ order, choice, at, units = [] }: DownfallOrder): string {
  const choices = Object.hasOwn(downfallChoices, order) ? downfallChoices[order] as readonly string[] : undefined;
  if (!choices) throw new RangeError(`"${order}" is no standing order of Downfall`);
  if (!["ask", "drop", ...choices].includes(choice) && (order !== "zones" || !choice || choice === "-"))
    throw new RangeError(`"${choice ?? ""}" is no choice of the order ${order}`);
  return written(["standing", order, choice === "drop" ? "-" : choice, ...(at ? ["at", at] : []),
    ...(units.length > 0 ? ["of", ...ids(units)] : [])]);
}

/** anniversary writes all standing orders of a power. */
export function anniversary(given: AnniversaryOrders): string {
  const { losses = [], retreat = 0, submarines, carriers = "always", transports = "always" } = given;
  if (!Number.isInteger(retreat) || retreat < 0 || retreat > 255)
    throw new RangeError(`a retreat below ${retreat} percent, expected 0 to 255`);
  if (submarines && !["strike", "submerge"].includes(submarines))
    throw new RangeError(`submarines can't "${submarines}"`);
  for (const consent of [carriers, transports])
    if (!["always", "never", "ask"].includes(consent)) throw new RangeError(`"${consent}" is no consent`);
  const words = [
    ...(losses.length > 0 ? ["losses", ids(losses).join(",")] : []), ...(retreat ? ["retreat", `${retreat}`] : []),
    ...(submarines ? ["submarines", submarines] : []), ...(given.bombard ? ["bombard"] : []),
    ...(given.divert ? ["divert"] : []), ...(given.agree ? ["agree"] : []),
    ...(carriers !== "always" ? ["carriers", carriers] : []),
    ...(transports !== "always" ? ["transports", transports] : []), ...(given.ask ? ["ask"] : []),
  ];
  return written(["orders", ...(words.length > 0 ? words : ["-"])]);
}

const some = (word: string): string[] => word ? [word] : [];

/** written joins the words of a command. None may be empty or contain white space. */
function written(words: readonly string[]): string {
  for (const word of words)
    if (!word || /\s/.test(word)) throw new RangeError(`"${word}" is no word of a command`);
  return words.join(" ");
}

/** ids checks the ids of units or types, which stand in a list. */
function ids(list: readonly string[]): readonly string[] {
  for (const id of list) if (!id || /[\s,=]/.test(id)) throw new RangeError(`"${id}" is no id`);
  return list;
}
