// Games of the real rulesets by clicks alone. A bounded number of decisions each, unless WHOLE=1 asks for whole games:
// Downfall and two scenarios of the Operational Combat Series to their ends, ten rounds of Anniversary, and a document
// of one's own in which the Axis stands before its last cities, to its end.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Driver } from "./driver.mjs";
import { create, out, person, setUp, stage } from "./harness.mjs";

const WHOLE = !!process.env.WHOLE, SEED = Number(process.env.SEED || 1), ONLY = process.env.ONLY;

const { server, browser } = await stage();

// The Allies let every phase end as soon as they may.
function idle(...seats) {
  return (seat, commands) => (seats.includes(seat) ? (commands.find((c) => c === "end") ?? "") : "");
}

// Whoever moves everything that can be moved takes ten thousand decisions for ten rounds: a phase ends sooner.
function brisk(seat, commands, random) {
  return random() < 0.4 ? (commands.find((c) => c === "end") ?? "") : "";
}

// The Axis holds thirteen cities, and has won if it still does at the end of the round.
function lastRound(document) {
  const given = { germany: ["karelia-ssr", "caucasus"], japan: ["india", "australia", "hawaiian-islands"] };
  const power = new Map(Object.entries(given).flatMap(([p, all]) => all.map((t) => [t, p])));
  for (const m of document.markers) m.territories.push(...(given[m.power] ?? []));
  for (const p of document.placements) p.power = power.get(p.space) ?? p.power;
  const merged = new Map();
  for (const p of document.placements) {
    const key = p.power + " " + p.space, before = merged.get(key);
    if (before) before.units.push(...p.units);
    else merged.set(key, p);
  }
  return { ...document, placements: [...merged.values()] };
}

const POWERS = ["germany", "japan", "italy", "soviet-union", "united-kingdom", "united-states"];

const GAMES = [
  { scenario: "downfall/olympic", seats: ["us", "japan"], decisions: 40 },
  { scenario: "ocs/crimea-ishun", seats: ["blue", "red"], decisions: 40 },
  { scenario: "ocs/first-steps", seats: ["blue", "red"], decisions: 0 },
  { scenario: "anniversary/1941", seats: POWERS, decisions: 0, prefer: brisk, rounds: 10 },
  {
    scenario: "anniversary/1942", seats: POWERS, decisions: 40, options: { victory_cities: "13" },
    prefer: idle("soviet-union", "united-kingdom", "united-states"), change: lastRound,
  },
].filter((g) => (WHOLE ? !ONLY || g.scenario === ONLY : g.decisions));

/** own makes a document of one's own of a scenario's, by clicks, and sets a game of it up. */
async function own(p, scenario, change, choices) {
  const { page } = p;
  await page.click(`[data-scenario="${scenario}"]`);
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-document")]);
  const path = join(server.dir, "Own.json");
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(await file.path(), "utf8")))));
  await page.goto(server.url + "#/");
  await page.click(`[data-own="rulesets/${scenario.split("/")[0]}"]`);
  await page.setInputFiles("#own-file", path);
  await page.waitForSelector("#create, .faults");
  assert.deepEqual(await page.locator(".faults li:not(:has(.tag))").allInnerTexts(), []);
  await setUp(p, choices);
}

for (const { scenario, seats, decisions, options, prefer, change, rounds } of GAMES) {
  test(`${scenario} by clicks`, { timeout: WHOLE ? 6 * 3600_000 : 300_000 }, async (t) => {
    const p = await person(browser, server.url, { name: "Rosa", width: 1000, height: 640 });
    if (WHOLE && change) await own(p, scenario, change, { seats, options });
    else await create(p, scenario, { seats, options });
    const driver = new Driver(p, { seed: SEED, prefer });
    const over = await driver.play(WHOLE ? Infinity : decisions, rounds ? rounds + 1 : Infinity);
    t.diagnostic(await driver.told());
    await p.page.screenshot({ path: `${out}whole-${scenario.replace("/", "-")}.png` });
    assert.deepEqual(p.faults, []);
    assert.ok(driver.checked > 0);
    if (WHOLE) assert.ok(over);
    else assert.equal(driver.decisions, decisions);
    await p.context.close();
  });
}
