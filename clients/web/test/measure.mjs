// Measures the board on the largest maps: size of the page, time to the first board on a fast and a slow network, and
// frames while the map is dragged and zoomed with four hundred counters. Not a test: `npm run measure [SCENARIO...]`,
// on a quiet machine. Other work changes times and frames a lot, so that the latter are given beside those of an empty
// page; it changes CPU time of the browser's threads little.
import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { brotliCompressSync } from "node:zlib";
import { create, launch, person, ready, serve } from "./harness.mjs";

const COUNTERS = 400, SECONDS = 3, DESK = { width: 1440, height: 900 }, PHONE = { width: 390, height: 844 };
/** Slow 4G as Lighthouse has it: a round trip in milliseconds, and bytes a second. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const scenarios = process.argv.length > 2 ? process.argv.slice(2)
  : ["downfall/olympic", "ocs/crimea-campaign", "anniversary/1941"];
/** The seat that the browser holds, by ruleset. */
const SEATS = { downfall: "us", ocs: "blue", anniversary: "japan" };
const load = () => `load ${loadavg()[0].toFixed(1)}`;

const assets = new URL("../dist/assets/", import.meta.url);
for (const name of readdirSync(assets))
  console.log(`${name}: ${kilo(brotliCompressSync(readFileSync(new URL(name, assets))).length)} as brotli`);

const server = await serve(), browser = await launch();
const idle = await empty();
for (const scenario of scenarios) await measure(scenario);
await browser.close();
await server.stop();

function kilo(bytes) {
  return `${(bytes / 1000).toFixed(0)} kB`;
}

// How many frames a second a page has on which nothing but the pointer moves.
async function empty() {
  const page = await browser.newPage({ viewport: DESK });
  await page.setContent("<p>nothing</p>");
  const { rate } = await frames(page, async (i) => page.mouse.move(...around(i)));
  console.log(`an empty page: ${rate.toFixed(0)} frames a second; ${load()}`);
  await page.context().close();
  return rate;
}

async function measure(scenario) {
  const p = await person(browser, server.url, { name: "Rosa", ...DESK });
  const url = await create(p, scenario, { seats: [SEATS[scenario.split("/")[0]]] });
  const held = await p.context.storageState();
  await p.context.close();
  await firstBoard(scenario, url, held, undefined, 1);
  for (const cpu of [1, 4]) await firstBoard(scenario, url, held, SLOW, cpu);
  await moving(scenario, url, held);
}

// The first board on a phone, with an empty cache and again with what is kept.
async function firstBoard(scenario, url, held, network, cpu) {
  const context = await browser.newContext({ viewport: PHONE, storageState: held });
  await context.addInitScript(() => {
    // The board is there when the frame in which it was drawn has been painted.
    const look = () => requestAnimationFrame(() => (document.querySelector("svg.map .stacks")
      ? setTimeout(() => performance.mark("board-painted")) : look()));
    look();
  });
  for (const cache of ["empty", "warm"]) {
    const page = await context.newPage(), cdp = await context.newCDPSession(page);
    if (network) await cdp.send("Network.enable").then(() => cdp.send("Network.emulateNetworkConditions", network));
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: cpu });
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(url, { waitUntil: "commit" });
    await page.waitForFunction(() => performance.getEntriesByName("board-painted").length, undefined,
      { timeout: 60_000 });
    const { came, painted, bytes } = await page.evaluate(() => {
      const painted = performance.getEntriesByName("board-painted")[0].startTime;
      const needed = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
        .filter((e) => /\/#|index|GetGame|GetBoard|ListLegalActions/.test(e.name) && e.responseEnd < painted);
      return { painted, came: Math.max(...needed.map((e) => e.responseEnd)),
        bytes: needed.reduce((n, e) => n + e.transferSize, 0) };
    });
    const { metrics } = await cdp.send("Performance.getMetrics");
    const busy = metrics.find((m) => m.name === "TaskDuration").value * 1000;
    console.log(`${scenario}, ${network ? "slow 4G" : "this machine"}, CPU ${cpu}x, ${cache} cache: all that the ` +
      `first board needs (${kilo(bytes)}) came after ${came.toFixed(0)} ms, it was painted after ` +
      `${painted.toFixed(0)} ms, ${busy.toFixed(0)} ms of CPU of the page's thread; ${load()}`);
    await page.close();
  }
  await context.close();
}

