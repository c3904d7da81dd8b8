// Decisions that were lists once: parts one click each, a hex and then a row of turns, a payment where it is wanted,
// odds before any dice, standing orders when one sits down, and all of it by keys.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Driver } from "./driver.mjs";
import { clickOn, create, heard, lowHead, openIndex, out, person, press, reached, ready, stage,
  sure } from "./harness.mjs";

const { server, browser } = await stage();

async function alone(scenario, seats, more = {}) {
  const p = await person(browser, server.url, { name: "Rosa", width: 1440, height: 900, ...more });
  await create(p, scenario, { seats });
  return p;
}

async function done(p) {
  assert.deepEqual(p.faults, []);
  await p.context.close();
}

/** decision is the question that is open. */
const decision = (page) => page.locator(".question").first().getAttribute("data-decision");

/** answered does something and waits for its record. */
async function answered(page, act) {
  const version = await heard(page);
  await act();
  await reached(page, version + 1);
}

test("Downfall: a hex and then a row of turns; naval markers one a click, with their zones outlined", async () => {
  const p = await alone("downfall/olympic", ["us", "japan"]), { page } = p, driver = new Driver(p);
  await openIndex(page);
  while ((await decision(page)) !== "plan") {
    await answered(page, async () => {
      await page.locator(".index > .kind button.do").first().click();
      await sure(page);
    });
  }
  const beaches = await page.$$eval("svg.map [data-target]", (all) => all.map((x) => x.dataset.target));
  assert.ok(beaches.length > 10, `${beaches.length} beaches`);
  await driver.clickIn(`svg.map [data-target="${beaches[3]}"]`);
  await page.waitForSelector(".menu-row");
  const turns = await page.$$eval(".menu-row button", (all) => all.map((x) => Number(x.textContent)));
  assert.deepEqual(turns, [...Array(27).keys()].map((n) => n + 4), "the turns, and nothing else");
  const about = await page.locator(".menu-row p").innerText();
  assert.ok(about.includes(beaches[3]), `the row does not say what it is about: ${about}`);
  const [menu, hex] = await page.evaluate((id) => [".menu", `svg.map [data-target="${id}"]`]
    .map((s) => document.querySelector(s).getBoundingClientRect().toJSON()), beaches[3]);
  assert.ok(menu.bottom <= hex.top || menu.top >= hex.bottom, "the menu covers the hex");
  // The plan is what the fleet's die is thrown after: what it may come to is shown first.
  await page.locator(".menu-row button", { hasText: "12" }).click();
  await page.waitForSelector(".odds-card .bars");
  await answered(page, () => page.click(".odds-card button.do"));
  await page.waitForSelector(".zones");
  assert.equal(await decision(page), "zones");
  const zones = await page.$$eval("svg.map .zones [data-zone]", (all) => all.map((x) => x.dataset.zone));
  assert.equal(zones.length, 4);
  const names = await page.$$eval("svg.map .zones text", (all) => all.map((x) => x.textContent));
  assert.ok(names.includes("Limousine"), names.join());
  const size = Number(/\d+$/.exec((await page.locator("#parts-done").isDisabled())
    && (await page.locator(".parts [role=status]").innerText()).replace(/ placed.*/, ""))[0]);
  for (let n = 0; n < size; n++) await driver.clickIn(`svg.map [data-zone="${zones[n % 2]}"] path`);
  assert.match(await page.locator(".parts [role=status]").innerText(), new RegExp(`^${size} of ${size} placed: `));
  await page.click("#parts-back");
  assert.ok(await page.locator("#parts-done").isDisabled(), "done with a marker too few");
  await page.click(`[data-part="${zones[2]}"]`); // by a button, for whoever does not point
  await page.screenshot({ path: out + "zones.png" });
  await lowHead(page, "Downfall, markers that are placed one by one");
  await answered(page, async () => {
    await page.click("#parts-done");
    await sure(page);
  });
  await page.click("#tab-log");
  await page.waitForFunction(() => /Limousine/.test(document.querySelector(".log").textContent)
    && /Roadstar/.test(document.querySelector(".log").textContent));
  await done(p);
});

