// Makes the pictures of the lobby, public/maps, from the maps of the shipped scenarios: `npm run thumbnails`, then
// build the page again.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch, person, serve } from "./harness.mjs";

const folder = fileURLToPath(new URL("../public/maps/", import.meta.url));
mkdirSync(folder, { recursive: true });

const server = await serve(), browser = await launch();
const { page } = await person(browser, server.url, { width: 1280, height: 900 });
await page.waitForSelector("[data-scenario]");
// Without pictures the page draws the maps.
await page.route("**/maps/*.jpg", (route) => route.fulfill({ status: 404 }));
await page.reload();
await page.waitForFunction(() => document.querySelectorAll(".card .thumbnail svg").length
  === document.querySelectorAll(".card").length);
for (const card of await page.locator(".card").all()) {
  const scenario = await card.locator("[data-scenario]").getAttribute("data-scenario");
  await card.scrollIntoViewIfNeeded();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await card.locator(".thumbnail")
    .screenshot({ path: `${folder}${scenario.replace("/", "-")}.jpg`, type: "jpeg", quality: 72 });
}
await browser.close();
await server.stop();