// Frames while the map is dragged and zoomed, as it was first shown and three steps closer.
async function moving(scenario, url, held) {
  const context = await browser.newContext({ viewport: DESK, storageState: held }), page = await context.newPage();
  await page.goto(url);
  await ready(page);
  const counters = await page.evaluate(crowd, COUNTERS);
  for (const closer of [0, 3]) {
    for (let i = 0; i < closer; i++) await page.click('[aria-label="Closer"]');
    const dragged = await frames(page, async (i) => {
      if (i === 0) {
        await page.mouse.move(...around(0));
        await page.mouse.down();
      }
      await page.mouse.move(...around(i));
    });
    await page.mouse.up();
    tell(`${scenario}: dragging ${counters} counters, ${closer} steps closer`, dragged);
  }
  tell(`${scenario}: zooming ${counters} counters`,
    await frames(page, async (i) => page.mouse.wheel(0, i % 20 < 10 ? -60 : 60)));
  await context.close();
}

/** around is where the pointer is in its turn around the board. */
function around(i) {
  return [550 + 250 * Math.sin(i / 9), 450 + 180 * Math.cos(i / 7)];
}

// crowd copies counters until there are so many.
function crowd(most) {
  const box = document.querySelector("svg.map").viewBox.baseVal;
  for (const group of document.querySelectorAll(".stacks, .stacks-again")) {
    const all = [...group.querySelectorAll(".piece")];
    for (let i = all.length; i < most && all.length; i++) {
      const twin = all[i % all.length].cloneNode(true),
        scale = /scale\(([\d.]+)\)/.exec(twin.getAttribute("transform"))[1];
      twin.setAttribute("transform",
        `translate(${(((i * 53) % 97) / 97) * box.width} ${(((i * 61) % 89) / 89) * box.height}) scale(${scale})`);
      group.append(twin);
    }
  }
  return document.querySelectorAll(".stacks .piece").length;
}

// frames counts those that are drawn while something is done over and over, and what painting them costs.
async function frames(page, act) {
  const painting = await tracing(page);
  await page.evaluate((ms) => {
    window.frames_ = [];
    const end = performance.now() + ms;
    const tick = (now) => {
      window.frames_.push(now);
      if (now < end) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }, SECONDS * 1000);
  const until = Date.now() + SECONDS * 1000;
  for (let i = 0; Date.now() < until; i++) await act(i);
  const raster = await painting(), drawn = await page.evaluate(() => window.frames_);
  const gaps = drawn.slice(1).map((t, i) => t - drawn[i]).sort((a, b) => a - b);
  return { rate: gaps.length / SECONDS, worst: gaps[Math.floor(gaps.length * 0.99)], ...raster };
}

function tell(what, { rate, worst, tiles, cost }) {
  console.log(`${what}: ${rate.toFixed(0)} frames a second, ${((rate / idle) * 100).toFixed(0)} % of an empty ` +
    `page's, worst of 100 ${worst.toFixed(0)} ms; ${tiles} tiles painted, ${(cost / (tiles || 1)).toFixed(1)} ms of ` +
    `CPU each; ${load()}`);
}

// tracing notes what painting costs until the answer is called, which says it. More events than these would fill the
// browser's memory faster than they can be fetched.
async function tracing(page) {
  const cdp = await page.context().newCDPSession(page), events = [];
  cdp.on("Tracing.dataCollected", ({ value }) => events.push(...value.filter((e) => e.name === "RasterTask")));
  await cdp.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["cc"] } });
  return async () => {
    const all = new Promise((done) => cdp.once("Tracing.tracingComplete", done));
    await cdp.send("Tracing.end");
    await all;
    await cdp.detach();
    const raster = events.filter((e) => e.ph === "X");
    return { tiles: raster.length, cost: raster.reduce((n, e) => n + e.tdur, 0) / 1000 };
  };
}
