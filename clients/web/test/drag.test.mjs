// Pieces are dragged to where they could go: an air mission shows at the drop what is possible there, with cost and
// odds, and one tap commits.
import assert from "node:assert/strict";
import { test } from "node:test";
import { create, heard, middle, openIndex, out, PATIENCE, person, press, reached, ready, setting, stage }
  from "./harness.mjs";

const { server, browser } = await stage();

/** dragTo takes the mouse from one place to another in steps, and lets go unless it is to hold. */
async function dragTo(page, [x0, y0], [x1, y1], { hold = false } = {}) {
  await page.mouse.move(x0, y0);
  await page.mouse.down();
  for (const part of [0.1, 0.4, 0.8, 1]) await page.mouse.move(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part);
  if (!hold) await page.mouse.up();
}

/** until gives nothing but plain answers until a command of a kind is offered. */
async function until(p, scenario, verb) {
  const { page } = p;
  await create(p, scenario, { seats: ["blue", "red"] });
  await setting(page, "ask-before-ending", false);
  await openIndex(page);
  while (!(await page.locator(`#index [data-command^="${verb} "]`).count())) {
    const all = await page.$$eval("#index button.do", (list) => list.map((x) => x.dataset.command));
    const version = await heard(page);
    await press(page, all.find((c) => c === "end" || c === "done") ?? all[0]);
    await reached(page, version + 1);
  }
}

/**
 * fanOut clicks the base until its stack is spread. News may come between the look and the click, and the next question
 * folds all stacks.
 */
async function fanOut(page) {
  for (let tries = 0; tries < 5; tries++) {
    await ready(page);
    await page.mouse.click(...(await middle(page, BASE)));
    if (await page.waitForSelector('.fan [data-piece="bl-t1"]', { timeout: 8000 }).catch(() => null)) return;
  }
  assert.fail("the stack is not spread after five clicks");
}

/** pick clicks a piece of the stack that is spread, with the Shift key if it is to join others. */
async function pick(page, id, joins = false) {
  const at = await middle(page, `.fan [data-piece="${id}"]`); // the line above the map may grow with each choice
  if (joins) await page.keyboard.down("Shift");
  await page.mouse.click(...at);
  if (joins) await page.keyboard.up("Shift");
}

/** airborne plays a game of the proving skies on to where Blue flies missions. */
const airborne = (p) => until(p, "ocs/proving-skies", "air-barrage");

const BASE = 'svg.map [data-stack="05.12"]';

