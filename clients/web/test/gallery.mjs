// Makes the pictures of the documents: `npm run gallery`. Every shipped scenario at three zooms as one strip each
// (docs/pictures/boards), and what README and the pages of the board show.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create, heard, launch, person, reached, serve, sure } from "./harness.mjs";

const folder = fileURLToPath(new URL("../../../docs/pictures/", import.meta.url));
mkdirSync(folder + "boards", { recursive: true });
const only = process.argv.slice(2);

/** All seats of a game, so that something can be chosen. */
const SEATS = { anniversary: ["germany", "japan", "italy", "soviet-union", "united-kingdom", "united-states"],
  downfall: ["us", "japan"], ocs: ["blue", "red"], toy: ["red", "blue"] };

const server = await serve(), browser = await launch();

async function table(scenario, width = 1280, height = 800, theme = "light") {
  const p = await person(browser, server.url, { name: "Rosa", width, height });
  await p.page.emulateMedia({ colorScheme: theme });
  await create(p, scenario, { seats: SEATS[scenario.split("/")[0]] });
  return p;
}

const drawn = (page) => page.evaluate(() => new Promise((done) => setTimeout(() =>
  requestAnimationFrame(() => requestAnimationFrame(done)), 600)));

async function shot(page, name) {
  await page.mouse.move(3, 3);
  await drawn(page);
  await page.screenshot({ path: `${folder}${name}.jpg`, type: "jpeg", quality: 72 });
}

// strip puts the board at three zooms side by side.
async function strip(scenario) {
  const p = await table(scenario, 1100, 780), { page } = p, parts = [];
  for (const [zoom, times] of [["Show all", 1], ["Closer", 3], ["Closer", 2]]) {
    for (let n = 0; n < times; n++) await page.click(`.zoom [aria-label="${zoom}"]`);
    await page.mouse.move(3, 3);
    if (times > 1) await page.evaluate(() => {
      const all = [...document.querySelectorAll(".stacks [data-stack]")];
      dispatchEvent(new CustomEvent("warledger-show", { detail: all[all.length >> 1].dataset.stack }));
    });
    await drawn(page);
    parts.push((await page.locator(".frame").screenshot()).toString("base64"));
  }
  await page.setViewportSize({ width: 1200, height: 340 });
  const style = "margin:0;display:grid;grid-template-columns:repeat(3,1fr);gap:4px;background:#fff";
  await page.setContent(`<body style="${style}">` + parts.map((x) =>
    `<img src="data:image/png;base64,${x}" style="width:100%;display:block">`).join(""));
  await page.locator("body").screenshot({ path: `${folder}boards/${scenario.replace("/", "-")}.jpg`, type: "jpeg",
    quality: 66 });
  await p.context.close();
}

/** What the pages show, by the name of the picture. */
const scenes = {
  async downfall() {
    const { page, context } = await table("downfall/olympic", 1280, 860);
    await page.locator(".boxes .tray-piece").first().click();
    await page.waitForSelector("svg.map [data-target]");
    await shot(page, "downfall");
    await context.close();
  },
  async ocs() {
    const { page, context } = await table("ocs/crimea-trappenjagd", 1280, 860);
    await page.click("#map-key");
    for (const side of ["red", "blue"]) await page.check(`[data-layer="mark zoc-${side}"]`);
    await page.click("#map-key");
    const at = await page.evaluate(() => {
      const f = document.querySelector(".frame").getBoundingClientRect();
      for (const s of document.querySelectorAll(".stacks [data-stack]")) {
        const b = s.getBoundingClientRect();
        if (s.querySelectorAll(".piece").length > 3 && b.x > f.x + 200 && b.right < f.x + f.width * 0.6
          && b.y > f.y + 80 && b.y < f.y + f.height / 2) return [b.x + b.width / 2, b.y + b.height / 2];
      }
      return [0, 0];
    });
    await page.mouse.move(...at);
    await page.waitForSelector(".peek");
    await drawn(page);
    await page.screenshot({ path: `${folder}ocs.jpg`, type: "jpeg", quality: 72 });
    await context.close();
  },
  async anniversary() {
    const { page, context } = await table("anniversary/1941", 1280, 860);
    await page.locator('.prompt button.do[data-command="research 0"]').click();
    await page.waitForSelector(".purchase #buy");
    await shot(page, "anniversary");
    await context.close();
  },
  async "board-dark"() {
    const { page, context } = await table("ocs/first-steps", 1280, 860, "dark");
    await page.click("#map-key");
    await shot(page, "board-dark");
    await context.close();
  },
  async "board-phone"() {
    const { page, context } = await table("downfall/olympic", 390, 844);
    await shot(page, "board-phone");
    await context.close();
  },
  async "play-now"() {
    const { page, context } = await person(browser, server.url, { width: 1280, height: 860 });
    await page.waitForSelector(".now .card");
    await shot(page, "play-now");
    await context.close();
  },
  async "first-game"() {
    const p = await table("toy/ford", 1280, 800), { page } = p;
    const click = async (selector) => {
      const version = await heard(page);
      await page.locator(selector).first().click({ force: true });
      await sure(page);
      await reached(page, version + 1);
    };
    await click('.prompt button.do:has-text("0202")');
    await click('.prompt button.do:has-text("0303")');
    await page.locator('[data-piece="r2"]:has(.can-act)').first().click({ force: true });
    await click('[data-target="0202"]');
    await click('.prompt button.do[data-command="end"]');
    await page.locator('[data-piece="b1"]:has(.can-act)').first().click({ force: true });
    await page.waitForSelector("svg.map [data-target]");
    await shot(page, "first-game");
    await p.context.close();
  },
};

for (const [name, scene] of Object.entries(scenes)) if (!only.length || only.includes(name))
  await scene().catch((fault) => console.error(name, fault.message));
if (!only.length || only.includes("boards")) {
  const { page, context } = await person(browser, server.url, { name: "Rosa" });
  await page.waitForSelector("[data-scenario]");
  const all = await page.$$eval("[data-scenario]", (list) => list.map((x) => x.dataset.scenario));
  await context.close();
  for (const scenario of all) await strip(scenario);
}
await browser.close();
await server.stop();
