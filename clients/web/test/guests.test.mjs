// Who may sit, see and own; games and scenarios as files; lines compared; policies of previews.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { clickOn, create, heard, openIndex, out, person, press, reached, ready, serve, stage } from "./harness.mjs";

const { server, browser } = await stage();

/** link makes a link of a kind by clicks on the page of whoever may. */
async function link({ page }, wish) {
  await page.click("#tab-table");
  await page.selectOption("#link-for",
    await page.locator(`#link-for option[data-wish="${wish}"]`).getAttribute("value"));
  await page.click("#make-link");
  await page.waitForSelector("#made-link");
  return page.inputValue("#made-link");
}

/** held is what a browser holds of its only game. */
const held = ({ page }) => page.evaluate(() => Object.values(JSON.parse(localStorage["warledger.games"]))[0]);

/** follows has a page that is open follow a link. */
const follows = ({ page }, url) => page.evaluate((to) => void (location.href = to), url);

/** invites makes an invitation for a seat by the call itself: the page offers none for a seat that is taken. */
async function invites(owner, name, seat) {
  const answer = await fetch(server.url + "warledger.v1.AccessService/CreateToken", { method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${owner}` }, body: JSON.stringify({ name,
      seat, rights: "RIGHTS_JOIN", requestId: randomUUID(), expireTime: new Date(Date.now() + 36e5).toISOString() }) });
  return (await answer.json()).secret;
}

async function done(...people) {
  for (const p of people) assert.deepEqual(p.faults, []);
  for (const p of people) await p.context.close();
}

test("only whoever is invited sits down, and whoever is sent away is a spectator", async () => {
  const rosa = await person(browser, server.url, { name: "Rosa" });
  const url = await create(rosa, "toy/ridge", { seats: ["red"], policy: "INVITED" });
  const invitation = await link(rosa, "JOIN blue");
  const eve = await person(browser, url, { name: "Eve" }),
    blaise = await person(browser, invitation, { name: "Blaise" });
  await ready(eve.page);
  // An invitation for another seat is of no use, and is dropped where that is found out.
  const ofRosa = await held(rosa), game = "games/" + url.split("/").at(-1),
    useless = `${url}/invited/blue/${await invites(ofRosa.owner, game, "red")}`;
  await follows(eve, useless);
  await eve.page.waitForFunction(() => location.hash.endsWith("/join"));
  assert.ok((await held(eve)).invitations.blue);
  await ready(eve.page);
  await eve.page.fill("#holder", "Eve");
  await eve.page.click('[data-take="blue"]');
  await eve.page.waitForSelector('.trouble[data-reason="INVITATION_REQUIRED"]');
  assert.equal((await held(eve)).invitations.blue, undefined, "it would lock the seat");
  // Nor does it take the place of a good one.
  await ready(blaise.page);
  assert.doesNotMatch(blaise.page.url(), /wl_/, "the token stays in the address");
  await follows(blaise, useless);
  await ready(blaise.page);
  assert.match(await blaise.page.locator('[data-seat-row="blue"]').innerText(), /invited/);
  await blaise.page.fill("#holder", "Blaise");
  await blaise.page.click('[data-take="blue"]');
  await blaise.page.waitForSelector('[data-seat="blue"].mine');
  await ready(blaise.page);
  await reached(rosa.page, await heard(blaise.page));
  // Another device that sees what red sees, and can do nothing; its link is taken back.
  const plan = '.stacks [data-piece*="plan"]';
  await rosa.page.click("#tab-play");
  await clickOn(rosa.page, '[data-target="0303"]');
  await rosa.page.waitForSelector(plan);
  const first = await link(rosa, "SEE red"), sight = await person(browser, first, {});
  await sight.page.waitForSelector(plan);
  await ready(sight.page);
  await sight.page.click("#tab-play");
  assert.equal(await sight.page.locator(".actions button.do, .prompt button.do").count(), 0);
  // Another link of the same kind changes nothing while the first is good, and takes its place once it is not.
  const second = await link(rosa, "SEE red"), sees = async () => (await held(sight)).sees.red;
  assert.notEqual(second, first);
  await follows(sight, second);
  await sight.page.waitForSelector(plan);
  await ready(sight.page);
  assert.equal(await sees(), first.split("/").at(-1));
  const revoke = () => rosa.page.locator('.tokens li:has-text("sees") [data-revoke]').first().click();
  await revoke();
  await sight.page.waitForFunction((s) => !document.querySelector(s), plan);
  await follows(sight, second);
  await sight.page.waitForSelector(plan);
  await ready(sight.page);
  assert.equal(await sees(), second.split("/").at(-1));
  await revoke();
  await sight.page.waitForFunction((s) => !document.querySelector(s), plan);
  // Of two links that are opened at once the one stays that opens more, whichever is answered first.
  const narrow = await link(rosa, "ACT red"), less = narrow.split("/").at(-1), more = ofRosa.seats.red;
  let arrived, release;
  const stopped = new Promise((yes) => (arrived = yes)), free = new Promise((yes) => (release = yes));
  await eve.page.route("**/ListLegalActions", async (route) => {
    if (route.request().headers().authorization === `Bearer ${less}`) {
      arrived();
      await free;
    }
    await route.continue();
  });
  await follows(eve, narrow);
  await stopped;
  await follows(eve, `${url}/seat/red/${more}`);
  await ready(eve.page);
  assert.equal((await held(eve)).seats.red, more);
  const answered = eve.page.waitForResponse((r) => r.request().headers().authorization === `Bearer ${less}`);
  release();
  await answered;
  // The owner frees the seat: its holder's page goes on as a spectator's.
  await rosa.page.click("#free-blue");
  await rosa.page.click("#free-blue-yes");
  await rosa.page.waitForSelector('[data-seat-row="blue"] em');
  await blaise.page.waitForFunction(() => !document.querySelector('[data-seat="blue"].mine'));
  await ready(blaise.page);
  // And closes the game.
  await rosa.page.click("#close-game");
  await rosa.page.click("#close-game-yes");
  await rosa.page.click("#tab-play");
  await rosa.page.waitForSelector(".over");
  assert.equal((await held(eve)).seats.red, more);
  await done(rosa, eve, blaise, sight);
});

test("a game leaves as a file and comes back on another server", async () => {
  const rosa = await person(browser, server.url, { name: "Rosa" });
  await create(rosa, "toy/ridge", { seats: ["red", "blue"] });
  const { page } = rosa;
  await page.click(".offers summary");
  await press(page, "concede");
  await page.waitForSelector(".over");
  await ready(page);
  await page.click("#tab-table");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  assert.match(file.suggestedFilename(), /\.wlg$/);
  const hash = await page.locator(".facts code").last().innerText();
  const path = await file.path();
  const other = await serve();
  const blaise = await person(browser, other.url, { name: "Blaise" });
  await blaise.page.setInputFiles("#import", path);
  await ready(blaise.page);
  await blaise.page.click("#tab-table");
  assert.equal(await blaise.page.locator(".facts code").last().innerText(), hash);
  // What is no such file is refused in words.
  const broken = join(server.dir, "broken.wlg");
  writeFileSync(broken, readFileSync(path).subarray(0, 100));
  await blaise.page.goto(other.url + "#/");
  await blaise.page.waitForSelector("#import");
  await blaise.page.setInputFiles("#import", broken);
  await blaise.page.waitForSelector(".fault");
  await done(rosa, blaise);
  await other.stop();
});

test("a scenario of one's own is checked and played", async () => {
  const rosa = await person(browser, server.url, { name: "Rosa" });
  const { page } = rosa;
  await page.click('[data-scenario="toy/ridge"]');
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-document")]);
  const sound = readFileSync(await file.path(), "utf8"), broken = join(server.dir, "broken.json"),
    own = join(server.dir, "My ridge.json");
  await page.goto(server.url + "#/");
  await page.click('[data-own="rulesets/toy"]');
  writeFileSync(broken,
    sound.replace(/"hex": ?"[0-9]+"/g, '"hex":"9999"').replace(/"space": ?"[0-9]+"/g, '"space":"9999"'));
  await page.setInputFiles("#own-file", broken);
  await page.waitForSelector(".faults li code");
  assert.equal(await page.locator("#create").count(), 0);
  writeFileSync(own, sound);
  await page.setInputFiles("#own-file", own);
  await page.waitForSelector("#create");
  assert.equal(await page.inputValue("#title"), "My ridge");
  await page.click("#create");
  await ready(page);
  assert.equal(await page.locator("h1").innerText(), "My ridge");
  await done(rosa);
});

test("a line of one's own is compared with where it came from", async () => {
  const rosa = await person(browser, server.url, { name: "Rosa" });
  const { page } = rosa;
  await create(rosa, "toy/ford", { seats: ["red", "blue"] });
  const origin = page.url();
  await page.click("#tab-table");
  await page.click("#fork-private");
  await page.waitForFunction((u) => location.href !== u, origin);
  await ready(page);
  const before = await heard(page);
  await page.click("#tab-play");
  await openIndex(page);
  await page.locator(".index > .kind button.do").first().click();
  await reached(page, before + 1);
  await page.click("#tab-table");
  await page.click("[data-compare]");
  await page.waitForSelector("dialog.compare .sides");
  assert.match(await page.locator("dialog.compare").innerText(), /in common/);
  assert.ok(await page.locator("dialog.compare tbody tr").count(), "a move makes no difference");
  await page.keyboard.press("Escape");
  // The origin knows its fork.
  await page.goto(origin);
  await ready(page);
  await page.click("#tab-table");
  assert.equal(await page.locator(".forks a").count(), 1);
  await done(rosa);
});

test("a forecast says by which policies it goes, and takes others", async () => {
  const rosa = await person(browser, server.url, { name: "Rosa" });
  const { page } = rosa;
  await create(rosa, "anniversary/1942",
    { seats: ["germany", "japan", "italy", "soviet-union", "united-kingdom", "united-states"] });
  // To the combat moves of the first power: no research, nothing bought, then a move into a fight.
  for (const command of ["research 0", "end"]) {
    const version = await heard(page);
    await press(page, command);
    await reached(page, version + 1);
  }
  await openIndex(page);
  await page.fill(".narrow input", "fighter sz-53");
  await page.locator(".index > .kind .odds").first().click();
  await page.waitForSelector("dialog.preview [data-policy]");
  const bars = () => page.locator("dialog.preview .bars").allInnerTexts();
  const first = await bars(), select = page.locator("dialog.preview [data-policy]").first();
  const values = await select.locator("option").evaluateAll((all) => all.map((x) => x.value));
  assert.ok(values.length > 1 && first.length > 0);
  await page.screenshot({ path: out + "policies.png" });
  await select.selectOption(values.at(-1));
  await page.waitForFunction((v) => document.querySelector("dialog.preview [data-policy]")?.value === v, values.at(-1));
  await page.waitForSelector("dialog.preview .bars");
  await done(rosa);
});

test("time runs, is changed with consent, and stands still on holiday", async () => {
  const rosa = await person(browser, server.url, { name: "Rosa" }), { page } = rosa;
  await page.click('[data-scenario="toy/ridge"]');
  await page.waitForSelector("#create");
  await page.fill("#holder", "Rosa");
  await page.check('input[name=seat][value="red"]');
  await page.check("input[name=deadlines]");
  await page.fill("input[name=allowance]", "3");
  await page.selectOption("select[name=unit]", { label: "days" });
  await page.fill("input[name=holidays]", "5");
  await page.click("#create");
  await ready(page);
  assert.match(await page.locator('[data-due="red"]').first().innerText(), /2 days 23 hours left|3 days left/);
  const blaise = await person(browser, page.url(), { name: "Blaise" });
  await ready(blaise.page);
  await blaise.page.fill("#holder", "Blaise");
  await blaise.page.click('[data-take="blue"]');
  await blaise.page.waitForSelector('[data-seat="blue"].mine');
  await ready(blaise.page);
  await reached(page, await heard(blaise.page));
  await page.click("#tab-table");
  await page.click('[data-holiday="red"]');
  await page.waitForFunction(() =>
    /4 days of holiday left/.test(document.querySelector('[data-clock="red"]').textContent));
  // Other deadlines hold once the other player has agreed.
  await page.click(".times summary");
  await page.fill(".times input[name=allowance]", "9");
  await page.selectOption(".times select[name=lapse]", { label: "the seat becomes free" });
  await page.click("#propose-deadlines");
  await blaise.page.waitForSelector('[data-deadlines="agree"]');
  await blaise.page.screenshot({ path: out + "deadlines.png" });
  await blaise.page.click('[data-deadlines="agree"]');
  await page.waitForFunction(() =>
    /9 days for each action.*the seat becomes free/.test(document.querySelector(".times > p").textContent));
  // Notices are asked for on the same page; an address that the server may not post to is refused in words.
  await page.click(".notices summary");
  await page.fill("#hook-url", "https://127.0.0.1/hook");
  await page.click("#hook-do");
  await page.waitForSelector(".notices .fault, .notices .told");
  await page.screenshot({ path: out + "notices.png" });
  await done(rosa, blaise);
});