test("a move for want of fuel is refused with the payment beside the reason, which pays and moves", async () => {
  const p = await alone("ocs/first-steps", ["blue", "red"]), { page } = p, driver = new Driver(p);
  while ((await decision(page)) !== "move") await answered(page, () => press(page, "end"));
  await driver.clickIn('.stacks .piece[data-piece="bl-36-asg"]');
  await page.waitForSelector(".prompt .chosen");
  // The buttons do not say again who is chosen. What the row has no room for unfolds.
  if (await page.locator("#rest").count()) await page.click("#rest");
  const buttons = await page.$$eval(".prompt button.do span:first-child", (all) => all.map((x) => x.textContent));
  assert.ok(buttons.includes("Strat mode") && !buttons.some((x) => x.includes("36 Assault")), buttons.join());
  await lowHead(page, "OCS, a move with a chosen unit");
  const at = await page.locator('.stacks .piece[data-piece="bl-36-asg"]').boundingBox();
  await page.mouse.click(at.x, at.y + at.height * 3); // two hexes below it
  await page.waitForSelector(".trouble [data-remedy]");
  assert.match(await page.locator(".trouble").innerText(),
    /no fuel; it costs 1T[^]*Fuel 36 Assault Gun 1T from 07\.07/);
  const goal = await page.locator("[data-cursor]").getAttribute("data-cursor");
  const version = await heard(page);
  await page.click("[data-remedy]");
  await reached(page, version + 2); // paid, and moved
  assert.equal(await page.locator(`[data-stack="${goal}"] [data-piece="bl-36-asg"]`).count(), 1);
  assert.equal(await page.locator(".trouble").count(), 0);
  await done(p);
});

test("what moves cost stands on the map as quiet numbers, with what they count said once", async () => {
  const p = await alone("ocs/first-steps", ["blue", "red"]), { page } = p, driver = new Driver(p);
  while ((await decision(page)) !== "move") await answered(page, () => press(page, "end"));
  await driver.clickIn('.stacks .piece[data-piece="bl-1-inf"]');
  await page.waitForSelector(".prompt .chosen, .fan");
  if (await page.locator(".fan").count()) await driver.clickIn('.fan .piece[data-piece="bl-1-inf"]');
  await page.waitForSelector(".prompt .chosen");
  assert.match(await page.locator(".prompt .chosen").innerText(), /Numbers on the map: MP\./);
  const all = await page.$$eval(".costs.quiet [data-cost]", (list) => list.map((x) => x.textContent));
  assert.ok(all.length > 40, `${all.length} prices`);
  assert.deepEqual(all.filter((x) => !/^\d?[½¼¾⅓⅔]?$/.test(x)), []);
  assert.equal(await page.locator(".costs.quiet rect").count(), 0, "a ground under each number");
  await done(p);
});

test("fuel and combat supply are paid by clicking the dump, which says what would be left", async () => {
  const p = await alone("ocs/first-steps", ["blue", "red"]), { page } = p, driver = new Driver(p);
  while ((await decision(page)) !== "move") await answered(page, () => press(page, "end"));
  const payers = async () => {
    await page.waitForSelector("[data-payer]");
    return page.$$eval("[data-payer]", (all) => all.map((x) => `${x.dataset.payer} ${x.textContent}`));
  };
  assert.equal(await page.locator("[data-payer]").count(), 0, "nothing is to be paid yet");
  await driver.clickIn('.stacks .piece[data-piece="bl-1-inf"]');
  await page.waitForSelector(".prompt .chosen, .fan");
  if (await page.locator(".fan").count()) await driver.clickIn('.fan .piece[data-piece="bl-1-inf"]');
  await answered(page, () => driver.clickIn('svg.map [data-target="11.07"]'));
  await page.keyboard.press("Escape");
  await driver.clickIn('.stacks .piece[data-piece="bl-36-asg"]');
  assert.deepEqual(await payers(), ["07.07 24T → 23T"]);
  assert.match(await page.locator(".paying").innerText(), /Fuel 36 Assault Gun: click what pays 1T/);
  await answered(page, () => driver.clickIn('[data-payer="07.07"] path'));
  await page.keyboard.press("Escape");
  while ((await decision(page)) !== "combat") {
    const named = async (c) => (await page.locator(`button.do[data-command="${c}"]`).count()) > 0;
    await answered(page, async () => press(page, (await named("end")) ? "end" : "done"));
  }
  await answered(page, () => press(page, "attack bl-1-inf at=12.07"));
  // The attacker alone pays here: nothing has to be chosen first.
  assert.deepEqual(await payers(), ["07.07 23T → 20T"]);
  await page.screenshot({ path: out + "paying.png" });
  await answered(page, async () => {
    await driver.clickIn('[data-payer="07.07"] path');
    await sure(page); // the odds of the attack, before it is paid for
  });
  assert.equal(await page.locator(".trouble").count(), 0);
  await page.waitForSelector("[data-payer]", { state: "detached" });
  await done(p);
});

