// What happens around a game: undo with consent, the past, refusals, lost connections, languages, keys.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clickOn, create, heard, join_, openIndex, out, person, press, reached, ready, serve,
  stage } from "./harness.mjs";
import { difference, kept, NO_PICTURE, picture } from "./picture.mjs";

const on = await stage(), { browser } = on;
let { server } = on;

/**
 * two sits two people down at a game of the little ruleset, after both have made their secret plans. Red moves first:
 * the die is a 2.
 */
async function two() {
  const red = await person(browser, server.url, { name: "Rosa" }),
    blue = await person(browser, server.url, { name: "Blaise" });
  const url = await create(red, "toy/ridge", { seats: ["red"], manual: true });
  await join_(blue, url, "blue");
  await reached(red.page, await heard(blue.page));
  await both(red, blue, () => clickOn(red.page, '[data-target="0303"]'), red);
  await both(red, blue, () => clickOn(blue.page, '[data-target="0503"]'), blue);
  return { red, blue, url, async close() {
    assert.deepEqual([...red.faults, ...blue.faults], []);
    await Promise.all([red.context.close(), blue.context.close()]);
  } };
}

/** both does something at one page and waits until both know the outcome. */
async function both(red, blue, act, actor) {
  const version = await heard(actor.page);
  await act();
  await actor.page.waitForFunction((v) => Number(document.querySelector(".game").dataset.newest) > v, version);
  const now = await heard(actor.page);
  await Promise.all([reached(red.page, now), reached(blue.page, now)]);
}

/** place is where a counter is drawn. */
function place(page, piece) {
  return page.locator(`svg.map .stacks [data-piece="${piece}"]`).getAttribute("transform");
}

async function move(p, piece, space) {
  await clickOn(p.page, `svg.map .stacks [data-piece="${piece}"]`); // a marker may lie on top of it
  await p.page.waitForSelector(`[data-target="${space}"]`);
  await clickOn(p.page, `[data-target="${space}"]`);
}

test("an undo is asked for and consented to, and taken back by redo", async () => {
  const { red, blue, close } = await two();
  const start = await place(red.page, "r1");
  await both(red, blue, () => move(red, "r1", "0203"), red);
  const moved = await place(red.page, "r1");
  assert.notEqual(moved, start);
  // Alone: nothing has become known.
  await both(red, blue, () => red.page.click("#undo"), red);
  assert.equal(await place(blue.page, "r1"), start);
  await both(red, blue, () => red.page.click("#redo"), red);
  assert.equal(await place(blue.page, "r1"), moved);
  // Blue has acted since: only with consent.
  await both(red, blue, () => press(red.page, "end"), red);
  await both(red, blue, () => move(blue, "b1", "0403"), blue);
  await red.page.click("#undo");
  await red.page.waitForSelector('.trouble[data-reason="UNDO_BARRIER"]');
  await both(red, blue, () => red.page.click(".trouble button:not(.quiet):not(.rule)"), red);
  await red.page.waitForSelector('[data-undo="withdraw"]');
  await both(red, blue, () => blue.page.click('[data-undo="refuse"]'), blue);
  assert.equal(await blue.page.locator(".undo-bar").count(), 0);
  const kept = await place(blue.page, "b1");
  await red.page.click("#undo");
  await red.page.waitForSelector('.trouble[data-reason="UNDO_BARRIER"]');
  await both(red, blue, () => red.page.click(".trouble button:not(.quiet):not(.rule)"), red);
  await blue.page.screenshot({ path: out + "consent.png" });
  await both(red, blue, () => blue.page.click('[data-undo="agree"]'), blue);
  assert.notEqual(await place(red.page, "b1"), kept);
  // What was taken back stays in the log, as a branch that can be looked at.
  await red.page.click("#tab-log");
  assert.ok(await red.page.locator(".log li.undone").count());
  await red.page.locator("[data-branch]").first().click();
  await red.page.waitForSelector(".game.past");
  await red.page.waitForFunction((t) => document.querySelector('.stacks [data-piece="b1"]').getAttribute("transform")
    === t, kept);
  await close();
});

