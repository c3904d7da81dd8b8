// Makes the pictures of the lobby, public/maps, from the boards of the shipped scenarios as they begin:
// `npm run thumbnails`, then build the page again.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create, launch, person, serve } from "./harness.mjs";

const folder = fileURLToPath(new URL("../public/maps/", import.meta.url));
mkdirSync(folder, { recursive: true });

/** Points of a picture: those of a card of the lobby, for screens with one and a half dots a point. */
const [WIDTH, HEIGHT] = [540, 256];

const server = await serve(), browser = await launch();
const lobby = await person(browser, server.url);
await lobby.page.waitForSelector(".ruleset .card");
const scenarios = await lobby.page.$$eval("[data-scenario]", (all) => all.map((x) => x.dataset.scenario));
const settled = (page) => page.evaluate(() => new Promise((done) => setTimeout(() =>
  requestAnimationFrame(() => requestAnimationFrame(done)), 600)));
for (const scenario of scenarios) {
  const p = await person(browser, server.url, { width: 1500, height: 900 }), { page } = p;
  await create(p, scenario, {});
  await page.click('.zoom [aria-label="Show all"]');
  await page.addStyleTag({ content: ".zoom, .ring, .map-key { display: none !important }" });
  await settled(page);
  const board = (await page.locator(".frame").screenshot()).toString("base64");
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
  await page.setContent(`<body style="margin:0"><img src="data:image/png;base64,${board}"
    style="width:${WIDTH}px;height:${HEIGHT}px;object-fit:cover;display:block">`);
  await page.screenshot({ path: `${folder}${scenario.replace("/", "-")}.jpg`, type: "jpeg", quality: 60 });
  await p.context.close();
}
await browser.close();
await server.stop();
