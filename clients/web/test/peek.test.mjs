// What the board tells who asks: the stack under the mouse, what can be done there, layers, the legend, and what others
// have done meanwhile.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clickOn, create, heard, join_, middle, openIndex, out, PATIENCE, person, press, reached, ready, setting,
  stage } from "./harness.mjs";

const { server, browser } = await stage();
const BOTH = { seats: ["blue", "red"] };

/** middleOf brings what a selector finds into view, and is its middle in the window. */
async function middleOf(page, selector) {
  await page.locator(selector).first().scrollIntoViewIfNeeded();
  return middle(page, selector);
}

/** ownStack is a stack in the middle of the window of which several pieces can act, with their names. */
async function ownStack(page) {
  return page.evaluate(() => {
    const frame = document.querySelector(".frame").getBoundingClientRect();
    for (const s of document.querySelectorAll(".stacks [data-stack]")) {
      const b = s.getBoundingClientRect(), names = [...s.querySelectorAll(".piece title")].map((x) => x.textContent);
      if (b.x > frame.x + 60 && b.right < frame.right - 60 && b.y > frame.y + 60 && b.bottom < frame.bottom - 60
        && s.querySelectorAll(".can-act").length > 1) return { space: s.dataset.stack, names,
        pieces: [...s.querySelectorAll(".piece")].map((x) => x.dataset.piece) };
    }
    return null;
  });
}

test("a mouse that rests is shown the whole stack, and the right button and a key what can be done there", async () => {
  const p = await person(browser, server.url, { name: "Rosa", width: 1440, height: 900 }), { page } = p;
  await create(p, "ocs/crimea-trappenjagd", BOTH);
  const stack = await ownStack(page), at = await middleOf(page, `.stacks [data-stack="${stack.space}"]`);
  await page.mouse.move(...at);
  await page.waitForSelector(`.peek[data-peek="${stack.space}"]`);
  const told = await page.locator(".peek").innerText();
  for (const name of stack.names) assert.ok(told.includes(name.split(" (")[0]), `${name} is not told of in ${told}`);
  assert.match(told, /steps/);
  assert.equal(await page.locator(".peek button.do").count(), 0, "a card that goes with the mouse has buttons");
  await page.screenshot({ path: out + "peek.png" });
  await page.mouse.move(at[0] + 40, at[1] + 90);
  await page.waitForSelector(`.peek[data-peek="${stack.space}"]`, { state: "detached" });
  // Asked with the right button it stays, with all that these pieces can do.
  await page.mouse.click(...at, { button: "right" });
  await page.waitForSelector(".peek.pinned");
  await page.screenshot({ path: out + "peek-pinned.png" });
  const offered = await page.$$eval(".peek button.do", (all) => all.map((b) => b.dataset.command));
  await page.keyboard.press("Escape");
  await page.waitForSelector(".peek", { state: "detached" });
  await openIndex(page);
  while (await page.locator(".index > .kind button.more").count())
    await page.locator(".index > .kind button.more").first().click();
  const all = await page.$$eval(".index > .kind button.do", (list) => list.map((b) => b.dataset.command));
  const theirs = all.filter((c) => stack.pieces.some((id) => c.split(" ").includes(id)));
  assert.ok(theirs.length > 0);
  for (const c of theirs) assert.ok(offered.includes(c), `${c} is not offered where it can be done`);
  // One layer shows how far a stack reaches, whoever owns it; another shows who could attack a space.
  await page.focus(".frame");
  await page.keyboard.press("r");
  assert.equal(await page.locator(".range").count(), 0, "nothing is chosen, and something reaches");
  const foe = await page.evaluate(() => {
    const frame = document.querySelector(".frame").getBoundingClientRect();
    for (const s of document.querySelectorAll(".stacks [data-stack]")) {
      const b = s.getBoundingClientRect();
      if (b.x > frame.x + 60 && b.right < frame.right - 60 && b.y > frame.y + 60 && b.bottom < frame.bottom - 60
        && !s.querySelector(".can-act") && s.querySelector(".piece")) return s.dataset.stack;
    }
    return "";
  });
  await clickOn(page, `.stacks [data-stack="${foe}"] .piece`);
  await page.waitForSelector(".range");
  await page.screenshot({ path: out + "ranges.png" });
  const noted = await page.locator(".ranges-note li").allInnerTexts();
  assert.ok(noted.some((line) => /^(Where|What) .* [1-9]\d*$/.test(line.trim())), noted.join("; "));
  await page.focus(".frame");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".range", { state: "detached" });
  await page.keyboard.press("r");
  await page.keyboard.press("t");
  await page.waitForSelector(".ranges-note li");
  assert.match(await page.locator(".ranges-note").innerText(), new RegExp(`attack ${foe.replace(".", "\\.")}`));
  await page.keyboard.press("t");
  await page.waitForSelector(".ranges-note", { state: "detached" });
  // The same by keys alone: to the next stack that can act, and ask.
  await page.focus(".frame");
  await page.keyboard.press("n");
  await page.keyboard.press("i");
  await page.waitForSelector(".peek.pinned button.do");
  const version = await heard(page);
  await page.keyboard.press("Tab");
  while (!(await page.evaluate(() => document.activeElement.matches(".peek button.do"))))
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await reached(page, version + 1);
  await page.waitForSelector(".peek", { state: "detached" });
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("a finger that holds asks, and chooses nothing", async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true,
    locale: "en-GB", reducedMotion: "reduce" });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  await page.goto(server.url);
  await create({ page, context, name: "Rosa" }, "ocs/first-steps", BOTH);
  const at = await middleOf(page, ".stacks [data-stack]:has(.can-act)");
  const cdp = await context.newCDPSession(page);
  const touch = (type, ...points) => cdp.send("Input.dispatchTouchEvent",
    { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await touch("touchStart", at);
  await page.waitForSelector(".peek.pinned");
  await touch("touchEnd");
  assert.equal(await page.locator(".is-selected, .fan").count(), 0, "a finger that asked has chosen");
  const card = await page.locator(".peek").boundingBox();
  assert.ok(card.x >= 0 && card.x + card.width <= 390, JSON.stringify(card));
  await page.screenshot({ path: out + "peek-phone.png" });
  await page.locator(".peek .here > button").tap();
  await page.waitForSelector(".peek", { state: "detached" });
  await context.close();
});