test("the past is scrubbed through, played back and left again", async () => {
  const { red, blue, close } = await two();
  const start = await place(red.page, "r1");
  await both(red, blue, () => move(red, "r1", "0203"), red);
  const moved = await place(red.page, "r1");
  await both(red, blue, () => press(red.page, "end"), red);
  await both(red, blue, () => move(blue, "b1", "0403"), blue);
  const { page } = red;
  await page.focus("#scrub");
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.querySelector(".game").dataset.version === "1");
  assert.equal(await place(page, "r1"), start);
  assert.equal(await page.locator(".actions").count(), 0, "the past offers actions");
  await page.click("#step-on");
  await page.click("#step-on");
  await page.click("#step-on");
  await page.waitForFunction((t) => document.querySelector('.stacks [data-piece="r1"]').getAttribute("transform") === t,
    moved);
  await page.keyboard.press("Escape");
  await page.click("#to-now");
  await page.waitForSelector(".game:not(.past)");
  // What has happened since the last action of one's own is played back by itself.
  await page.click("#since-mine");
  await page.waitForSelector(".game.past");
  await page.waitForSelector(".game:not(.past)");
  await close();
});

test("a refused action is explained with its rule", async () => {
  const { red, close } = await two();
  const { page } = red;
  await page.click('svg.map .stacks [data-piece="r1"]');
  await page.waitForSelector(".is-selected");
  // A space that the unit cannot reach: the referee is asked, and says why not.
  await page.click('svg.map .stacks [data-piece="b1"]');
  const trouble = page.locator(".trouble");
  await trouble.waitFor();
  assert.match(await trouble.getAttribute("data-reason"), /ILLEGAL|TY|[A-Z_]+/);
  const rule = await trouble.locator("button.rule").getAttribute("data-rule");
  assert.match(rule, /^TY \d/);
  await trouble.locator("button.rule").click();
  await page.waitForSelector("dialog.rule-text p b");
  assert.ok((await page.locator("dialog.rule-text").innerText()).includes(rule));
  await page.keyboard.press("Escape");
  await page.selectOption("#language", "ja");
  await page.locator("button.rule").first().click();
  await page.waitForFunction(() => /[\u3040-\u30ff]/.test(document.querySelector("dialog.rule-text b")?.textContent));
  await page.keyboard.press("Escape");
  await page.selectOption("#language", "en");
  // A typed command that makes no sense is answered too.
  await page.click(".typed summary");
  await page.fill("#command", "move r1 9999");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.trouble[data-reason="UNKNOWN_SPACE"], .trouble[data-reason="MALFORMED_COMMAND"]');
  await close();
});

test("a browser that is cut off comes back and has lost nothing", async () => {
  const { red, blue, close } = await two();
  await blue.context.setOffline(true);
  await blue.page.waitForSelector('[data-link="lost"]');
  const version = await heard(red.page);
  await move(red, "r1", "0203");
  await reached(red.page, version + 1);
  await press(red.page, "end");
  await reached(red.page, version + 2);
  assert.equal(await heard(blue.page), version);
  assert.ok(await blue.page.locator('[data-link="lost"]').count(), "the page does not say that it is behind");
  await blue.context.setOffline(false);
  await reached(blue.page, version + 2);
  assert.equal(await place(blue.page, "r1"), await place(red.page, "r1"));
  for (const { page } of [red, blue]) await page.click("#tab-log");
  const log = ({ page }) => page.$$eval(".log li", (all) => all.map((x) => x.dataset.version));
  assert.deepEqual(await log(blue), await log(red));
  assert.deepEqual(await log(blue), Array.from({ length: version + 2 }, (_, i) => String(i + 1)));
  // The server itself goes and comes back on the same port with the same file.
  const { port, dir } = server;
  await server.stop({ keep: true });
  await Promise.all([red, blue].map(({ page }) => page.waitForSelector('[data-link="lost"]')));
  server = on.server = await serve({ port, dir });
  await Promise.all([ready(red.page), ready(blue.page)]);
  await blue.page.click("#tab-play");
  await both(red, blue, () => move(blue, "b1", "0403"), blue);
  await close();
});

