// The page for everyone: axe's checks of every part in both languages, a tablet's fingers, colours.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { create, heard, middle, openIndex, out, PATIENCE, person, press, reached, ready, setting, stage }
  from "./harness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const { server, browser } = await stage();

/** faults are what axe finds by WCAG 2.2, levels A and AA, with the places. */
async function faults(page, where) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document,
    { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  const place = (n) => n.target.join(" ") + " " + (n.any[0]?.message ?? "");
  return [...violations.map((v) => `${where}: ${v.id}: ${v.nodes.slice(0, 3).map(place).join("; ")}`),
    ...(await page.evaluate(joined)).map((x) => `${where}: runs together: ${x}`)];
}

/**
 * joined lists where a number or a word follows another without a space, in what is read as one: a button's label and
 * its price read "2511" and "1 CP" as "25111 CP".
 */
function joined() {
  const READ = "button, a, p, li, summary, label, h1, h2, h3, dt, dd, th, td, legend, option, figcaption";
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let before = null;
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!node.data || node.parentElement.closest("svg")) continue; // what is drawn is not read as a sentence
    const whole = node.parentElement.closest(READ);
    // Text of one element is one sentence, however it is put together.
    if (before && whole && whole === before.parentElement.closest(READ) && before.parentElement !== node.parentElement
      && /[\p{L}\p{N}]$/u.test(before.data) && /^[\p{L}\p{N}]/u.test(node.data)
      && !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(before.data))
      found.push(`${before.data.slice(-20)}|${node.data.slice(0, 20)}`);
    before = node;
  }
  return [...new Set(found)];
}

for (const lang of ["en", "ja"]) {
  test(`nothing of the page keeps anyone out (${lang})`, async () => {
    const p = await person(browser, server.url, { name: "Rosa", lang });
    const { page } = p, found = [];
    await page.waitForSelector("[data-scenario]");
    found.push(...(await faults(page, "lobby")));
    await page.click('[data-scenario="toy/ridge"]');
    await page.waitForSelector("#create");
    found.push(...(await faults(page, "create")));
    await page.goto(server.url + "#/own/toy");
    await page.waitForSelector("#own-file");
    found.push(...(await faults(page, "own")));
    await page.goto(server.url + "#/");
    await create(p, "toy/ridge", { seats: ["red", "blue"] });
    for (const tab of ["play", "log", "boxes", "tracks", "talk", "table"]) {
      await page.click("#tab-" + tab);
      if (tab === "talk") {
        await page.fill("#say-text", "hello");
        await page.click("#say-do");
        await page.click("#messages .more");
      }
      found.push(...(await faults(page, tab)));
    }
    await page.click("#tab-play");
    await openIndex(page);
    await page.locator(".action .odds").first().click();
    await page.waitForSelector("#preview-do");
    found.push(...(await faults(page, "preview")));
    await page.keyboard.press("Escape");
    await page.locator("button.rule").first().click();
    await page.waitForSelector("dialog.rule-text b");
    found.push(...(await faults(page, "rule")));
    assert.deepEqual(found, [], "axe finds fault");
    assert.deepEqual(p.faults, []);
    await p.context.close();
  });
}

test("nothing of the three games keeps anyone out", async () => {
  const p = await person(browser, server.url, { name: "Rosa" }), { page } = p, found = [];
  const games = { "downfall/olympic": ["us", "japan"], "ocs/first-steps": ["blue", "red"],
    "anniversary/1942": ["japan"] };
  for (const [scenario, seats] of Object.entries(games)) {
    await page.goto(server.url + "#/");
    await create(p, scenario, { seats });
    await openIndex(page);
    found.push(...(await faults(page, scenario)));
    await page.click(".index > summary");
  }
  const version = await heard(page);
  await press(page, "research 0");
  await reached(page, version + 1);
  found.push(...(await faults(page, "the form of purchases")));
  assert.deepEqual(found, [], "axe finds fault");
  await p.context.close();
});

