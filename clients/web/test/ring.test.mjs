// The order of play: a ring on the board that says whose player turn it is and who comes next, for mouse, finger and
// keys.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { create, heard, out, PATIENCE, person, press, reached, setting, stage } from "./harness.mjs";

const { server, browser } = await stage();
const ORDER = ["japan", "soviet-union", "germany", "united-kingdom", "italy", "united-states"]; // of 1942
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** slices are the seats of the ring or of its list in order, with how they stand. */
const slices = (page) => page.$$eval("#ring g", (all) => all.map((x) => `${x.dataset.turn} ${x.classList[0]}`));
const rows = (page) => page.$$eval("#ring-card li", (all) => all.map((x) => x.classList[0]));

test("the ring shows the order of play, who plays and who comes next, in words as well", async () => {
  const p = await person(browser, server.url, { name: "Rosa" }), { page } = p;
  await create(p, "anniversary/1942", { seats: ORDER });
  assert.deepEqual(await slices(page), ORDER.map((s, i) => s + " " + (["now", "next"][i] ?? "later")));
  assert.equal(await page.locator("#ring .turn").textContent(), "1");
  assert.match(await page.locator("#ring .hidden").textContent(),
    /Round 1.*Japan: plays now.*Soviet Union: comes next/);
  // The numbers of every minute come in the same order.
  assert.deepEqual(await page.$$eval("[data-strip]", (all) => all.map((x) => x.dataset.strip)), ORDER);
  // By keys: it opens, says all in words, and Escape gives the focus back.
  await page.focus("#ring");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#ring-card");
  assert.deepEqual(await rows(page), ["now", "next", "later", "later", "later", "later"]);
  const japan = await page.locator("#ring-card li").first().innerText();
  assert.match(japan, /Japan.*plays now.*31/s);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document.querySelector(".ring")));
  assert.deepEqual(violations.map((v) => v.id), []);
  await page.screenshot({ path: out + "ring.png" });
  await page.keyboard.press("Escape");
  await page.waitForSelector("#ring-card", { state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.id), "ring");
  // Japan does nothing, and the ring goes on.
  for (const command of ["research 0", "end", "end", "end", "end"]) {
    if ((await slices(page))[0] !== "japan now") break;
    const version = await heard(page);
    await press(page, command);
    await reached(page, version + 1);
  }
  assert.deepEqual((await slices(page)).slice(0, 3), ["japan over", "soviet-union now", "germany next"]);
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("the ring has the colours for all eyes, and letters tell the seats apart without colours", async () => {
  const p = await person(browser, server.url, { name: "Rosa" }), { page } = p;
  await create(p, "anniversary/1942", { seats: ["japan"] });
  const fills = () => page.$$eval("#ring g > path:first-child", (all) => all.map((x) => x.getAttribute("fill")));
  const before = await fills();
  await setting(page, "safe-colors");
  await page.waitForFunction((was) => document.querySelector("#ring g > path").getAttribute("fill") !== was, before[0]);
  const after = await fills();
  assert.equal(new Set(after).size, ORDER.length);
  const letters = await page.$$eval("#ring g > text", (all) => all.map((x) => x.textContent));
  assert.equal(new Set(letters).size, ORDER.length, letters.join());
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("on a phone a finger opens the ring's list, which stays on the screen; a set-up has no ring", async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true,
    locale: "en-GB", reducedMotion: "reduce" });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage(), p = { page, context, name: "Rosa" };
  await page.goto(server.url);
  await create(p, "anniversary/1942", { seats: ["japan"] });
  const ring = await page.locator("#ring").boundingBox();
  assert.ok(ring.width >= 44 && ring.height >= 44, "too small for a finger");
  await page.locator("#ring").tap();
  const card = await page.locator("#ring-card").boundingBox();
  assert.ok(card.x >= 0 && card.x + card.width <= 390 && card.y + card.height <= 844, JSON.stringify(card));
  await page.screenshot({ path: out + "ring-phone.png" });
  await page.goto(server.url + "#/");
  await create(p, "downfall/olympic", { seats: ["us", "japan"] });
  assert.equal(await page.locator("#ring").count(), 0);
  await context.close();
});
