// What is read at a glance, and on a phone: numbers of every minute, a form for purchases, nothing that overflows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clickOn, create, heard, lowHead, out, PATIENCE, person, press, reached, stage } from "./harness.mjs";

const { server, browser } = await stage();
const ALL = ["germany", "japan", "italy", "soviet-union", "united-kingdom", "united-states"];

/** oneRow checks that answers and numbers that do not fit are folded away, and that a click shows them. */
async function oneRow(page) {
  const commands = () => page.$$eval(".prompt .answers button.do", (all) => all.map((x) => x.dataset.command));
  const tops = new Set(await page.$$eval(".prompt .answers button.do",
    (all) => all.map((x) => x.getBoundingClientRect().top)));
  assert.equal(tops.size, 1, "the answers take more than one row");
  const few = await commands();
  assert.equal(few[0], "research 0", "the first answer is folded away");
  assert.ok(few.length < 5);
  await page.click("#rest");
  await page.waitForSelector("#rest-list button.do");
  assert.deepEqual(await commands(), [0, 1, 2, 3, 4].map((n) => "research " + n));
  await page.keyboard.press("Escape");
  await page.waitForSelector("#rest-list", { state: "detached" });
  // On a smaller page what the ruleset ranks last goes first, and a button leads to it.
  await page.setViewportSize({ width: 1000, height: 700 });
  await page.waitForFunction(() => document.querySelector("#more-numbers")
    && document.querySelector(".glance").scrollWidth <= 1000);
  assert.equal(await page.locator(".strip .note").innerText(), "IPCs");
  assert.ok(await page.evaluate(() => [...document.querySelectorAll(".strip li")].every((x) =>
    x.getBoundingClientRect().right <= 1000)), "a number is cut off");
  await page.click("#more-numbers");
  await page.waitForSelector('.tracks [data-track*="production"]');
  await page.click("#tab-play");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.waitForSelector("#more-numbers", { state: "detached" });
}

test("the numbers of every minute are above the board, and purchases are a form with total and rest", async () => {
  const p = await person(browser, server.url, { name: "Rosa" }), { page } = p;
  await create(p, "anniversary/1942", { seats: ALL });
  const strip = (seat) => page.$$eval(`[data-strip="${seat}"] .figure b`, (all) => all.map((x) => x.textContent));
  for (const seat of ALL) assert.equal((await strip(seat)).length, 2, `treasury and production of ${seat}`);
  assert.deepEqual(await strip("japan"), ["31", "31"]);
  assert.equal(await page.locator(".strip .note").innerText(), "IPCs · production");
  assert.equal(await page.locator('.strip [data-track="cities-axis"]').count(), 1);
  await lowHead(page, "research");
  await oneRow(page);
  let version = await heard(page);
  await press(page, "research 0");
  await reached(page, version + 1);
  await lowHead(page, "purchase");
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
  version = await heard(page);
  await press(page, "end");
  await reached(page, version + 1);
  await clickOn(page, ".stacks .piece:has(.can-act)");
  await page.waitForSelector(".prompt .chosen, .fan");
  await lowHead(page, "combat move");
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
