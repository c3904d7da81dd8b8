// Games of the real rulesets by clicks alone. A bounded number of decisions each, unless WHOLE=1 asks for whole games.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Driver } from "./driver.mjs";
import { create, launch, out, person, serve } from "./harness.mjs";

const WHOLE = !!process.env.WHOLE, SEED = Number(process.env.SEED || 1);

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

// The Allies of these games let every phase end as soon as they may, so that the Axis has its cities in hours and not in days.
function idle(...seats) {
  return (seat, commands) => (seats.includes(seat) ? (commands.find((c) => c === "end") ?? "") : "");
}

const GAMES = [
  { scenario: "downfall/olympic", seats: ["us", "japan"], decisions: 40 },
  { scenario: "ocs/crimea-ishun", seats: ["blue", "red"], decisions: 40 },
  {
    scenario: "anniversary/1942", seats: ["germany", "japan", "italy", "soviet-union", "united-kingdom", "united-states"], decisions: 40,
    options: { victory_cities: "13" }, prefer: idle("soviet-union", "united-kingdom", "united-states"),
  },
];

for (const { scenario, seats, decisions, options, prefer } of GAMES) {
  test(`${scenario} by clicks`, { timeout: WHOLE ? 6 * 3600_000 : 300_000 }, async (t) => {
    const p = await person(browser, server.url, { name: "Rosa", width: 1000, height: 640 });
    await create(p, scenario, { seats, options });
    const driver = new Driver(p, { seed: SEED, prefer });
    const over = await driver.play(WHOLE ? Infinity : decisions);
    t.diagnostic(await driver.told());
    await p.page.screenshot({ path: `${out}whole-${scenario.replace("/", "-")}.png` });
    assert.deepEqual(p.faults, []);
    assert.ok(driver.checked > 0);
    if (WHOLE) assert.ok(over);
    else assert.equal(driver.decisions, decisions);
    await p.context.close();
  });
}
