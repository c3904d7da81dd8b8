// The board decides, not the list: a line with a few buttons above it, everything else by piece and hex, with odds
// before dice and reasons where a click leads nowhere.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Driver } from "./driver.mjs";
import { create, heard, out, person, press, reached, ready, setting, stage } from "./harness.mjs";

const { server, browser } = await stage();
const ALL = ["germany", "japan", "italy", "soviet-union", "united-kingdom", "united-states"];

/** at is where the middle of a space is drawn in the window, the board having been moved there. */
function at(page, space) {
  return page.evaluate((id) => {
    const path = document.querySelector(`svg.map [data-target="${id}"]`);
    path.scrollIntoView({ block: "center", inline: "center" });
    const box = path.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }, space);
}

test("a line above the board asks and has the few answers that can't be pointed at; the list is folded", async () => {
  const p = await person(browser, server.url, { name: "Rosa" }), { page } = p;
  await create(p, "ocs/first-steps", { seats: ["blue", "red"] });
  assert.match(await page.locator(".prompt .asked").innerText(), /^Red: ./);
  assert.equal(await page.locator("#index[open]").count(), 0, "the list is open though the board leads to it");
  const buttons = () => page.$$eval(".prompt button.do", (all) => all.map((x) => x.dataset.command));
  assert.deepEqual(await buttons(), ["end"]);
  // What a chosen unit can do where it stands comes beside it, and what gives up the rest stays last.
  const driver = new Driver(p);
  await driver.clickIn(".stacks .piece:has(.can-act)");
  await page.waitForSelector(".prompt .chosen");
  const chosen = await buttons();
  assert.ok(chosen.length > 1 && chosen.length <= 5, String(chosen));
  assert.equal(chosen.at(-1), "end");
  const version = await heard(page);
  await page.locator(".prompt button.do").first().click();
  await reached(page, version + 1);
  await page.keyboard.press("Escape");
  await page.waitForSelector(".prompt .chosen", { state: "detached" });
  await page.click(".prompt .all");
  await page.waitForSelector("#index[open]");
  assert.ok((await page.locator("#index button.do").count()) > 5);
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("a click that leads nowhere says why", async () => {
  const p = await person(browser, server.url, { name: "Rosa" }), { page } = p;
  await create(p, "ocs/first-steps", { seats: ["blue", "red"] });
  const reason = () => page.locator(".prompt .reason").innerText(), version = await heard(page);
  assert.equal(await reason(), "");
  // In the middle of an empty hex, by keys: the cursor is where they say.
  const frame = page.locator(".frame");
  await frame.focus();
  const emptyHex = async () => {
    for (let n = 0; n < 30; n++) {
      await frame.press("ArrowUp");
      if (await page.evaluate(() =>
        !document.querySelector(
        `[data-stack="${document.querySelector("[data-cursor]").dataset.cursor}"]`))) return frame.press("Enter");
    }
    throw new Error("no empty hex");
  };
  await emptyHex();
  await page.waitForFunction(() => document.querySelector(".prompt .reason").textContent);
  const place = await page.locator("[data-cursor]").getAttribute("data-cursor");
  assert.ok((await reason()).includes(place), `${place}: ${await reason()}`);
  // With a unit chosen: what it can do instead.
  await new Driver(p).clickIn(".stacks .piece:has(.can-act)");
  await page.waitForSelector(".prompt .chosen");
  assert.equal(await reason(), "", "the reason outlived its click");
  await frame.focus();
  await emptyHex();
  await page.waitForFunction(() => document.querySelector(".prompt .reason").textContent
    || document.querySelector(".trouble"));
  assert.equal(await heard(page), version);
  assert.ok((await page.locator(".is-selected").count()) > 0, "the unit was let go");
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("odds are shown at the target before a click commits, unless the player has turned that off", async () => {
  const p = await person(browser, server.url, { name: "Rosa" }), { page } = p;
  await create(p, "anniversary/1942", { seats: ALL });
  for (const command of ["research 0", "end"]) {
    const version = await heard(page);
    await press(page, command);
    await reached(page, version + 1);
  }
  const driver = new Driver(p), version = await heard(page),
    fighter = '.stacks .piece[data-piece="manchuria/japan/fighter"]';
  const aimed = async (piece = fighter, space = "suiyuan") => {
    await driver.clickIn(piece);
    await page.waitForSelector(".prompt .chosen");
    await page.mouse.click(...(await at(page, space)));
  };
  await aimed();
  await page.waitForSelector(".odds-card");
  assert.equal(await heard(page), version, "the first click commits");
  assert.match(await page.locator(".odds-card .bars tr").first().innerText(), /\d+ %/);
  const card = await page.locator(".odds-card").boundingBox(), frame = await page.locator(".frame").boundingBox(),
    [x, y] = await at(page, "suiyuan");
  assert.ok(card.x >= frame.x && card.x + card.width <= frame.x + frame.width && card.y >= frame.y - 1,
    JSON.stringify([card, frame]));
  assert.ok(!(x > card.x && x < card.x + card.width && y > card.y && y < card.y + card.height),
    "the card covers its target");
  await page.screenshot({ path: out + "odds.png" });
  await page.keyboard.press("Escape");
  await page.waitForSelector(".odds-card", { state: "detached" });
  await aimed();
  await page.waitForSelector(".odds-card");
  await page.mouse.click(...(await at(page, "suiyuan")));
  await reached(page, version + 1);
  await ready(page);
  assert.equal(await page.locator(".odds-card").count(), 0);
  await setting(page, "odds-first", false);
  await aimed('.stacks .piece[data-piece="formosa/japan/fighter"]', "fukien");
  await reached(page, version + 2);
  assert.deepEqual(p.faults, []);
  await p.context.close();
});
