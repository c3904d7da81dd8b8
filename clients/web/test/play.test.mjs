// Two browsers play a whole short game against each other with clicks alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clickOn, create, heard, join_, openIndex, out, person, press, reached, ready, stage } from "./harness.mjs";

const { server, browser } = await stage();

/** What the dice of the game show, over and over. */
const DICE = [5, 2, 6, 3, 1, 4];
let thrown = 0;

/** act makes one action of whoever's turn it is on a page: on the board where it can, else by a button. */
async function act(p, moved) {
  try {
    await actOnce(p, moved);
  } catch (fault) {
    await p.page.screenshot({ path: `${out}stuck-${p.name}.png` });
    throw fault;
  }
}

async function actOnce(p, moved) {
  const { page } = p;
  await ready(page);
  await openIndex(page);
  const before = await heard(page);
  const actors = page.locator("svg.map [data-piece]:has(.can-act)");
  const targets = page.locator("svg.map [data-target]");
  const end = page.locator('button.do[data-command="end"]');
  if (await page.locator(".menu").count()) await page.locator(".menu button.do").first().click();
  else if (moved < 2 && (await targets.count()) === 0 && (await actors.count())) {
    await clickOn(page, "svg.map [data-piece]:has(.can-act)");
    await page.waitForSelector(".is-selected");
    if (await targets.count()) await targets.first().click({ force: true });
    else await page.locator(".actions button.do").first().click();
  } else if (await targets.count()) await targets.first().click({ force: true });
  else if (await end.count()) await press(page, "end");
  else await page.locator(".index .kind button.do").first().click();
  await settle(page, before);
}

// A click leads to a new record, to a die to throw, or to a choice of what was meant.
async function settle(page, before) {
  for (;;) {
    await page.waitForFunction((v) => Number(document.querySelector(".game").dataset.newest) > v
      || document.querySelector("dialog.manual, .menu, .trouble"), before);
    if (await page.locator("dialog.manual").count()) await page.click(`[data-face="${DICE[thrown++ % DICE.length]}"]`);
    else if (await page.locator(".menu").count()) await page.locator(".menu button.do").first().click();
    else break;
    await page.waitForFunction(() => document.querySelector(".game").dataset.busy === "false");
  }
  assert.equal(await page.locator(".trouble").count(), 0,
    "an action that was offered was refused: " + (await page.locator(".trouble").allInnerTexts()));
}

test("two browsers play a whole game by clicks", async () => {
  const red = await person(browser, server.url, { name: "Rosa" }),
    blue = await person(browser, server.url, { name: "Blaise" });
  const url = await create(red, "toy/ford", { seats: ["red"], manual: true });
  await join_(blue, url, "blue");
  await reached(red.page, await heard(blue.page));
  const players = { red, blue };
  let moved = 0, turn = "";
  for (let i = 0; i < 120; i++) {
    if (await red.page.locator(".over").count()) break;
    const waits = await red.page.$$eval(".bar .waits", (all) => all.map((x) => x.dataset.seat));
    const seat = waits[0];
    assert.ok(seat, "nobody is waited for and the game is not over");
    if (seat !== turn) [turn, moved] = [seat, 0];
    const me = players[seat], other = players[seat === "red" ? "blue" : "red"];
    await act(me, moved++);
    const version = await heard(me.page);
    await reached(other.page, version);
    await reached(me.page, version);
  }
  for (const p of [red, blue]) {
    await p.page.waitForSelector(".over");
    assert.deepEqual(p.faults, []);
  }
  assert.equal(await red.page.locator(".over").innerText(), await blue.page.locator(".over").innerText());
  await red.page.click("#tab-log");
  assert.ok((await red.page.locator(".log li").count()) > 10);
  await red.page.screenshot({ path: out + "over.png" });
  await Promise.all([red.context.close(), blue.context.close()]);
});
