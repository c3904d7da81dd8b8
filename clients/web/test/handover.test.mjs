// A seat that shows something is freed, offered, refused and handed over.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { clickOn, create, heard, join_, person, reached, ready, stage } from "./harness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const { server, browser } = await stage();

/**
 * guarded has Rosa own a game and play red, and free the seat of Blaise, who reads Japanese and has made a secret plan.
 */
async function guarded() {
  const rosa = await person(browser, server.url, { name: "Rosa" });
  const url = await create(rosa, "toy/ridge", { seats: ["red"], manual: true });
  const blaise = await person(browser, url, { name: "Blaise", lang: "ja" }),
    eve = await person(browser, url, { name: "Eve" });
  await join_(blaise, url, "blue");
  await ready(eve.page);
  for (const [p, space] of [[rosa, "0303"], [blaise, "0503"]]) {
    await reached(p.page, await heard(blaise.page));
    const version = await heard(p.page);
    await clickOn(p.page, `[data-target="${space}"]`);
    await p.page.waitForFunction((v) => Number(document.querySelector(".game").dataset.newest) > v, version);
    for (const q of [rosa, blaise, eve]) await reached(q.page, await heard(p.page));
  }
  await rosa.page.click("#tab-table");
  await rosa.page.click("#free-blue");
  await rosa.page.click("#free-blue-yes");
  for (const { page } of [blaise, eve]) await page.click("#tab-table");
  for (const { page } of [rosa, blaise, eve]) await page.waitForSelector('[data-guard="ALL"]');
  await blaise.page.waitForFunction(() => !document.querySelector('[data-seat="blue"].mine'));
  return { rosa, blaise, eve, url, async close() {
    for (const p of [rosa, blaise, eve]) assert.deepEqual(p.faults, []);
    for (const p of [rosa, blaise, eve]) await p.context.close();
  } };
}

async function offer({ page }) {
  await page.click('[data-offer="blue"]');
  await page.click('[data-offer-yes="blue"]');
}

/** sound asks axe about a page. */
async function sound({ page }) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document,
    { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  assert.deepEqual(violations.map((v) => [v.id, v.nodes.map((n) => n.target.join(" "))]), []);
}

const bar = ".undo-bar", agree = '[data-seat-answer="agree"]', refuse = '[data-seat-answer="refuse"]',
  sit = '[data-take="blue"]';
const gone = ({ page }) => page.waitForFunction((s) => !document.querySelector(s), bar);

test("a guarded seat is offered, refused, offered again and handed over", async () => {
  const { rosa, blaise, eve, close } = await guarded();
  const row = (p) => p.page.locator('[data-seat-row="blue"]').innerText();
  assert.match(await row(rosa), /guarded.*\n?.*Guarded since .*20\d\d.*The owner freed it/s);
  assert.match(await row(blaise), /保護中.*主催者が空けた席/s);
  // The owner and a stranger may not sit down; who held the seat may, and nobody but the owner offers it.
  assert.deepEqual(await Promise.all([rosa, eve, blaise].map((p) => p.page.locator(sit).count())), [0, 0, 1]);
  assert.deepEqual(await Promise.all([rosa, eve, blaise].map((p) => p.page.locator('[data-offer="blue"]').count())),
    [1, 0, 0]);
  await rosa.page.click('[data-offer="blue"]');
  assert.match(await row(rosa), /Asked are: the last holder of Blue/);
  await sound(rosa);
  await rosa.page.click('[data-offer-yes="blue"]');
  // Without a reload: each page shows what it may.
  for (const p of [rosa, blaise, eve]) await p.page.waitForSelector(bar);
  assert.match(await rosa.page.locator(bar).innerText(), /may Blue be taken.*Waiting for the last holder of Blue/s);
  assert.deepEqual(await Promise.all([rosa, eve, blaise].map((p) => p.page.locator(agree).count())), [0, 0, 1]);
  assert.match(await blaise.page.locator(bar).innerText(), /主催者の質問/);
  await sound(blaise);
  await blaise.page.click(refuse);
  for (const p of [rosa, blaise, eve]) await gone(p);
  assert.equal(await rosa.page.locator(sit).count(), 0);
  await offer(rosa);
  await blaise.page.reload(); // the token of then is kept
  await blaise.page.click(agree);
  for (const p of [rosa, blaise, eve]) await gone(p);
  await rosa.page.waitForFunction(() => !document.querySelector("[data-guard]"));
  await rosa.page.click(sit);
  await rosa.page.waitForSelector('[data-seat-row="blue"]:has-text("you")');
  await close();
});

test("the last holder comes back, and a seat whose others are gone is told so", async () => {
  const { rosa, blaise, close } = await guarded();
  // An invitation that a link has made up keeps nobody from their seat, and costs them no token.
  const held = () => blaise.page.evaluate(() => Object.values(JSON.parse(localStorage.getItem("warledger.games")))[0]);
  await blaise.page.evaluate(() => {
    const all = JSON.parse(localStorage.getItem("warledger.games"));
    for (const game of Object.values(all)) game.invitations = { blue: "wl_j_" + "a".repeat(52) };
    localStorage.setItem("warledger.games", JSON.stringify(all));
    dispatchEvent(new StorageEvent("storage", { key: "warledger.games" }));
  });
  assert.ok((await held()).former.blue);
  await blaise.page.click(sit);
  await blaise.page.waitForSelector('[data-seat="blue"].mine');
  assert.deepEqual((await held()).invitations ?? {}, {});
  await ready(blaise.page);
  await rosa.page.waitForFunction(() => !document.querySelector("[data-guard]"));
  // Blaise leaves: nobody but the owner is there.
  await blaise.page.click('[data-seat-row="blue"] .leaving button');
  await blaise.page.click('[data-seat-row="blue"] .leaving button');
  for (const { page } of [rosa, blaise]) await page.waitForSelector('[data-guard="OWNER"]');
  assert.match(await rosa.page.locator('[data-seat-row="blue"]').innerText(),
    /those invited may take it only if the others agree/);
  await offer(rosa);
  await rosa.page.waitForSelector('[data-nobody="blue"]');
  assert.equal(await rosa.page.locator(".trouble").count(), 0);
  assert.equal(await blaise.page.locator(sit).count(), 1);
  await close();
});

test("whoever was put out is asked about an undo", async () => {
  const { rosa, blaise, eve, close } = await guarded();
  await rosa.page.click("#undo");
  await rosa.page.waitForSelector('.trouble[data-reason="UNDO_BARRIER"]');
  await rosa.page.locator(".trouble button:not(.quiet)").click();
  for (const p of [rosa, blaise, eve]) await p.page.waitForSelector(bar);
  const yes = '[data-undo="agree"]';
  assert.deepEqual(await Promise.all([rosa, eve, blaise].map((p) => p.page.locator(yes).count())), [0, 0, 1]);
  await blaise.page.click(yes);
  for (const p of [rosa, blaise, eve]) await gone(p);
  await close();
});