test("layers are switched on and off and remembered, and the legend says what is on the map", async () => {
  const p = await person(browser, server.url, { name: "Rosa", width: 1440, height: 900 }), { page } = p;
  await create(p, "ocs/crimea-trappenjagd", BOTH);
  const seen = (selector) => page.locator(selector).first().evaluate((x) => x.getBoundingClientRect().width > 0);
  assert.equal(await page.locator(".zone").count(), 0);
  await page.click("#map-key");
  for (const side of ["red", "blue"]) await page.check(`[data-layer="mark zoc-${side}"]`);
  assert.equal(await page.locator("svg.map .zone").count(), 2);
  assert.ok((await page.locator('.zone[data-zone="zoc-red"]').getAttribute("d")).length > 200);
  assert.ok(await seen(".stacks .piece"));
  await page.uncheck('[data-layer="counters"]');
  assert.ok(!(await seen(".stacks .piece")), "counters stay");
  assert.ok(await seen("#map-print .ids text"));
  await page.uncheck('[data-layer="ids"]');
  assert.ok(!(await seen("#map-print .ids text")), "numbers stay");
  const terrains = await page.$$eval("#map-key-card [data-terrain]", (all) => all.map((x) => x.innerText.trim()));
  for (const word of ["Open", "Hills", "Marsh"]) assert.ok(terrains.includes(word), `${word}: ${terrains}`);
  await page.screenshot({ path: out + "map-key.png" });
  await page.reload();
  await ready(page);
  assert.equal(await page.locator("svg.map .zone").count(), 2, "the layers are forgotten");
  assert.ok(!(await seen(".stacks .piece")));
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("numbers of hexes can be read wherever they are shown", async () => {
  const p = await person(browser, server.url, { name: "Rosa", width: 1440, height: 900 }), { page } = p;
  await create(p, "downfall/olympic", { seats: ["us", "japan"] });
  let shown = 0;
  await page.click('.zoom [aria-label="Show all"]');
  for (let n = 0; n < 5; n++, await page.click('.zoom [aria-label="Closer"]')) {
    const size = await page.locator("#map-print .ids").evaluate((x) => x.checkVisibility()
      ? Number(x.getAttribute("font-size")) * x.ownerSVGElement.getScreenCTM().a : 0);
    assert.ok(size === 0 || size >= 7, `numbers of ${size} pixels`);
    if (size) shown++;
  }
  assert.ok(shown >= 3, `numbers are shown at ${shown} of 5 zooms`);
  await p.context.close();
});

test("who comes back to the table sees what others have done, and hears it only if asked", async () => {
  const red = await person(browser, server.url, { name: "Rosa" }), blue = await person(browser, server.url,
    { name: "Blaise" });
  for (const p of [red, blue]) await p.context.addInitScript(() => {
    window.heard = 0;
    for (const kind of [AudioBufferSourceNode, AudioScheduledSourceNode]) {
      const { start } = kind.prototype;
      kind.prototype.start = function (...at) {
        window.heard++;
        return start.apply(this, at);
      };
    }
  });
  for (const p of [red, blue]) await p.page.reload();
  const url = await create(red, "toy/ford", { seats: ["red"] });
  await join_(blue, url, "blue");
  await setting(blue.page, "sounds"); // and not Red
  const turnOf = async (p) => {
    await p.page.waitForSelector(".question.mine");
    await ready(p.page);
  };
  const other = async ({ page }) => {
    const version = await heard(page);
    await openIndex(page);
    const end = page.locator('.play button.do[data-command="end"], .prompt button.do[data-command="end"]');
    const command = (await end.count()) ? "end"
      : await page.locator(".prompt button.do, .index > .kind button.do").first().getAttribute("data-command");
    await press(page, command);
    await reached(page, version + 1);
  };
  const step = async (p) => {
    const { page } = p, can = page.locator("svg.map [data-piece]:has(.can-act)");
    while (!(await can.count())) await other(p);
    const version = await heard(page);
    await clickOn(page, "svg.map [data-piece]:has(.can-act)");
    await page.waitForSelector(".is-selected");
    await page.locator("svg.map [data-target]").first().click({ force: true });
    await page.waitForFunction((v) => Number(document.querySelector(".game").dataset.newest) > v
      || document.querySelector(".menu button.do"), version);
    if (await page.locator(".menu button.do").count()) await page.locator(".menu button.do").first().click();
    await reached(page, version + 1);
  };
  for (const p of [red, blue]) { // both record a plan first
    await turnOf(p);
    await other(p);
  }
  const asked = (p) => p.page.waitForSelector(".question.mine").then(() => p);
  const first = await Promise.race([asked(red), asked(blue)]), then = first === red ? blue : red;
  await step(first);
  assert.equal(await first.page.locator(".changes.since").count(), 0, "one's own moves are no news");
  while (await first.page.locator(".question.mine").count()) await other(first);
  await turnOf(then);
  await step(then);
  while (await then.page.locator(".question.mine").count()) await other(then);
  await turnOf(first);
  await first.page.waitForSelector(".changes.since .way");
  assert.match(await first.page.locator(".changes-note").innerText(), /[12] moved/);
  await first.page.screenshot({ path: out + "changes.png" });
  await first.page.click("#changes-play");
  await first.page.waitForSelector(".game.past");
  await first.page.waitForFunction(() => document.querySelector(".changes .way"));
  await first.page.waitForSelector(".game:not(.past)");
  await ready(first.page);
  await first.page.waitForSelector(".changes-note");
  await first.page.click("#changes-hide");
  await first.page.waitForSelector(".changes.since", { state: "detached" });
  assert.equal(await red.page.evaluate(() => window.heard), 0, "sounds that nobody asked for");
  assert.ok((await blue.page.evaluate(() => window.heard)) > 0, "no sound where some were wanted");
  for (const p of [red, blue]) {
    assert.deepEqual(p.faults, []);
    await p.context.close();
  }
});
