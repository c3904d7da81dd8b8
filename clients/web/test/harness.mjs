// What the browser tests share: a server of their own, browsers, and the clicks of a player.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../../typescript/test/server.mjs";

export { serve };

/** Where screenshots are kept as artefacts. */
export const out = fileURLToPath(new URL("out/", import.meta.url));
mkdirSync(out, { recursive: true });

/**
 * How long anything may take before a test gives it up, in milliseconds. Whole games run for hours beside other work,
 * and one slow answer of hundreds is no fault of theirs.
 */
export const PATIENCE = process.env.WHOLE ? 180_000 : 15_000;

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--font-render-hinting=none"];

/**
 * stage starts a server and a browser for the tests of a file, and stops them after the last. A test that starts the
 * server again puts the new one in the place of the old.
 */
export async function stage() {
  const [server, browser] = await Promise.all([serve(), launch()]);
  const on = { server, browser };
  after(async () => {
    await browser.close();
    await on.server.stop();
  });
  return on;
}

/** launch starts the distribution's Chromium. */
export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: FLAGS });
}

/** person opens a browser of a person's own, with nothing remembered, and notes every complaint of the page. */
export async function person(browser, url, { name = "", lang = "en", width = 1280, height = 800 } = {}) {
  const context = await browser.newContext({ viewport: { width, height },
    locale: { ja: "ja-JP", de: "de-DE" }[lang] ?? "en-GB", reducedMotion: "reduce" });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (e) => faults.push(e.message));
  page.on("console", (m) => m.type() === "error" && !/Failed to load resource|net::ERR/.test(m.text())
    && faults.push(m.text()));
  await page.goto(url);
  return { page, context, faults, name };
}

/** create sets a game up by clicks in the lobby and gives its address. */
export async function create(p, scenario, choices) {
  await p.page.click(`[data-scenario="${scenario}"]`);
  return setUp(p, choices);
}

/** setUp fills in the page on which a game is set up, and gives the game's address. */
export async function setUp(p, { seats = [], manual = false, dice = "", policy = "", options = {} } = {}) {
  const { page } = p;
  await page.waitForSelector("#create");
  await page.fill("#holder", p.name);
  for (const s of seats) await page.check(`input[name=seat][value="${s}"]`);
  if (manual) await page.check('input[name=dice][value="manual"]');
  if (dice) await page.check(`input[name=dice][value="${dice}"]`);
  if (policy) await page.check(`input[name=join][value="${policy}"]`);
  for (const [id, value] of Object.entries(options)) {
    const box = page.locator(`[name="${id}"]`);
    await (typeof value === "boolean" ? box.setChecked(value) : box.selectOption(value));
  }
  await page.click("#create");
  // With manual dice set-up may need some.
  await page.waitForSelector("svg.map, dialog.manual");
  while (await page.locator("dialog.manual").count()) {
    await page.click('[data-face="2"]');
    await page.waitForSelector("svg.map, dialog.manual");
  }
  await ready(page);
  return page.url();
}

/** join follows a link and sits down. */
export async function join_(p, url, seat) {
  await p.page.goto(url);
  await ready(p.page);
  await p.page.click("#tab-table");
  await p.page.fill("#holder", p.name);
  await p.page.click(`[data-take="${seat}"]`);
  await p.page.waitForSelector(`[data-seat="${seat}"].mine`);
  await p.page.click("#tab-play");
}

/** ready waits for a board that is up to date. It checks all in one call, since news may come between two calls. */
export async function ready(page) {
  await page.waitForFunction(() => document.querySelector("svg.map") && document.querySelector('[data-link="live"]')
    && document.querySelector(".game")?.dataset.busy === "false");
}

/** middle is an element's middle in the window, in pixels, once it stands still: lines that come late move the map. */
export async function middle(page, selector) {
  await page.waitForSelector(selector);
  return page.evaluate(async (selector) => {
    let before = "", same = 0;
    for (let frames = 0; frames < 900; frames++) {
      await new Promise((done) => requestAnimationFrame(done));
      const b = document.querySelector(selector)?.getBoundingClientRect();
      const now = b && [b.x, b.y, b.width, b.height].join();
      same = now && now === before ? same + 1 : 0;
      if (same === 3) return [b.x + b.width / 2, b.y + b.height / 2];
      before = now;
    }
    throw new Error(`${selector} does not stand still`);
  }, selector);
}

/** heard is the newest record that a page knows. */
export function heard(page) {
  return page.evaluate(() => Number(document.querySelector(".game").dataset.newest));
}

/** reached waits until a page knows a record and shows it. */
export async function reached(page, version) {
  await page.waitForFunction((v) => Number(document.querySelector(".game").dataset.newest) >= v, version);
  await ready(page);
}

/** openIndex unfolds the list of all that may be done; the browser remembers it. */
export async function openIndex(page) {
  await page.waitForSelector("#index");
  if (!(await page.locator("#index[open]").count())) await page.click("#index > summary");
  await page.waitForSelector("#index[open]");
}

/** setting ticks a setting of the browser, or takes its tick away. */
export async function setting(page, id, on = true) {
  await page.click(".settings summary");
  await page.setChecked("#" + id, on);
  await page.click(".settings summary");
}

/**
 * press does what the button of a command does, in the line above the board or in the index, and says yes where the
 * page shows odds or asks once more.
 */
export async function press(page, command) {
  const named = `button.do[data-command="${command}"]`, line = page.locator(`.prompt ${named}`);
  if (await line.count()) await line.click();
  else {
    if (await page.locator(`#index:not([open]) ${named}`).count()) await openIndex(page);
    await page.locator(`.actions ${named}`).first().click();
  }
  await sure(page);
}

/** sure says yes where the page shows odds first, or asks once more. */
export async function sure(page) {
  await drawn(page);
  const odds = page.locator(".odds-card button.do");
  if (await odds.count()) {
    await odds.click();
    await drawn(page);
  }
  if (await page.locator("#sure-yes").count()) await page.click("#sure-yes");
}

// drawn waits until the server has answered, and the page has drawn the answer.
async function drawn(page) {
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await page.evaluate(frames);
  await page.waitForFunction(() => document.querySelector(".game")?.dataset.busy !== "true"
    || document.querySelector("dialog.manual"));
  await page.evaluate(frames);
}

/** clickSpace clicks the middle of what is drawn for a space or a piece of the map. */
export async function clickOn(page, selector) {
  await page.locator(selector).first().click({ force: true });
}

/** How many points may lie above the board, by the size of the page; of a phone the board keeps two thirds. */
const HEADS = [{ width: 1280, height: 800, most: 160 }, { width: 390, height: 844, most: 190, board: (844 * 2) / 3 }];

/** lowHead holds that what lies above the board leaves it its room, on a laptop and on a phone. */
export async function lowHead(page, when) {
  const was = page.viewportSize();
  for (const { width, height, most, board = 0 } of HEADS) {
    await page.setViewportSize({ width, height });
    // What does not fit is folded away, and the frame of the map follows.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
      requestAnimationFrame(done)))));
    const [head, frame, wide] = await page.evaluate(() => {
      const of = (selector) => document.querySelector(selector).getBoundingClientRect();
      return [of(".frame").top, of(".frame").height, document.documentElement.scrollWidth];
    });
    assert.ok(head <= most && frame >= board - 1 && wide <= width,
      `${when}: ${head} points above a board of ${frame}, ${width} by ${height}, ${wide} wide`);
  }
  await page.setViewportSize(was);
}
