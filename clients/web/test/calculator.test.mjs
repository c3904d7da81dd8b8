// The calculator of battles: opened from a space, filled in from the position, changed by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { create, middle, person, stage } from "./harness.mjs";

const { server, browser } = await stage();

async function rightClick(page, space) {
  const of = `.stacks [data-stack="${space}"]`;
  await page.locator(of).first().scrollIntoViewIfNeeded();
  await page.mouse.click(...(await middle(page, of)), { button: "right" });
}

test("a space opens the calculator, and what is entered is weighed", async () => {
  const p = await person(browser, server.url, { name: "Rosa", width: 1280, height: 800 }), { page } = p;
  await create(p, "anniversary/1941", { seats: ["germany", "soviet-union"] });
  await rightClick(page, "east-poland");
  await page.click('.peek [data-calculate="east-poland"]');
  const box = page.locator("dialog.calculator"), number = (side, id) =>
    box.locator(`[data-side=${side}] [data-number="${id}"]`);
  await box.locator(".bars").first().waitFor();
  assert.equal(await number("attacker", "infantry").inputValue(), "7");
  assert.equal(await number("defender", "infantry").inputValue(), "2");
  // Nothing against two infantry, and then one against one: 1 in 4.
  await box.locator('[data-side=attacker] .fill button').last().click();
  await page.waitForFunction(() => document.querySelector('[data-side=attacker] [data-number=infantry]').value === "0");
  const set = async (side, n) => {
    await number(side, "infantry").fill(String(n));
    await number(side, "infantry").press("Tab");
    await page.waitForSelector('dialog.calculator[aria-busy="false"]');
  };
  await set("attacker", 1);
  await set("defender", 1);
  await page.waitForFunction(() => document.querySelector(".calculator .percent")?.textContent === "25.0 %"
    || [...document.querySelectorAll(".calculator .percent")].some((x) => x.textContent === "25.0 %"));
  const told = await box.locator(".bars").first().innerText();
  for (const chance of ["25.0 %", "12.5 %", "62.5 %"]) assert.ok(told.includes(chance), told);
  // The order of losses is that of the rows.
  const rows = () => box.locator("[data-side=attacker] th").allInnerTexts();
  assert.equal((await rows())[0], "infantry");
  await box.locator("[data-side=attacker] .turn button").first().click();
  await page.waitForFunction(() => document.querySelector("[data-side=attacker] th").textContent === "artillery");
  await page.click("#calculator-reset");
  await page.waitForFunction(() =>
    document.querySelector('[data-side=attacker] [data-number=infantry]')?.value === "7");
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "detached" });
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("rules without a calculator offer none", async () => {
  const p = await person(browser, server.url, { name: "Rosa" });
  await create(p, "toy/ridge", { seats: ["red", "blue"] });
  await rightClick(p.page, await p.page.locator(".stacks [data-stack]").first().getAttribute("data-stack"));
  await p.page.waitForSelector(".peek.pinned");
  assert.equal(await p.page.locator("[data-calculate]").count(), 0);
  await p.context.close();
});
