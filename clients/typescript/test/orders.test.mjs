// Standing orders are written as the rules read them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { orders } from "@warledger/client";

const samples = JSON.parse(readFileSync(new URL("../../testdata/orders.json", import.meta.url), "utf8"));

test("every sample of an order is written", () => {
  for (const { ruleset, order, notation } of samples.written) assert.equal(orders[ruleset](order), notation);
});

test("what no command can say is refused", () => {
  for (const { ruleset, order } of samples.refused)
    assert.throws(() => orders[ruleset](order), RangeError, JSON.stringify(order));
  for (const order of [{ order: "toString", value: "ask" }, { order: "keep", keep: 1.5, at: "07.07" }])
    assert.throws(() => orders.ocs(order), RangeError, JSON.stringify(order));
});