test("an air unit is dragged to a target, where each mission shows its odds, and one tap flies it", async () => {
  const p = await person(browser, server.url, { name: "Rosa", width: 1400, height: 900 }), { page } = p;
  await airborne(p);
  await page.click('.zoom [aria-label="Show all"]');
  await fanOut(page);
  const unit = await middle(page, '.fan [data-piece="bl-t1"]');
  const target = await middle(page, 'svg.map [data-stack="17.13"]');
  await dragTo(page, unit, target, { hold: true });
  await page.waitForSelector('.dragging[data-over="17.13"][data-drop="2"]');
  assert.equal(await page.locator(".dragging .ghost li").count(), 2, "what could be done is not said on the way");
  await page.screenshot({ path: out + "drag.png" });
  const version = await heard(page);
  await page.mouse.up();
  await page.waitForSelector(".menu .weighed-list .percent");
  assert.equal(await page.locator(".dragging").count(), 0);
  const missions = page.locator(".menu [data-weighed]");
  assert.deepEqual(await missions.evaluateAll((all) => all.map((x) => x.dataset.weighed)),
    ["air-barrage bl-t1 at=17.13 target=units", "air-barrage bl-t1 at=17.13 target=air-base"]);
  for (let i = 0; i < 2; i++)
    assert.ok((await missions.nth(i).locator(".percent").count()) > 0, "a mission without odds");
  await page.screenshot({ path: out + "drag-missions.png" });
  assert.equal(await heard(page), version, "the drop alone has done something");
  await missions.nth(1).locator("button.do").click();
  await reached(page, version + 1);
  await page.click("#tab-log");
  assert.match(await page.locator(".log").innerText(), /17\.13/);
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("several are dragged together, Escape lets go, and a drop that is not allowed says why", async () => {
  const p = await person(browser, server.url, { name: "Rosa", width: 1400, height: 900 }), { page } = p;
  await airborne(p);
  await page.click('.zoom [aria-label="Show all"]');
  await fanOut(page);
  for (const id of ["bl-t1", "bl-tt1"])
    await pick(page, id, true);
  await page.waitForSelector(".fan", { state: "detached" }); // nobody else can join them
  const target = await middle(page, 'svg.map [data-stack="17.13"]');
  await dragTo(page, await middle(page, BASE), target, { hold: true });
  await page.waitForSelector('.dragging[data-over="17.13"] .ghost b');
  assert.equal(await page.locator(".dragging .ghost b").innerText(), "2");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".dragging", { state: "detached" });
  await page.mouse.up();
  assert.equal(await page.locator(".menu").count(), 0, "what was let go was dropped");
  // An empty hex of the land is no target.
  await fanOut(page);
  await pick(page, "bl-t1");
  await dragTo(page, await middle(page, BASE), [target[0] - 90, target[1] + 60]);
  await page.waitForFunction(() => document.querySelector(".trouble")
    || document.querySelector(".prompt .reason").textContent !== "");
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("a finger moves the map, and drags only what is chosen", async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true,
    locale: "en-GB", reducedMotion: "reduce" });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage(), p = { page, context, name: "Rosa" };
  await page.goto(server.url);
  await create(p, "ocs/first-steps", { seats: ["blue", "red"] });
  await page.click(".settings summary");
  await page.uncheck("#ask-before-ending");
  await page.click(".settings summary");
  while (!(await page.evaluate(() => /Move units/.test(document.querySelector(".prompt").textContent)))) {
    const version = await heard(page);
    await page.locator('.prompt [data-command="end"]').click();
    await reached(page, version + 1);
  }
  await ready(page);
  await page.click('.zoom [aria-label="Show all"]');
  const cdp = await context.newCDPSession(page);
  const finger = (type, at) => cdp.send("Input.dispatchTouchEvent", { type,
    touchPoints: at ? [{ x: at[0], y: at[1] }] : [] });
  const drag = async ([x0, y0], [x1, y1]) => {
    await finger("touchStart", [x0, y0]);
    for (const part of [0.2, 0.6, 1]) await finger("touchMove", [x0 + (x1 - x0) * part, y0 + (y1 - y0) * part]);
    return finger("touchEnd");
  };
  const scrolled = () => page.evaluate(() => document.querySelector(".frame").scrollLeft);
  const selected = () => page.locator("svg.map .is-selected").count();
  // Of the counters that can act and stand alone, the nearest to the middle of the screen.
  const piece = await page.evaluate(() => {
    const far = (x) => {
      const { left, top } = x.getBoundingClientRect();
      return Math.hypot(left - 180, top - 400);
    };
    const all = [...document.querySelectorAll(".stacks .piece:only-child:has(.can-act)")];
    return all.sort((a, b) => far(a) - far(b))[0].dataset.piece;
  });
  const of = `.stacks [data-piece="${piece}"]`;
  let before = await scrolled();
  await page.touchscreen.tap(...(await middle(page, of)));
  await page.waitForSelector("svg.map .is-selected");
  const space = await page.evaluate(() => [...document.querySelectorAll("svg.map [data-target]")].find((x) => {
    const box = x.getBoundingClientRect(), frame = document.querySelector(".frame").getBoundingClientRect();
    return box.left > 40 && box.right < 300 && box.top > frame.top + 40 && box.bottom < frame.bottom - 60;
  }).dataset.target);
  const version = await heard(page);
  // The line above the board has grown: the map is elsewhere.
  await drag(await middle(page, of), await middle(page, `svg.map [data-target="${space}"]`));
  await page.waitForFunction((v) => Number(document.querySelector(".game").dataset.newest) > v
    || document.querySelector(".menu"), version);
  assert.equal(await scrolled(), before, "the map has gone along");
  await ready(page);
  await page.evaluate(() => document.querySelector(".menu p button, .prompt .chosen button")?.click());
  await page.waitForSelector("svg.map .is-selected", { state: "detached" });
  // What is not chosen is a part of the map, which has to be larger than the window for that.
  for (let n = 0; n < 3; n++) await page.click('.zoom [aria-label="Closer"]');
  before = await scrolled();
  const there = await middle(page, of);
  await drag(there, [there[0] + 90, there[1]]);
  assert.notEqual(await scrolled(), before, "the map stays where it was");
  assert.equal(await selected(), 0, "a finger that moves the map has chosen something");
  await context.close();
});
