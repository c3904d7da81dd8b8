// A combat of Axis & Allies from its plan to the retreat, by what the page shows: odds, both sides, dice, losses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { create, heard, lowHead, openIndex, out, person, reached, stage, sure } from "./harness.mjs";

const { server, browser } = await stage();
const ALL = ["germany", "japan", "italy", "soviet-union", "united-kingdom", "united-states"];

test("a combat is planned with its odds, fought on a board of its own and left, in both languages", async () => {
  const p = await person(browser, server.url, { name: "Rosa", width: 1440, height: 900 }), { page } = p;
  await create(p, "anniversary/1941", { seats: ALL, manual: true });
  await page.click(".typed summary");
  const say = async (command, dice = []) => {
    const version = await heard(page);
    await page.fill("#command", command);
    await page.keyboard.press("Enter");
    await thrown(page, version, dice);
  };
  await say("research 0");
  await say("buy 10 infantry");
  if (await page.locator('[data-decision="purchase"]').count()) await say("end");
  // Odds of a plan that has changed since are given up, so that the server works them out for nobody.
  const plan = page.locator('.plans [data-plan="ukraine"]'), given = [];
  page.on("requestfailed", (r) => r.url().endsWith("/PreviewCommand") && given.push(r.failure().errorText));
  const held = new Promise((asked) => void page.route("**/PreviewCommand", asked, { times: 1 }));
  await say("move 1 infantry bulgaria-romania>ukraine");
  await held; // it gets no answer
  await say("move 1 infantry 1 artillery 1 tank bulgaria-romania>ukraine");
  // The plan: who meets whom, and the chance that the server sees, in the panel and on the map.
  assert.equal(await page.locator(".plans h2").innerText(), "Planned combats 1");
  await plan.locator(".chance").waitFor();
  const chance = await plan.locator(".chance").innerText();
  assert.match(chance, /^\d+ %$/);
  assert.deepEqual(given, ["net::ERR_ABORTED"]);
  assert.equal(await page.locator(".stacks ~ .intents .intent-odds text").first().textContent(), chance);
  assert.equal(await plan.locator(".force").count(), 4, "infantry, artillery and a tank against infantry");
  await page.screenshot({ path: out + "plans.png" });
  await say("end", [6, 6, 6, 6, 1, 1]); // one combat begins by itself: the attacker misses, the defender hits twice
  await page.waitForSelector('[data-battle="ukraine"] #lose');
  assert.deepEqual(await page.$$eval("[data-side] h3 small", (all) => all.map((x) => x.textContent)), ["4", "2"]);
  assert.deepEqual(await page.$$eval('[data-side="attack"] .rank b', (all) => all.map((x) => x.textContent)),
    ["1", "2", "3"], "in the order in which they hit");
  assert.equal(await page.$eval('[data-side="attack"] .rank b', (b) => b.title), "attack 1",
    "in the words of the ruleset");
  assert.equal(await page.locator(".last-dice .die").count(), 6);
  // The cheapest are chosen to begin with; a click on another takes it instead of one of them.
  const chosen = () => page.$$eval(".purchase.hits [data-lot] input", (all) => all.map((x) => x.value));
  assert.deepEqual(await chosen(), ["2", "0", "0"]);
  await page.click('[data-lot="artillery"] .tray-piece');
  assert.deepEqual(await chosen(), ["1", "1", "0"]);
  assert.equal(await page.locator("#lose").innerText(), "Take these losses");
  await page.screenshot({ path: out + "battle.png" });
  await lowHead(page, "losses");
  await page.selectOption("#language", "ja");
  await page.waitForFunction(() => document.querySelector("#lose")?.textContent === "この損害を受ける"
    && /攻撃側/.test(document.querySelector('[data-side="attack"] h3').textContent));
  await page.waitForFunction(() => /[\u3040-\u30ff]/.test(document.querySelector(".battle h2").textContent));
  await page.click('[data-lot="artillery"] .tray-piece'); // the page has begun anew
  assert.deepEqual(await chosen(), ["1", "1", "0"]);
  let version = await heard(page);
  await page.click("#lose");
  await reached(page, version + 1);
  await page.waitForSelector('[data-decision="press"]');
  assert.deepEqual(await page.$$eval("[data-side] h3 small", (all) => all.map((x) => x.textContent)), ["2", "2"]);
  // What pressing on would come to is there before it is chosen.
  await page.waitForSelector(".battle figure .bars");
  await page.screenshot({ path: out + "press.png" });
  await lowHead(page, "another round");
  // From the line above the board they come on top of the battle board.
  const presses = page.locator('.prompt button.do[data-command^="press"]');
  if (!(await presses.count())) await openIndex(page);
  await page.locator(":is(.prompt, .index) button.do[data-command^=press]").first().click();
  await page.waitForSelector(".odds-card button.do");
  assert.ok(await page.evaluate(() => {
    const b = document.querySelector(".odds-card button.do").getBoundingClientRect();
    return document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)?.closest(".odds-card");
  }), "the odds lie under the battle");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".odds-card", { state: "detached" });
  version = await heard(page);
  await page.click('.battle button.do[data-command^="retreat"]');
  await reached(page, version + 1);
  await page.waitForSelector(".battle", { state: "detached" });
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

/** thrown enters dice as long as the page asks for them, and waits for the record. */
async function thrown(page, version, dice) {
  const known = (v) => document.querySelector("dialog.manual, #sure-yes")
    || Number(document.querySelector(".game").dataset.newest) > v;
  await page.waitForFunction(known, version);
  await sure(page);
  for (const [i, face] of dice.entries()) {
    await page.waitForFunction((n) => document.querySelector("dialog.manual h2")?.textContent.includes(String(n)),
      i + 1);
    await page.click(`[data-face="${face}"]`);
  }
  await reached(page, version + 1);
}