test("one token at a time is shown: a spectator sees no plan, a holder does", async () => {
  const { red, blue, url, close } = await two();
  const eve = await person(browser, url, {});
  await ready(eve.page);
  assert.equal(await red.page.locator('.stacks [data-piece*="plan"]').count() > 0, true);
  assert.equal(await eve.page.locator('.stacks [data-piece*="plan"]').count(), 0);
  assert.equal(await eve.page.locator(".actions button.do, .prompt button.do").count(), 0);
  // Who only looks on has nothing to take back, and no action of their own to look back to.
  assert.equal(await eve.page.locator("#undo, #redo, #since-mine").count(), 0);
  assert.equal(await red.page.locator("#undo, #redo, #since-mine").count(), 3);
  await eve.page.click("#tab-log");
  assert.ok((await eve.page.locator(".log").innerText()).includes("hidden"));
  await eve.context.close();
  void blue;
  await close();
});

test("both languages", async () => {
  const p = await person(browser, server.url, { name: "花子", lang: "ja" });
  await p.page.waitForSelector(".card");
  assert.match(await p.page.locator("h1").innerText(), /ロビー/);
  await create(p, "downfall/olympic", { seats: ["us", "japan"] });
  await p.page.waitForSelector(".question.mine");
  assert.equal(await p.page.evaluate(() => document.documentElement.lang), "ja");
  assert.match(await p.page.locator(".question.mine p").first().innerText(), /[\u3040-\u30ff\u4e00-\u9fff]/);
  await p.page.waitForFunction(() => document.querySelectorAll('.stacks [data-piece] image').length > 10);
  assert.equal(await picture(p.page, "downfall-ja"), "");
  await p.page.selectOption("#language", "en");
  await ready(p.page);
  await p.page.waitForFunction(() => /decide/.test(document.querySelector(".question.mine h2")?.textContent ?? ""));
  assert.doesNotMatch(await p.page.locator(".side").innerText(), /[\u3040-\u30ff]/);
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("a language that is one file", async () => {
  const p = await person(browser, server.url, { name: "Eva", lang: "de" });
  await p.page.waitForFunction(() => document.querySelector("h1")?.textContent === "Lobby"
    && document.body.textContent.includes("Ein neues Spiel"));
  assert.equal(await p.page.evaluate(() => document.documentElement.lang), "de");
  assert.equal(await p.page.locator("#language option:checked").innerText(), "Deutsch");
  await create(p, "toy/ridge", { seats: ["red", "blue"] });
  await p.page.waitForSelector(".question.mine");
  await p.page.getByText("Notiere den Außenposten, den du am Ende halten willst.").first().waitFor();
  await p.page.selectOption("#language", "ja");
  await p.page.waitForFunction(() => /[\u3040-\u30ff]/.test(document.querySelector(".side").textContent));
  await p.page.selectOption("#language", "de");
  await p.page.waitForFunction(() => /Rot|Blau/.test(document.querySelector(".side").textContent));
  await p.page.reload(); // the choice is kept, and the words are there again
  await p.page.getByText("Notiere den Außenposten, den du am Ende halten willst.").first().waitFor();
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("a move by keys alone, heard by who cannot see it", async () => {
  const { red, blue, close } = await two();
  const { page } = red;
  await page.focus(".frame");
  const cursor = () => page.locator("[data-cursor]").getAttribute("data-cursor");
  await page.keyboard.press("n");
  const first = await cursor();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".is-selected");
  const said = await page.locator(".board [aria-live]").innerText();
  assert.match(said, /Red/);
  const targets = await page.$$eval("[data-target]", (all) => all.map((x) => x.dataset.target));
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".is-selected").count(), 0);
  await page.keyboard.press("Enter");
  for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]) {
    await page.keyboard.press(key);
    if (targets.includes(await cursor())) break;
  }
  assert.ok(targets.includes(await cursor()), `${await cursor()} from ${first} is none of ${targets}`);
  await both(red, blue, () => page.keyboard.press("Enter"), red);
  // Whatever can be pressed has a name.
  for (const tab of ["play", "log", "boxes", "tracks", "table"]) {
    await page.click("#tab-" + tab);
    const nameless = await page.$$eval("button, input, select, [role]",
      (all) => all.filter((x) => !(x.getAttribute("aria-label") || x.getAttribute("aria-labelledby")
      || x.textContent.trim() || x.closest("label")?.textContent.trim() || x.getAttribute("role") === "tabpanel"
      || x.getAttribute("role") === "status" || x.getAttribute("aria-live"))).map((x) => x.outerHTML));
    assert.deepEqual(nameless, [], tab);
  }
  await close();
});

