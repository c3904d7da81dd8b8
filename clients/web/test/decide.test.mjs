// What keeps a game from being thrown away: offers ask again, ends of segments too, and nothing leaks from one question
// to the next.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clickOn, create, heard, openIndex, person, press, reached, ready, setting, stage } from "./harness.mjs";

const { server, browser } = await stage();

async function alone(scenario, seats) {
  const p = await person(browser, server.url, { name: "Rosa" });
  await create(p, scenario, { seats });
  await ready(p.page);
  await openIndex(p.page);
  return p;
}

async function done(p) {
  assert.deepEqual(p.faults, []);
  await p.context.close();
}

test("conceding and other offers are apart and ask again", async () => {
  const p = await alone("toy/ridge", ["red", "blue"]), { page } = p;
  const before = await heard(page);
  const listed = await page.$$eval(".index > .kind button.do", (all) => all.map((x) => x.dataset.command));
  assert.deepEqual(listed.filter((c) => c === "concede" || c === "draw"), []);
  await page.click(".offers summary");
  await page.click('.offers button.do[data-command="concede"]');
  await page.waitForSelector("dialog.sure[open]");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog.sure[open]", { state: "detached" });
  // Typed, in any spelling, it asks as well.
  await page.click(".typed summary");
  await page.fill("#command", "CONCEDE");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog.sure[open]");
  await page.click("#sure-no");
  assert.equal(await heard(page), before);
  assert.equal(await page.locator(".over").count(), 0);
  await press(page, "concede");
  await page.waitForSelector(".over");
  await done(p);
});

test("ending a turn asks while units could still act, unless the player has turned that off", async () => {
  const p = await alone("toy/ridge", ["red", "blue"]), { page } = p;
  for (let n = 0; n < 2; n++) {
    const version = await heard(page);
    await page.locator(".index .kind button.do").first().click();
    await reached(page, version + 1);
  }
  let version = await heard(page);
  const buttons = await page.$$eval(".prompt button.do", (all) => all.map((x) => x.dataset.command));
  assert.equal(buttons.at(-1), "end", "what gives up the rest is not last");
  await page.click('button.do[data-command="end"]');
  const question = await page.locator("dialog.sure p").innerText();
  const units = await page.$$eval("svg.map .stacks .piece:has(.can-act)",
    (all) => new Set(all.map((x) => x.dataset.piece)).size);
  assert.ok(units > 0 && question.startsWith(`${units} of your units`), `${units}: ${question}`);
  await page.click("#sure-no");
  assert.equal(await heard(page), version);
  await setting(page, "ask-before-ending", false);
  await page.click('button.do[data-command="end"]');
  await reached(page, version + 1);
  await done(p);
});

test("a filter ends with its question, narrows nothing where it can't be seen, and can be cleared", async () => {
  const p = await alone("anniversary/1942",
    ["germany", "japan", "italy", "soviet-union", "united-kingdom", "united-states"]), { page } = p;
  const shown = () => page.locator(".index > .kind button.do").count();
  const version = await heard(page);
  await press(page, "research 0");
  await reached(page, version + 1);
  await openIndex(page); // the form of purchases has folded it
  const all = await shown();
  await page.fill(".narrow input", "no such word");
  await page.waitForFunction(() => !document.querySelector(".index > .kind button.do"));
  await page.click(".narrow button"); // the clear sign
  await page.waitForFunction((n) => document.querySelectorAll(".index > .kind button.do").length === n, all);
  await page.fill(".narrow input", "infantry");
  await press(page, "end"); // another question: combat moves
  await reached(page, version + 2);
  assert.equal(await page.inputValue(".narrow input"), "");
  assert.ok((await shown()) > 6, "the filter outlived its question");
  await done(p);
});

test("what was chosen for one question is not chosen in the next, and Escape lets go from everywhere", async () => {
  const p = await alone("toy/ridge", ["red", "blue"]), { page } = p;
  for (let n = 0; n < 2; n++) {
    const version = await heard(page);
    await page.locator(".index .kind button.do").first().click();
    await reached(page, version + 1);
  }
  await clickOn(page, "svg.map [data-piece]:has(.can-act)");
  await page.waitForSelector(".is-selected");
  await page.focus("#tab-play");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".is-selected", { state: "detached" });
  await clickOn(page, "svg.map [data-piece]:has(.can-act)");
  await page.waitForSelector(".is-selected");
  const version = await heard(page);
  await press(page, "end");
  await reached(page, version + 1);
  assert.equal(await page.locator(".is-selected, .prompt .chosen").count(), 0,
    "a unit of the last player is still chosen");
  assert.ok(await page.evaluate(() => document.activeElement !== document.body), "the focus is lost");
  await done(p);
});

test("a question with one answer is answered by itself if the player wants, but not again after an undo", async () => {
  const p = await alone("ocs/first-steps", ["blue", "red"]), { page } = p;
  await setting(page, "answer-only");
  const choices = () => page.waitForFunction(() => document.querySelectorAll(".index .kind button.do").length > 1);
  const begun = await heard(page);
  for (let n = 1; n <= 2; n++) { // set-up of both sides, which has choices
    await choices();
    await press(page, "end");
    await reached(page, begun + n);
  }
  await page.waitForSelector('.question[data-decision="move"]');
  await choices();
  const passed = (await heard(page)) - begun - 2;
  assert.ok(passed >= 3, `only ${passed} empty segments were passed`);
  const version = await heard(page);
  await page.click("#undo");
  await reached(page, version + 1);
  await page.waitForSelector('.question[data-decision="breakout"]');
  await page.waitForTimeout(500);
  assert.equal(await heard(page), version + 1, "what was taken back was answered again");
  await done(p);
});
