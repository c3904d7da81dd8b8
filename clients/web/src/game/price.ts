import type { Reach } from "./choice";

/** Prices are what the places cost that a choice may aim at, as briefly as they can be said. */
export interface Prices {
  /** The price of each where nothing stands on the map: everywhere, or nearly so. */
  same: string;
  /** What the numbers on the map are numbers of, if all prices are so many of one thing. */
  unit: string;
  /** What stands at each place: just the number, if the unit is said once. */
  at: Map<string, string>;
}

/** From how many places on a price is said once for all, and how long one may be that stands among numbers. */
const SEVERAL = 3, SHORT = 8;

/** A price of more than this share of the places is the usual one; MIXED stands where several prices are possible. */
const USUAL = 0.6, MIXED = "…";

// A number, whole or a fraction, and what it is a number of.
const PRICE = /^([\d/ ]*\d) *(\D+)$/;

const FRACTIONS: Record<string, string> = { "1/2": "½", "1/4": "¼", "3/4": "¾", "1/3": "⅓", "2/3": "⅔" };

/** pricesOf says what places cost. */
export function pricesOf(reach: Reach[]): Prices {
  const all = reach.filter((r) => r.cost).map((r) => [r.space, r.cost] as const);
  if (reach.length < SEVERAL || !all.length) return { same: "", unit: "", at: new Map(all) };
  const first = all[0]![1];
  if (all.length === reach.length && all.every(([, c]) => c === first)) return { same: first, unit: "", at: new Map() };
  const most = commonest(all.map(([, c]) => c));
  if (all.filter(([, c]) => c === most).length > USUAL * reach.length)
    return { same: most, unit: "", at: new Map(reach.filter((r) => r.cost !== most)
      .map((r) => [r.space, r.cost || MIXED])) };
  const unit = commonest(all.map(([, c]) => PRICE.exec(c)?.[2] ?? ""));
  const at = all.map(([space, c]): [string, string] => {
    const [, n = "", of] = PRICE.exec(c) ?? [];
    return [space, unit && of === unit ? n.replace(/ ?(\d\/\d)/, (_, f: string) => FRACTIONS[f] ?? " " + f) : c];
  });
  // What else there is to be paid for is said where it is chosen.
  return { same: "", unit, at: new Map(unit ? at.filter(([, c]) => c.length <= SHORT) : at) };
}

function commonest(all: string[]): string {
  const n = new Map<string, number>();
  for (const x of all) n.set(x, (n.get(x) ?? 0) + 1);
  const [most, times] = [...n].sort((a, b) => b[1] - a[1])[0]!;
  return times >= SEVERAL ? most : "";
}