test("the dice are proved once the secret is out", async () => {
  const p = await person(browser, server.url, { name: "Rosa" });
  await create(p, "toy/ridge", { seats: ["red", "blue"] });
  const { page } = p;
  await page.click("#tab-log");
  await page.locator('.log [data-version="1"] .dice button').click();
  await page.waitForSelector('[data-verdict="diceLater"]');
  await page.waitForSelector('[data-chain="chainProved"]');
  await page.keyboard.press("Escape");
  await page.click("#tab-play");
  await page.click(".offers summary");
  await press(page, "concede");
  await page.waitForSelector(".over");
  await page.click("#tab-log");
  await page.locator('.log [data-version="1"] .dice button').click();
  await page.waitForSelector('[data-verdict="diceProved"]');
  await page.keyboard.press("Escape");
  // A line of one's own from an earlier version.
  await page.click("#tab-table");
  const origin = page.url();
  await page.click("#fork-private");
  await page.waitForFunction((u) => location.href !== u, origin);
  await ready(page);
  await page.waitForSelector('[data-seat="red"].mine');
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("what an attack would come to is shown as chances", async () => {
  const { red, close } = await two();
  const { page } = red;
  await openIndex(page);
  await page.locator(".action .odds").first().click();
  await page.waitForSelector("dialog.preview #preview-do");
  await page.screenshot({ path: out + "preview.png" });
  await page.keyboard.press("Escape");
  await close();
});

test("a long list comes in parts, is whole in the end, and is narrowed by typing", async () => {
  const p = await person(browser, server.url, { name: "Rosa" }), { page } = p;
  // The page asks for 3000 at once: here it is given five, by another value in field 6 of its requests.
  let parts = 0;
  await page.route("**/warledger.v1.GameService/ListLegalActions", (route) => {
    const body = route.request().postDataBuffer(), at = body.indexOf(Buffer.from([0x30, 0xb8, 0x17]));
    assert.ok(at >= 0, "the page asks for another number at once: let this test follow");
    parts++;
    return route.continue(
      { postData: Buffer.concat([body.subarray(0, at), Buffer.from([0x30, 5]), body.subarray(at + 3)]) });
  });
  await create(p, "downfall/olympic", { seats: ["us", "japan"] });
  const total = Number(await page.locator(".game").getAttribute("data-actions"));
  assert.ok(total > 10, `${total} actions`);
  await page.waitForFunction(() => document.querySelector(".game").dataset.state.split("/").at(-1)
    === document.querySelector(".game").dataset.actions);
  assert.ok(parts >= Math.ceil(total / 5), `${parts} parts of ${total}`);
  await openIndex(page);
  while (await page.locator(".index > .kind button.more").count())
    await page.locator(".index > .kind button.more").first().click();
  const all = await page.$$eval(".index > .kind button.do", (list) => list.map((b) => b.dataset.command));
  assert.equal(all.length, total);
  assert.equal(new Set(all).size, all.length);
  // One of them is found by its own words, and by nothing that none of them has.
  await page.fill(".narrow input", all.at(-1));
  await page.waitForFunction((c) =>
    [...document.querySelectorAll(".index > .kind button.do")].every((b) => b.dataset.command.includes(c)), all.at(-1));
  assert.ok((await page.$$eval(".index > .kind button.do", (list) => list.map((b) => b.dataset.command)))
    .includes(all.at(-1)));
  await page.fill(".narrow input", "no such words");
  await page.waitForFunction(() => !document.querySelector(".index > .kind button.do"));
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("a picture of something else is noticed", () => {
  assert.equal(difference(kept("lobby"), kept("lobby"), "lobby"), "");
  assert.match(difference(kept("lobby"), kept("downfall-olympic"), "lobby"), /is not as it was/);
  assert.match(difference(kept("downfall-olympic"), kept("ocs-crimea-campaign"), "board"), /is not as it was/);
});

/** overlaps are the names and numbers of spaces that lie over each other or under counters, at three zooms. */
async function overlaps(page, scenario) {
  const found = [];
  for (const zoom of ["Show all", "Closer", "Closer", "Closer", "Closer"]) {
    await page.click(`.zoom [aria-label="${zoom}"]`);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const { detail, names, bad } = await page.evaluate(() => {
      const boxes = (selector) => [...document.querySelectorAll(selector)].filter((x) => x.checkVisibility())
        .map((x) => [x.textContent || x.dataset.piece, x.getBoundingClientRect()]);
      const names = boxes("#map-print .names text"),
        others = [...boxes("#map-print .ids text"),
        ...boxes(".stacks .piece > rect:nth-of-type(2), .stacks .piece > title + rect + rect")], bad = [];
      const meet = (a, b) => a.left < b.right - 0.5 && a.right > b.left + 0.5 && a.top < b.bottom - 0.5
        && a.bottom > b.top + 0.5;
      names.forEach(([name, box], i) => {
        for (const [other, at] of [...names.slice(0, i), ...others]) if (meet(box, at))
          bad.push(`${name} and ${other}`);
      });
      return { detail: document.querySelector("svg.map").getAttribute("class"), names: names.length, bad };
    });
    if (!names && (await page.evaluate(() => !!document.querySelector("#map-print .names text"))))
      bad.push("no name is to be seen");
    if (bad.length)
      found.push(`${scenario}, ${detail} (${zoom}): ${bad.length} overlap: ${bad.slice(0, 3).join("; ")}`);
  }
  return found;
}

/** atZooms compares the board alone where all of it is seen, and from near. */
async function atZooms(page, name) {
  const found = [], board = page.locator(".board");
  for (const [zoom, times] of [["Show all", 1], ["Closer", 5]]) {
    for (let n = 0; n < times; n++) await page.click(`.zoom [aria-label="${zoom}"]`);
    await page.mouse.move(5, 5); // no button is under the mouse
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    found.push(await picture(page, `${name}-${times > 1 ? "near" : "far"}`, board));
  }
  return found;
}

test("every scenario has a board that looks as it did, at three zooms", async (t) => {
  const p = await person(browser, server.url, { name: "Rosa", width: 1280, height: 800 });
  // The games against the computer come when the server has said which computers there are.
  await p.page.waitForFunction(() => document.querySelector(".now .card") && document.querySelector(".ruleset .card")
    && [...document.querySelectorAll(".thumbnail img")].every((i) => i.complete && i.naturalWidth > 100));
  const scenarios = await p.page.$$eval("[data-scenario]", (all) => all.map((x) => x.dataset.scenario));
  assert.ok(scenarios.length >= 4, scenarios.join());
  const faults = [await picture(p.page, "lobby")];
  for (const s of scenarios) {
    await p.page.goto(server.url + "#/");
    await create(p, s);
    await p.page.waitForFunction(() => !document.querySelector(".stacks [data-piece]")
      || document.querySelectorAll(".stacks [data-piece] image, .stacks [data-piece] path, .stacks [data-piece] text")
      .length > 0);
    await p.page.waitForTimeout(300);
    const name = s.replace("/", "-");
    faults.push(await picture(p.page, name), ...(await atZooms(p.page, name)), ...(await overlaps(p.page, s)));
  }
  // A scenario that has just come has nothing to be compared with yet.
  for (const f of faults) if (f.includes(NO_PICTURE)) t.diagnostic(f);
  assert.deepEqual(faults.filter((f) => f && !f.includes(NO_PICTURE)), []);
  assert.deepEqual(p.faults, []);
  await p.context.close();
});
