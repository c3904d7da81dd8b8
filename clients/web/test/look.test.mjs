// How the table looks: the order of the turn as a line, light and dark, and stacks that can be read where the whole map
// is small.
import assert from "node:assert/strict";
import { test } from "node:test";
import { create, heard, out, person, press, reached, ready, stage } from "./harness.mjs";

const { server, browser } = await stage();

/** contrast is that of the text of an element against the ground that it stands on. */
function contrast(page, selector) {
  return page.evaluate((selector) => {
    const parts = (c) => c.match(/[\d.]+/g).map(Number);
    const light = (c) => {
      const [r, g, b] = parts(c).map((v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const el = document.querySelector(selector);
    let ground = el;
    while (ground && (parts(getComputedStyle(ground).backgroundColor)[3] ?? 1) === 0) ground = ground.parentElement;
    const [a, b] = [light(getComputedStyle(el).color),
      light(getComputedStyle(ground).backgroundColor)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  }, selector);
}

test("the order of the turn is a line with where the game is, in both languages", async () => {
  const p = await person(browser, server.url, { name: "Rosa", width: 1440, height: 900 }), { page } = p;
  await create(p, "anniversary/1942", { seats: ["japan"] });
  const now = () => page.locator('.sequence [aria-current="step"]').innerText();
  assert.equal(await now(), "Research & Development");
  assert.equal(await page.locator(".sequence li").count(), 7);
  const version = await heard(page);
  await press(page, "research 0");
  await reached(page, version + 1);
  assert.equal(await now(), "Purchase Units");
  assert.equal(await page.locator(".sequence li.done").count(), 1);
  assert.equal(await page.locator(".sequence li.now + li").innerText(), "Combat Move");
  await page.selectOption("#language", "ja");
  await page.waitForFunction(() => document.querySelector('.sequence [aria-current="step"]')?.textContent
    === "ユニット購入フェイズ");
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("the page is dark where the device is or the player wants it, and can be read", async () => {
  const p = await person(browser, server.url, { name: "Rosa", width: 1440, height: 900 }), { page } = p;
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), "light");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await page.waitForSelector(".card");
  await page.screenshot({ path: out + "dark-lobby.png" });
  await create(p, "ocs/first-steps", { seats: ["blue", "red"] });
  const read = ["body", ".prompt .asked", ".prompt button.do", ".sequence li", '[role="tab"]', ".question p",
    ".scrubber output", ".note, .typed summary"];
  for (const of of read) if (await page.locator(of).count())
    assert.ok((await contrast(page, of)) >= 4.5, `${of} has a contrast of ${(await contrast(page, of)).toFixed(1)}`);
  await page.screenshot({ path: out + "dark-ocs.png" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: out + "dark-phone.png" });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.click(".settings summary");
  await page.selectOption("#theme", "light");
  await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
  await page.reload();
  await ready(page);
  assert.equal(await theme(), "light", "what was chosen is forgotten");
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("where counters would be too small a block tells each stack's side and strength", async () => {
  const p = await person(browser, server.url, { name: "Rosa", width: 1000, height: 640 }), { page } = p;
  await create(p, "ocs/crimea-campaign", { seats: ["blue", "red"] });
  await page.click('.zoom [aria-label="Show all"]');
  await page.waitForSelector(".weights [data-weight]");
  const { stacks, figures, small } = await page.evaluate(() => {
    const own = (selector) => [...document.querySelectorAll(selector)];
    return { stacks: own(".stacks [data-stack]").length, figures: own(".weights text").map((x) => x.textContent),
      small: own(".weights text").filter((x) => x.getBoundingClientRect().height < 7).length };
  });
  assert.equal(await page.locator(".weights [data-weight]").count(), stacks);
  assert.ok(figures.length > 10 && figures.every((f) => /^\d+$/.test(f)), figures.join());
  assert.equal(small, 0, "figures that nobody can read");
  await page.screenshot({ path: out + "weights.png" });
  for (let n = 0; n < 4; n++) await page.click('.zoom [aria-label="Closer"]');
  await page.waitForSelector(".weights", { state: "detached" });
  assert.deepEqual(p.faults, []);
  await p.context.close();
});
