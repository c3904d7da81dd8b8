// Measures the board on the largest maps: size of the page, time to the first board, and frames while the map is
// dragged and zoomed with four hundred counters. Not a test: `npm run measure [SCENARIO...]`, on a quiet machine.
// What painting costs is CPU time of the browser's threads, which other work on the machine changes little.
import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { gzipSync } from "node:zlib";
import { create, launch, person, serve } from "./harness.mjs";

const COUNTERS = 400, SECONDS = 3, TIMES = 3;
const scenarios = process.argv.length > 2 ? process.argv.slice(2) : ["ocs/crimea-campaign", "anniversary/1941"];
const load = () => `load ${loadavg()[0].toFixed(1)}`;

const assets = new URL("../dist/assets/", import.meta.url);
for (const name of readdirSync(assets))
  console.log(
  `${name}: ${(gzipSync(readFileSync(new URL(name, assets)), { level: 9 }).length / 1000).toFixed(0)} kB compressed`);

const server = await serve(), browser = await launch();
for (const scenario of scenarios) await measure(scenario);
await browser.close();
await server.stop();

async function measure(scenario) {
  const p = await person(browser, server.url, { name: "Rosa", width: 1400, height: 900 }), { page } = p;
  const url = await create(p, scenario);
  for (let i = 0; i < TIMES; i++) {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    const fresh = await context.newPage();
    await fresh.goto(url);
    await fresh.waitForSelector("svg.map .stacks");
    const ms = await fresh.evaluate(() => performance.getEntriesByName("board-drawn")[0].startTime);
    const sent = await fresh.evaluate(() => performance.getEntriesByType("resource")
      .reduce((n, e) => n + e.transferSize, 0));
    console.log(
      `${scenario}: first board with an empty cache after ${ms.toFixed(0)} ms, ` +
        `${(sent / 1024).toFixed(0)} KiB received; ${load()}`);
    await context.close();
  }
  const counters = await page.evaluate(crowd, COUNTERS);
  await page.click('[aria-label="Closer"]');
  await frames(page, `${scenario}: dragging ${counters} counters`, async (i) => {
    if (i === 0) {
      await page.mouse.move(550, 450);
      await page.mouse.down();
    }
    await page.mouse.move(550 + 250 * Math.sin(i / 9), 450 + 180 * Math.cos(i / 7));
  });
  await page.mouse.up();
  await frames(page, `${scenario}: zooming ${counters} counters`,
    async (i) => page.mouse.wheel(0, i % 20 < 10 ? -60 : 60));
  await p.context.close();
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

// frames counts those that are drawn while something is done over and over.
async function frames(page, what, act) {
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
  const spent = await painting();
  const drawn = await page.evaluate(() => window.frames_);
  const gaps = drawn.slice(1).map((t, i) => t - drawn[i]).sort((a, b) => a - b);
  console.log(
    `${what}: ${(gaps.length / SECONDS).toFixed(0)} frames a second, ` +
      `median ${gaps[gaps.length >> 1].toFixed(1)} ms, ` +
      `worst of 100 ${gaps[Math.floor(gaps.length * 0.99)].toFixed(1)} ms; ${spent}; ${load()}`);
}

// tracing notes what painting costs until the answer is called, which says it.
async function tracing(page) {
  const cdp = await page.context().newCDPSession(page), events = [];
  cdp.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await cdp.send("Tracing.start", { transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["cc", "devtools.timeline", "disabled-by-default-devtools.timeline"] } });
  return async () => {
    const all = new Promise((done) => cdp.once("Tracing.tracingComplete", done));
    await cdp.send("Tracing.end");
    await all;
    await cdp.detach();
    const raster = events.filter((e) => e.name === "RasterTask" && e.ph === "X");
    return `${raster.length} tiles painted in ${(raster.reduce((n, e) => n + e.tdur, 0) / 1000).toFixed(0)} ms of CPU`;
  };
}
