// Measures the board on the largest map: time to the first board, and frames while it is dragged with a thousand hexes and four hundred counters.
// Not a test: `npm run measure`, on a quiet machine.
import { loadavg } from "node:os";
import { create, launch, person, serve } from "./harness.mjs";

const COUNTERS = 400, SECONDS = 3;
const scenario = process.argv[2] || "ocs/crimea-campaign";
const server = await serve(), browser = await launch();
const p = await person(browser, server.url, { name: "Rosa", width: 1400, height: 900 });
const url = await create(p, scenario);
for (let i = 0; i < 3; i++) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector("svg.map .stacks");
  const ms = await page.evaluate(() => performance.getEntriesByName("board-drawn")[0].startTime);
  const sent = await page.evaluate(() => performance.getEntriesByType("resource").reduce((n, e) => n + e.transferSize, 0));
  console.log(`first board of ${scenario}, empty cache: ${ms.toFixed(0)} ms, ${(sent / 1024).toFixed(0)} KiB received`);
  await context.close();
}
const { page } = p;
await page.waitForTimeout(2000);
const counts = await page.evaluate((most) => {
  const all = [...document.querySelectorAll(".stacks [data-piece]")], group = document.querySelector(".stacks");
  const box = document.querySelector("svg.map").viewBox.baseVal;
  for (let i = all.length; i < most && all.length; i++) {
    const twin = all[i % all.length].cloneNode(true);
    twin.setAttribute("transform", `translate(${((i * 97) % 97) / 97 * box.width} ${((i * 61) % 89) / 89 * box.height}) scale(.56)`);
    group.append(twin);
  }
  return { counters: document.querySelectorAll(".stacks [data-piece]").length };
}, COUNTERS);
await page.click('[aria-label="Closer"]');
await page.evaluate((ms) => {
  window.frames_ = [];
  const end = performance.now() + ms;
  const tick = (now) => {
    window.frames_.push(now);
    if (now < end) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}, SECONDS * 1000);
await page.mouse.move(700, 450);
await page.mouse.down();
const until = Date.now() + SECONDS * 1000;
for (let i = 0; Date.now() < until; i++) await page.mouse.move(700 + 250 * Math.sin(i / 9), 450 + 180 * Math.cos(i / 7));
await page.mouse.up();
const frames = await page.evaluate(() => window.frames_);
const gaps = frames.slice(1).map((t, i) => t - frames[i]).sort((a, b) => a - b);
console.log(`dragging ${counts.counters} counters: ${(gaps.length / SECONDS).toFixed(0)} frames a second, median ${gaps[gaps.length >> 1].toFixed(1)} ms, worst of 100 ${gaps[Math.floor(gaps.length * 0.99)].toFixed(1)} ms; load ${loadavg()[0].toFixed(1)}`);
await browser.close();
await server.stop();
