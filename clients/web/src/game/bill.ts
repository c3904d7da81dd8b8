import type { Action, Payment, Source } from "@warledger/client/proto/board/v1/board";
import type { Choice } from "./choice";

/** Bill is an action that is paid for by clicking what pays, with what has been chosen so far. */
export interface Bill {
  action: Action;
  payment: Payment;
}

/** Share is how much one source pays: its number among those of the payment, and the amount. */
export interface Share {
  source: number;
  amount: number;
}

/**
 * billOf is the one action that a choice leaves whose payment is known and can be chosen: of the chosen pieces alone,
 * or with nothing chosen of all that there are together.
 */
export function billOf(open: Action[], choice: Choice): Bill | undefined {
  const all = open.filter((a) => a.payment?.sources.length);
  const wanted = new Set(choice.pieces.length ? choice.pieces : all.flatMap((a) => a.pieces));
  const [only, other] = all.filter((a) => a.pieces.length === wanted.size && a.pieces.every((p) => wanted.has(p)));
  return only && !other ? { action: only, payment: only.payment! } : undefined;
}

/**
 * kindToAsk is the kind of action whose payments should be asked for while nothing is chosen: the one kind that costs
 * something, if one action of it is for all of its pieces together.
 */
export function kindToAsk(actions: Action[]): string {
  const list = actions.filter((a) => a.cost && a.pieces.length), all = new Set(list.flatMap((a) => a.pieces));
  return new Set(list.map((a) => a.kind)).size === 1 && list.filter((a) => a.pieces.length === all.size).length === 1
    ? list[0]!.kind : "";
}

/** left is what is still to be paid. */
export function left(bill: Bill, shares: Share[]): number {
  return bill.payment.due - shares.reduce((n, s) => n + s.amount, 0);
}

/** room is what a source can still give. */
export function room(source: Source, n: number, shares: Share[]): number {
  const given = shares.reduce((sum, s) => sum + (s.source === n ? s.amount : 0), 0);
  return (source.endless ? Infinity : source.have) - given;
}

/** drawn are the shares with what the sources of a space add to them, as far as something is left to be paid. */
export function drawn(bill: Bill, shares: Share[], space: string): Share[] {
  const all = [...shares];
  bill.payment.sources.forEach((s, n) => {
    const amount = s.space === space ? Math.min(room(s, n, all), left(bill, all)) : 0;
    if (amount > 0) all.push({ source: n, amount });
  });
  return all;
}

/** said are the shares in words: "3T from 07.07". */
export function said(bill: Bill, shares: Share[]): string[] {
  return shares.map((s) => `${s.amount}${bill.payment.unit} · ${bill.payment.sources[s.source]!.name}`);
}

/** settled is the action that pays just so; it aims where the listed one aims, or at what pays last. */
export function settled(bill: Bill, shares: Share[]): Action {
  const { action, payment } = bill, at = (s: Share) => payment.sources[s.source]!;
  const parts = shares.map((s) => at(s).part.replace("{n}", String(s.amount))).join(payment.between);
  const aim = action.spaces.at(-1) ?? "", pays = payment.sources.some((s) => s.space === aim);
  return { ...action, command: payment.pattern.replace("{parts}", parts), cost: said(bill, shares).join(", "),
    spaces: [...shares.map((s) => at(s).space), ...(pays || !aim ? [] : [aim])] };
}