test("a click in the list or in the line shows the odds of its dice first, on top of all that lies over the board",
  async () => {
    const p = await alone("anniversary/1942", ["japan"]), { page } = p, version = await heard(page);
    await openIndex(page);
    await page.click('.index button.do[data-command="research 1"]');
    await page.waitForSelector(".odds-card .bars");
    assert.equal(await heard(page), version, "the dice have been thrown");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".odds-card", { state: "detached" });
    await page.click('.prompt button.do[data-command="research 1"], .index button.do[data-command="research 1"]');
    await page.waitForSelector(".odds-card .bars");
    await page.click(".odds-card button.do");
    await reached(page, version + 1);
    await done(p);
  });

test("digits press the answers, A goes to them, slash to the list, Escape back to the board", async () => {
  const p = await alone("toy/ridge", ["red", "blue"]), { page } = p, key = (k) => page.keyboard.press(k);
  const focused = (selector) => page.evaluate((s) => !!document.activeElement?.matches(s), selector);
  await openIndex(page);
  for (let n = 0; n < 2; n++) await answered(page, () => page.locator(".index .kind button.do").first().click());
  await page.click(".index > summary");
  await clickOn(page, "svg.map [data-piece]:has(.can-act)");
  await page.waitForSelector(".is-selected");
  await key("a");
  assert.ok(await focused(".prompt button.do"), "A does not lead to the answers");
  await key("Escape");
  await page.waitForSelector(".is-selected", { state: "detached" });
  assert.ok(await focused(".frame"), "Escape does not lead back to the board");
  await key("/");
  await page.waitForFunction(() => document.activeElement?.matches(".index .narrow input, .index button.do"));
  await page.locator(".frame").focus();
  const last = await page.locator(".prompt .answers button.do").count();
  await answered(page, async () => {
    await key(String(last)); // to end the turn, which is last
    await page.waitForSelector("#sure-yes");
    await key("Tab");
    await page.click("#sure-yes");
  });
  await done(p);
});

test("whoever has sat down is offered the usual standing orders, once for each seat", async () => {
  const p = await alone("ocs/first-steps", ["blue", "red"]), { page } = p;
  const asked = () => page.locator(".usual p").innerText();
  assert.match(await asked(), /^Fewer questions for Red\?/);
  await answered(page, () => page.click("#usual-yes"));
  await page.waitForSelector(".usual", { state: "detached" });
  await answered(page, () => press(page, "end"));
  assert.match(await asked(), /^Fewer questions for Blue\?/);
  await page.click("#usual-no");
  await page.waitForSelector(".usual", { state: "detached" });
  await page.reload();
  await ready(page);
  assert.equal(await page.locator(".usual").count(), 0, "asked again");
  const standing = () => page.locator(".standing li").allInnerTexts();
  await page.click(".standing > summary");
  assert.deepEqual(await standing(), [], "Blue has given no orders");
  await page.fill("#standing-space", "05.12");
  await page.keyboard.press("Tab");
  await page.selectOption("#standing-which", "orders order=advance value=2 at=05.12");
  await answered(page, () => page.click("#standing-give"));
  await page.waitForSelector(".standing li");
  assert.match((await standing())[0], /all that fit advance, in .*05\.12.* only/);
  await answered(page, () => page.click("#usual-give"));
  await page.waitForFunction(() => document.querySelectorAll(".standing li").length > 4);
  const orders = (await standing()).length;
  await answered(page, () => page.locator(".standing li button").last().click());
  await page.waitForFunction((n) => document.querySelectorAll(".standing li").length === n, orders - 1);
  await answered(page, () => page.click("#standing-none"));
  await page.waitForFunction(() => !document.querySelector(".standing li"));
  await page.click("#tab-log");
  await page.waitForFunction(() => /Red gives a standing order/.test(document.querySelector(".log").textContent));
  await done(p);
});
