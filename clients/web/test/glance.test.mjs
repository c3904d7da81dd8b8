// What is read at a glance, and on a phone: numbers of every minute, a form for purchases, nothing that overflows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { create, heard, out, PATIENCE, person, press, reached, stage } from "./harness.mjs";

const { server, browser } = await stage();
const ALL = ["germany", "japan", "italy", "soviet-union", "united-kingdom", "united-states"];

test("the numbers of every minute are above the board, and purchases are a form with total and rest", async () => {
  const p = await person(browser, server.url, { name: "Rosa" }), { page } = p;
  await create(p, "anniversary/1942", { seats: ALL });
  const strip = (seat) => page.$$eval(`[data-strip="${seat}"] .figure b`, (all) => all.map((x) => x.textContent));
  for (const seat of ALL) assert.equal((await strip(seat)).length, 2, `treasury and production of ${seat}`);
  assert.deepEqual(await strip("japan"), ["31", "31"]);
  assert.equal(await page.locator(".strip .note").innerText(), "treasury (IPCs) · production level");
  assert.equal(await page.locator('.strip [data-track="cities-axis"]').count(), 1);
  let version = await heard(page);
  await press(page, "research 0");
  await reached(page, version + 1);
  const of = (thing) => page.locator(`[data-lot="${thing}"]`),
    total = () => page.locator(".purchase .total").innerText();
  for (let n = 0; n < 3; n++) await of("infantry").getByRole("button").last().click();
  await page.fill("#lot-tank", "2");
  assert.equal(await total(), "Total 19, left 12");
  // No more than there is money for, however it is asked for.
  await page.fill("#lot-bomber", "9");
  assert.equal(await page.inputValue("#lot-bomber"), "1");
  assert.equal(await total(), "Total 31, left 0");
  assert.ok(await of("infantry").getByRole("button").last().isDisabled());
  await page.fill("#lot-bomber", "0");
  await of("infantry").getByRole("button").first().click();
  await page.screenshot({ path: out + "purchase.png" });
  version = await heard(page);
  await page.click("#buy");
  await reached(page, version + 1);
  assert.equal((await strip("japan"))[0], "15");
  assert.equal(await total(), "Total 0, left 15", "the form keeps what was bought");
  await page.click("#tab-log");
  await page.waitForFunction(() => /2 infantry/.test(document.querySelector(".log").textContent)
    && /2 tanks/.test(document.querySelector(".log").textContent));
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("on a phone the board keeps two thirds of the height, nothing overflows, and panels come up and go", async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true,
    locale: "en-GB", reducedMotion: "reduce" });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage(), faults = [];
  page.on("pageerror", (e) => faults.push(e.message));
  const wide = () =>
    page.evaluate(() => [document.documentElement.scrollWidth,
    ...[...document.querySelectorAll(
    ".bar, .strip, .prompt, .scrubber, .side, .zoom, .card, .filters > *, [role=tab]")].filter((x) =>
    x.checkVisibility() && x.getBoundingClientRect().right > 390.5).map((x) => x.className || x.id)]);
  const p = { page, context, name: "Rosa" };
  for (const [scenario, seats] of [["ocs/first-steps", ["blue", "red"]], ["anniversary/1942", ALL]]) {
    await page.goto(server.url + "#/");
    await page.waitForSelector(".card");
    assert.deepEqual(await wide(), [390], "the lobby");
    await create(p, scenario, { seats });
    assert.deepEqual(await wide(), [390], scenario);
    const board = await page.locator(".frame").boundingBox();
    assert.ok(board.height >= (844 * 2) / 3 - 1 && board.width === 390,
      `${scenario}: the board has ${board.height} of 844`);
    await page.screenshot({ path: `${out}phone-${scenario.replace("/", "-")}.png` });
  }
  assert.equal(await page.locator("#panel").isVisible(), false);
  await page.locator("#tab-log").tap();
  await page.waitForSelector("#panel .log");
  assert.deepEqual(await wide(), [390], "the log");
  await page.locator("#tab-log").tap();
  await page.waitForSelector("#panel", { state: "hidden" });
  // The line's own button brings up all that may be done.
  await page.locator(".prompt .all").tap();
  await page.waitForSelector("#index button.do");
  const version = await heard(page);
  await page.locator('#index button.do[data-command="research 0"]').tap();
  await reached(page, version + 1);
  await page.waitForSelector(".purchase #buy");
  assert.deepEqual(await wide(), [390], "the purchase");
  assert.deepEqual(faults, []);
  await context.close();
});