// How colours look to people who lack one kind of cone (Machado, Oliveira, Fernandes 2009, severity 1), on linear RGB.
const EYES = {
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

function lab([r, g, b]) {
  const f = (x) => (x > 0.008856 ? Math.cbrt(x) : 7.787 * x + 16 / 116);
  const [x, y, z] = [(0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505, 0.2126 * r + 0.7152 * g + 0.0722 * b,
    (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089].map((v) => f(Math.max(v, 0)));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

test("colours for all eyes can be told apart by all eyes", async () => {
  const p = await person(browser, server.url, { name: "Rosa" }), { page } = p;
  await create(p, "anniversary/1942", {});
  await setting(page, "safe-colors");
  const colors = await page.$$eval(".bar .seats i",
    (all) => all.map((i) => getComputedStyle(i).backgroundColor.match(/\d+/g)
    .map((v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))));
  assert.equal(colors.length, 6);
  // The seventh power is no seat: its counters tell it.
  const linear = (hex) => hex.match(/\w\w/g).map((v) => ((v = parseInt(v, 16) / 255) <= 0.04045 ? v / 12.92
    : ((v + 0.055) / 1.055) ** 2.4));
  const fills = await page.$$eval("svg.map .stacks .piece", (all) => [...new Set(all.map((x) =>
    ["rect:nth-of-type(2)", "text"].map((of) => x.querySelector(of).getAttribute("fill")).join(" ")))]);
  for (const fill of fills.map((f) => linear(f.slice(0, 7))))
    if (!colors.some((c) => Math.hypot(...c.map((v, i) => v - fill[i])) < 0.01)) colors.push(fill);
  assert.equal(colors.length, 7, fills.join());
  const light = (c) => 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
  for (const f of fills) {
    const [a, b] = f.split(" ").map((c) => light(linear(c))).sort((x, y) => y - x);
    assert.ok((a + 0.05) / (b + 0.05) >= 4.5, `letters on a counter of ${f} can't be read`);
  }
  await page.screenshot({ path: out + "safe.png" });
  for (const [eye, matrix] of Object.entries(EYES)) {
    const seen = colors.map((c) => lab(matrix.map((row) => row.reduce((sum, k, i) => sum + k * c[i], 0))));
    seen.forEach((a, i) => seen.slice(0, i)
      .forEach((b, j) => assert.ok(Math.hypot(...a.map((v, k) => v - b[k])) > 12,
      `${eye}: seats ${j} and ${i} look alike`)));
  }
  // And colour is never the only sign: counters carry the initials of their side.
  const emblems = await page.$$eval("svg.map .stacks .piece .emblem",
    (all) => new Set(all.map((x) => x.textContent)).size);
  assert.ok(emblems >= 6, `${emblems} emblems`);
  await p.context.close();
});

test("a tablet's fingers move, pinch and tap", async () => {
  const context = await browser.newContext({ viewport: { width: 768, height: 1024 }, hasTouch: true, isMobile: true,
    locale: "en-GB", reducedMotion: "reduce" });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage(), faults = [];
  page.on("pageerror", (e) => faults.push(e.message));
  await page.goto(server.url);
  const p = { page, context, name: "Rosa" };
  await create(p, "ocs/crimea-ishun", { seats: ["blue", "red"] });
  await page.screenshot({ path: out + "tablet.png" });
  // Nothing is wider than the screen, and what is to be tapped is large enough.
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 768);
  const small =
    await page.$$eval(
    ".side button:not(.quiet):not(.rule):not(.version), .prompt button:not(.quiet), .zoom button, .scrubber button",
    (all) => all.filter((b) => b.checkVisibility() && (b.offsetWidth < 40 || b.offsetHeight < 40))
    .map((b) => b.outerHTML.slice(0, 80)));
  assert.deepEqual(small, []);
  const cdp = await context.newCDPSession(page);
  const touch = (type, ...points) => cdp.send("Input.dispatchTouchEvent",
    { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const map = () => page.locator("svg.map")
    .evaluate((m) =>
    ({ width: m.getBoundingClientRect().width, left: m.getBoundingClientRect().left,
    top: m.getBoundingClientRect().top }));
  const box = await page.locator(".frame").boundingBox(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  // Two fingers pull the map apart: what was between them stays there.
  const first = await map();
  await touch("touchStart", [x - 40, y], [x + 40, y]);
  for (let d = 50; d <= 120; d += 10) await touch("touchMove", [x - d, y], [x + d, y]);
  await touch("touchEnd");
  await page.waitForFunction((w) => document.querySelector("svg.map").getBoundingClientRect().width > w * 2,
    first.width);
  const large = await map();
  assert.ok(Math.abs((x - first.left) / first.width - (x - large.left) / large.width) < 0.02,
    "the map slipped away between the fingers");
  // One finger drags it.
  await touch("touchStart", [x, y]);
  for (let d = 10; d <= 100; d += 10) await touch("touchMove", [x + d, y - d / 2]);
  await touch("touchEnd");
  const moved = await map();
  assert.ok(Math.abs(moved.left - large.left - 100) < 12 && Math.abs(moved.top - large.top + 50) < 12,
    JSON.stringify([large, moved]));
  assert.equal(await page.locator(".is-selected").count(), 0, "a drag was taken for a tap");
  // A tap chooses; the chosen unit's mode is set by another.
  await page.tap('[aria-label="Show all"]');
  const own = page.locator(".stacks .piece:has(.can-act)").first();
  await own.scrollIntoViewIfNeeded();
  await page.touchscreen.tap(...(await middle(page, ".stacks .piece:has(.can-act)")));
  await page.waitForSelector(".is-selected, .fan");
  if (await page.locator(".fan").count()) {
    await page.touchscreen.tap(...(await middle(page, ".fan .piece:has(.can-act)")));
  }
  await page.waitForSelector("svg.map .is-selected");
  await openIndex(page);
  const version = await heard(page);
  await page.locator(".index > .kind button.do").first().tap();
  await reached(page, version + 1);
  await ready(page);
  assert.deepEqual(faults, []);
  await context.close();
});
