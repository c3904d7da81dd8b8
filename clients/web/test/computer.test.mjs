// A person who is alone plays against the computer: from the page that sets a game up, and from the game's own page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { create, heard, person, reached, ready, stage } from "./harness.mjs";

const { server, browser } = await stage();

const row = (p, seat) => p.page.locator(`[data-seat-row="${seat}"]`).innerText();

test("a game is set up against the computer, which plays", async () => {
  const rosa = await person(browser, server.url, { name: "Rosa" });
  await rosa.page.click('[data-scenario="toy/ridge"]');
  await rosa.page.waitForSelector("#create");
  await rosa.page.fill("#holder", "Rosa");
  // A seat that one plays oneself is no computer's.
  assert.equal(await rosa.page.locator("select[name=computer-red]").count(), 1);
  await rosa.page.check('input[name=seat][value="red"]');
  assert.equal(await rosa.page.locator("select[name=computer-red]").count(), 0);
  await rosa.page.selectOption("select[name=computer-blue]", "computers/greedy");
  await rosa.page.click("#create");
  await ready(rosa.page);
  await rosa.page.click("#tab-table");
  await rosa.page.waitForSelector('[data-computer="blue"]');
  assert.match(await row(rosa, "blue"), /Greedy\s+computer/);
  // The records: the game, two seats, and the computer's plan, which nobody asked it for here.
  await reached(rosa.page, 4);
  assert.ok((await heard(rosa.page)) >= 4);
  // The lobby says what it is.
  await rosa.page.goto(server.url);
  await rosa.page.waitForSelector("[data-game]");
  assert.match(await rosa.page.locator(".games").first().innerText(), /computer: /);
  assert.deepEqual(rosa.faults, []);
  await rosa.context.close();
});

test("one click in the lobby begins a game against the computer, which has every other seat", async () => {
  const { page, faults, context } = await person(browser, server.url);
  await page.waitForSelector(".now .card");
  await page.selectOption("#now-level", { label: "strong" });
  await page.fill("#now-holder", "Rosa");
  const six = '[data-ruleset="rulesets/anniversary"][data-now="germany+japan+italy"]';
  assert.match(await page.locator(six).innerText(), /Play Germany, Japan,? and Italy/);
  // A computer that is taken meanwhile says so, and leaves no game behind.
  const mine = '[data-ruleset="rulesets/toy"][data-now="red"]'; // its best computer is an easy one
  await page.route("**/SeatComputer", (route) => route.fulfill({ status: 429, contentType: "application/json",
    body: JSON.stringify({ code: "resource_exhausted", message: "Greedy plays 32 seats already" }) }));
  await page.click(mine);
  await page.waitForSelector(".now .fault");
  assert.equal(await page.locator(".now .fault").innerText(), "Greedy plays 32 seats already");
  await page.waitForFunction((b) => !document.querySelector(b).disabled, mine);
  assert.equal(await page.locator("#mine li").count(), 0);
  await page.unroute("**/SeatComputer");
  await page.click(mine);
  await ready(page);
  await page.click("#tab-table");
  await page.waitForSelector('[data-computer="blue"]');
  assert.match(await row({ page }, "red"), /Rosa/);
  assert.match(await row({ page }, "blue"), /Greedy\s+computer/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a seat is given to a computer and taken back on the game's page", async () => {
  const rosa = await person(browser, server.url, { name: "Rosa" }),
    eve = await person(browser, server.url, { name: "Eve" });
  const url = await create(rosa, "toy/ridge", { seats: ["red"] });
  await eve.page.goto(url);
  await ready(eve.page);
  for (const p of [rosa, eve]) await p.page.click("#tab-table");
  await rosa.page.waitForSelector('[data-computers="blue"]');
  assert.equal(await eve.page.locator('[data-give="blue"]').count(), 0, "a stranger gives no seat away");
  await rosa.page.selectOption('[data-computers="blue"]', "computers/random");
  await rosa.page.click('[data-give="blue"]');
  for (const p of [rosa, eve]) {
    await p.page.waitForSelector('[data-computer="blue"]');
    assert.match(await row(p, "blue"), /Random\s+computer/);
  }
  assert.equal(await eve.page.locator("#back-blue").count(), 0, "a stranger takes no seat back");
  await rosa.page.click("#back-blue");
  await rosa.page.click("#back-blue-yes");
  for (const p of [rosa, eve]) await p.page.waitForFunction(() => !document.querySelector('[data-computer="blue"]'));
  await rosa.page.waitForSelector('[data-give="blue"]');
  for (const p of [rosa, eve]) {
    assert.deepEqual(p.faults, []);
    await p.context.close();
  }
});
