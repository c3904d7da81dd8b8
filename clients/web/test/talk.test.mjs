// Talk beside the board: two players at the table, notes, pins on the map, an unread count, and what is not shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { create, join_, out, person, ready, stage } from "./harness.mjs";

const { server, browser } = await stage();

/** say writes a message in the panel, which is open. */
async function say(page, text, to = "") {
  if (to) await page.selectOption("#say-to", { label: to });
  await page.fill("#say-text", text);
  await page.click("#say-do");
  await page.waitForFunction((t) => [...document.querySelectorAll("#messages li")].some((li) =>
    li.textContent.includes(t)), text);
}

const texts = (page) => page.$$eval("#messages li > p", (all) => all.map((x) => x.textContent));

test("players talk at the table and take notes, and each reads what is meant for them", async () => {
  const ann = await person(browser, server.url, { name: "Ann" }), ben = await person(browser, server.url,
    { name: "Ben", lang: "ja" });
  const url = await create(ann, "toy/ridge", { seats: ["red"] });
  await join_(ben, url, "blue");
  await ann.page.click("#tab-talk");
  await ann.page.waitForSelector("#say");
  await say(ann.page, "Shall we pause until Monday?");
  await say(ann.page, "hold the ridge", "note to myself");
  await ben.page.waitForSelector('#tab-talk [data-unread="1"]');
  await ben.page.click("#tab-talk");
  assert.deepEqual(await texts(ben.page), ["Shall we pause until Monday?"]);
  await ben.page.waitForFunction(() => !document.querySelector("[data-unread]"));
  await say(ben.page, "はい");
  await ann.page.waitForFunction(() => document.querySelectorAll("#messages li").length === 3);
  assert.deepEqual(await texts(ann.page), ["Shall we pause until Monday?", "hold the ridge", "はい"]);

  // A pin on the map leads from the message to the space, and from the space to the message.
  await ann.page.click("#pin-record");
  await say(ann.page, "at this record", "to the table");
  assert.match(await ann.page.locator("#messages li").last().textContent(), /record \d+/);
  const space = await ann.page.evaluate(() => document.querySelector("[data-stack]").dataset.stack);
  await ann.page.click("#tab-play");
  await ann.page.locator(`[data-stack="${space}"]`).click();
  await ann.page.click("#talk-here");
  await say(ann.page, "they have no fuel");
  for (const p of [ann, ben]) await p.page.waitForSelector(`[data-pin="${space}"]`, { state: "attached" });
  await ann.page.screenshot({ path: out + "talk.png" });

  // What is deleted is gone for both.
  const line = ann.page.locator("#messages li").filter({ hasText: "they have no fuel" });
  await line.locator(".more").click();
  await line.locator("#message-delete").click();
  await line.locator("#message-delete-yes").click();
  await ben.page.waitForFunction(() => !document.body.textContent.includes("they have no fuel"));
  await ben.page.waitForSelector(`[data-pin="${space}"]`, { state: "detached" });

  // A spectator reads nothing until the owner says so; then the table, and neither notes nor a line to write.
  const guest = await person(browser, url, { name: "Guest" });
  await ready(guest.page);
  await guest.page.click("#tab-talk");
  await guest.page.waitForFunction(() => /does not let spectators/.test(document.querySelector(".talk").textContent));
  await ann.page.check("#spectators-read");
  await guest.page.click(".talk button");
  await guest.page.waitForSelector("#messages li");
  assert.deepEqual(await texts(guest.page), ["Shall we pause until Monday?", "はい", "at this record"]);
  assert.equal(await guest.page.locator("#say").count(), 0);

  // A reload shows the same, and nothing of it is new.
  await ben.page.reload();
  await ready(ben.page);
  await ben.page.click("#tab-talk");
  await ben.page.waitForFunction(() => document.querySelectorAll("#messages li").length === 3);
  assert.equal(await ben.page.locator("[data-unread]").count(), 0);
  for (const p of [ann, ben, guest]) {
    assert.deepEqual(p.faults, []);
    await p.context.close();
  }
});
