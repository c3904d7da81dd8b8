// Mutual dice: browsers answer by themselves, and reveal nothing to a server whose log contradicts what it showed
// before.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, Wallet } from "@warledger/client";
import { Driver } from "./driver.mjs";
import { create, heard, join_, person, press, reached, ready, stage } from "./harness.mjs";

const { server, browser } = await stage();

/** seated has two people at a game with mutual dice, each in a browser of their own. */
async function seated() {
  const rosa = await person(browser, server.url, { name: "Rosa" });
  const url = await create(rosa, "toy/ridge", { seats: ["red"], dice: "mutual" });
  const blaise = await person(browser, server.url, { name: "Blaise" });
  await join_(blaise, url, "blue");
  await reached(rosa.page, await heard(blaise.page));
  return { rosa, blaise, url };
}

/** throwing has two people play until dice were thrown together, in another game if one ends before. */
async function throwing(seed) {
  for (let tries = 0; tries < 10; tries++) {
    const { rosa, blaise, url } = await seated();
    const drivers = new Map([rosa, blaise].map((p, i) => [p, new Driver(p, { seed: seed + 2 * tries + i, check: 0 })]));
    if (await untilDice(drivers, rosa, blaise)) return { rosa, blaise, url };
    for (const p of [rosa, blaise]) await p.context.close();
  }
  throw new Error("no dice were thrown");
}

/** caught waits until a page knows a record and shows it, or shows that the game is over. */
async function caught(page, version) {
  await page.waitForFunction((v) => {
    const game = document.querySelector(".game");
    const live = document.querySelector('[data-link="live"]') && game.dataset.busy === "false"
      && Number(game.dataset.newest) >= v;
    return live || document.querySelector(".over");
  }, version);
}

/** whose is the one whose page asks something. */
async function whose(...people) {
  for (const p of people) if (await p.page.locator(".question.mine").count()) return p;
  throw new Error("nobody is asked anything");
}

/** untilDice plays by clicks until dice have been thrown; false if the game ends before. */
async function untilDice(drivers, ...people) {
  const thrown = () => people[0].page.locator(".log .dice button").count();
  await people[0].page.click("#tab-log");
  const already = await thrown();
  for (let n = 0; n < 60; n++) {
    await people[0].page.click("#tab-play");
    if (await people[0].page.locator(".over").count()) return false;
    const p = await whose(...people);
    await drivers.get(p).decide();
    const newest = async () => Math.max(...(await Promise.all(people.map((x) => heard(x.page)))));
    const version = await newest();
    for (const x of people) {
      await caught(x.page, version);
      await x.page.waitForFunction(() => !document.querySelector("#pending-dice"));
    }
    const last = await newest();
    for (const x of people) await caught(x.page, last);
    await people[0].page.click("#tab-log");
    if ((await thrown()) > already) return true;
  }
  return false;
}

/** takenBack has somebody with the tokens of both players take the last throw back, and ask for it again. */
async function takenBack(url, ...people) {
  const name = "games/" + /games\/([a-z0-9]+)/.exec(url)[1], stolen = new Wallet();
  for (const { page } of people) {
    const held = await page.evaluate(() => JSON.parse(localStorage.getItem("warledger.games")));
    for (const [game, { seats }] of Object.entries(held))
      for (const [seat, token] of Object.entries(seats)) stolen.keep(game, seat, token);
  }
  const thief = new Client(server.url, { tokens: stolen }).game(name);
  let thrown;
  for await (const r of thief.records()) if (r.rolls.length && r.seat) thrown = r;
  const asker = thief.as(thrown.seat);
  assert.ok((await asker.undo({ target: thrown.parent, ask: true })).done, "both tokens agree at once");
  await asker.submit(thrown.notation, { pending: true });
}

test("two browsers throw together, and each can compute the dice again when the game is over", async () => {
  const { rosa, blaise, url } = await throwing(1);
  // A throw that was taken back in both players' names is not made again before each says that it was they.
  await takenBack(url, rosa, blaise);
  await rosa.page.click("#tab-play");
  for (const { page } of [rosa, blaise]) await page.waitForSelector("#taken-back");
  await rosa.page.click("#taken-back button");
  await rosa.page.waitForSelector("#taken-back", { state: "detached" });
  assert.equal(await rosa.page.locator("#pending-dice").count(), 1);
  assert.equal(await blaise.page.locator("#taken-back").count(), 1, "one player's word counts for the other");
  await blaise.page.click("#taken-back button");
  for (const { page } of [rosa, blaise])
    await page.waitForFunction(() => !document.querySelector("#pending-dice, #taken-back"));
  await rosa.page.click("#tab-play");
  await rosa.page.locator(".offers summary").click();
  await press(rosa.page, "concede");
  await rosa.page.waitForSelector(".over");
  await blaise.page.waitForSelector(".over");
  for (const { page } of [rosa, blaise]) {
    await page.click("#tab-log");
    const thrown = page.locator(".log .dice button");
    assert.ok((await thrown.count()) > 1, "set-up and one throw at least");
    for (let i = 0; i < (await thrown.count()); i++) {
      await thrown.nth(i).click();
      await page.waitForSelector('[data-verdict="diceProved"]');
      await page.waitForSelector('[data-chain="chainProved"]');
      await page.keyboard.press("Escape");
    }
  }
  for (const p of [rosa, blaise]) {
    assert.deepEqual(p.faults, []);
    await p.context.close();
  }
});

test("a browser that sees another log reveals nothing and says so", async () => {
  for (let tries = 0; ; tries++) {
    assert.ok(tries < 10, "no game asked for dice");
    const { rosa, blaise } = await seated();
    // What Blaise has seen of the log is not what the server shows now.
    await blaise.page.evaluate(() => {
      const all = JSON.parse(localStorage.getItem("warledger.games"));
      for (const held of Object.values(all)) for (const chain of Object.values(held.chains ?? {}))
        chain.hash = "00".repeat(32);
      localStorage.setItem("warledger.games", JSON.stringify(all));
    });
    let answered = 0;
    blaise.page.on("request", (r) => r.url().endsWith("/AnswerDice") && answered++);
    const drivers = new Map([rosa, blaise].map((p, i) => [p, new Driver(p, { seed: 1 + 2 * tries + i, check: 0 })]));
    while (!(await rosa.page.locator("#pending-dice, .over").count())) {
      const p = await whose(rosa, blaise);
      await drivers.get(p).decide();
      const version = Math.max(await heard(rosa.page), await heard(blaise.page));
      for (const x of [rosa, blaise]) await caught(x.page, version);
    }
    const over = await rosa.page.locator(".over").count();
    if (!over) {
      await blaise.page.waitForSelector("#two-logs");
      assert.equal(answered, 0);
      assert.equal(await rosa.page.locator("#pending-dice").count(), 1);
    }
    for (const p of [rosa, blaise]) await p.context.close();
    if (!over) return;
  }
});

/** gate is a promise, and what opens it. */
function gate() {
  let open;
  return { through: new Promise((resolve) => (open = resolve)), open: () => open() };
}

test("two tabs of a browser without locks do not make each other cry that the log is inconsistent", async () => {
  for (let tries = 0; ; tries++) {
    assert.ok(tries < 10, "no game asked for dice twice");
    const { rosa, blaise, url } = await seated();
    await blaise.context.addInitScript(() => Object.defineProperty(Navigator.prototype, "locks",
      { get: () => undefined }));
    await blaise.page.reload();
    await ready(blaise.page);
    const other = await blaise.context.newPage();
    await other.addInitScript(() => { // calls that are held up here do not end by time
      const timer = window.setTimeout;
      window.setTimeout = (act, ms, ...rest) => (ms > 5000 ? 0 : timer(act, ms, ...rest));
    });
    await other.goto(url);
    await ready(other);
    // The other tab reads the game before the first one has answered, and goes on with it when the game has had dice
    // once more.
    const asked = gate(), read = gate(), later = gate();
    await blaise.page.route("**/AnswerDice", async (route) => {
      asked.open();
      await read.through;
      await route.continue();
    });
    const name = "games/" + url.split("games/")[1].split("?")[0];
    const toAnswer = (request) => request.url().endsWith("/GetGame")
      && request.postDataBuffer()?.length === name.length + 2;
    let reads = 0;
    await other.route("**/GetGame", async (route) => {
      if (!toAnswer(route.request()) || reads++ > 0) return route.continue();
      await asked.through;
      const response = await route.fetch();
      read.open();
      await later.through;
      return route.fulfill({ response });
    });
    const drivers = new Map([rosa, blaise].map((p, i) => [p, new Driver(p, { seed: 20 + 2 * tries + i, check: 0 })]));
    const twice = (await untilDice(drivers, rosa, blaise)) && (await untilDice(drivers, rosa, blaise));
    if (twice) {
      assert.equal(reads, 1);
      const again = other.waitForResponse((r) => toAnswer(r.request()) && reads > 1);
      later.open();
      await Promise.race([again, other.waitForSelector("#two-logs")]);
      await other.waitForFunction(() => document.querySelector("#two-logs")
        || document.querySelector(".game")?.dataset.busy === "false");
      assert.equal(await other.locator("#two-logs").count(), 0);
    }
    later.open();
    await other.unrouteAll({ behavior: "ignoreErrors" });
    for (const p of [rosa, blaise]) await p.context.close();
    if (twice) return;
  }
});

test("a seat goes on in another browser that has its token and not its chain", async () => {
  const { rosa, blaise, url } = await seated();
  const other = await person(browser, server.url, {});
  const held = await blaise.page.evaluate(() => localStorage.getItem("warledger.games"));
  await other.page.evaluate((text) => {
    const all = JSON.parse(text);
    for (const game of Object.values(all)) delete game.chains;
    localStorage.setItem("warledger.games", JSON.stringify(all));
  }, held);
  await blaise.context.close();
  await other.page.goto(url);
  await other.page.reload();
  await ready(other.page);
  await other.page.click("#tab-table");
  await other.page.click("#renew-blue");
  await other.page.waitForFunction(() => !document.querySelector("#renew-blue"));
  await ready(other.page);
  await other.page.click("#tab-play");
  await reached(rosa.page, await heard(other.page));
  // Where the game lasts until dice are thrown, they come.
  const drivers = new Map([rosa, other].map((p, i) => [p, new Driver(p, { seed: i + 3, check: 0 })]));
  await untilDice(drivers, rosa, other);
  assert.equal(await rosa.page.locator("#pending-dice").count(), 0);
  for (const p of [rosa, other]) {
    assert.deepEqual(p.faults, []);
    await p.context.close();
  }
});

/** tokenOf is the token of a seat that a browser holds, as whoever runs the server has it. */
async function tokenOf({ page }, seat) {
  return page.evaluate((s) => Object.values(JSON.parse(localStorage.getItem("warledger.games")))[0].seats[s], seat);
}

/** call makes a call to the server as somebody who has a token. */
async function call(url, method, token, request) {
  const answer = await fetch(new URL("/warledger.v1." + method, url), {
    method: "POST", headers: { "content-type": "application/json", authorization: "Bearer " + token },
      body: JSON.stringify(request),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return answer.json();
}

test("a browser says at once that somebody else answers for its seat, and forgets or takes it back as its player says",
  async () => {
  const { rosa, blaise, url } = await seated();
  const token = await tokenOf(blaise, "blue"), name = "games/" + url.split("games/")[1];
  const anchor = Buffer.alloc(32, 7).toString("base64");
  await call(server.url, "GameService/RenewChain", token,
    { name, seat: "blue", chain: { anchor, length: 9 }, requestId: crypto.randomUUID() });
  await blaise.page.click("#tab-play");
  await blaise.page.waitForSelector("#chain-replaced");
  assert.match(await blaise.page.locator("#chain-replaced").innerText(),
    /somebody with your token answers in your name/);
  assert.equal(await rosa.page.locator("#chain-replaced").count(), 0);
  await blaise.page.locator("#chain-replaced button.quiet").click();
  await blaise.page.waitForFunction(() => !document.querySelector("#chain-replaced"));
  await blaise.page.click("#tab-table");
  await blaise.page.waitForSelector("#renew-blue");
  for (const p of [rosa, blaise]) {
    assert.deepEqual(p.faults, []);
    await p.context.close();
  }
});

test("a browser makes no new chain for a log that it did not see", async () => {
  const { rosa, blaise } = await seated();
  await blaise.page.evaluate(() => {
    const all = JSON.parse(localStorage.getItem("warledger.games"));
    for (const held of Object.values(all))
      for (const chain of Object.values(held.chains ?? {})) Object.assign(chain,
      { hash: "00".repeat(32), last: "11".repeat(32) });
    localStorage.setItem("warledger.games", JSON.stringify(all));
  });
  let renewed = 0;
  blaise.page.on("request", (r) => r.url().endsWith("/RenewChain") && renewed++);
  await blaise.page.reload();
  await ready(blaise.page);
  await blaise.page.click("#tab-play");
  await blaise.page.waitForSelector("#chain-replaced");
  await blaise.page.locator("#chain-replaced button:not(.quiet)").click();
  await blaise.page.waitForSelector("#two-logs");
  assert.equal(renewed, 0);
  await blaise.page.locator("#two-logs button").click();
  await blaise.page.waitForFunction(() => !document.querySelector("#two-logs"));
  await blaise.page.click("#tab-table");
  await blaise.page.click("#renew-blue");
  await blaise.page.waitForFunction(() => !document.querySelector("#renew-blue"));
  assert.equal(renewed, 1);
  for (const p of [rosa, blaise]) {
    assert.deepEqual(p.faults, []);
    await p.context.close();
  }
});

test("a browser reveals nothing after an undo to which its player did not agree, until they say that it was them",
  async () => {
  const { rosa, blaise, url } = await throwing(40);
  const name = "games/" + url.split("games/")[1].split("?")[0];
  const tokens = { red: await tokenOf(rosa, "red"), blue: await tokenOf(blaise, "blue") };
  const ask = (method, seat, request) => call(server.url, "GameService/" + method, tokens[seat], { name, ...request });
  const { records } = await ask("ListRecords", "red", { pageSize: 500 });
  const thrown = records.findLast((r) => r.asked && r.rolls?.length);
  await rosa.page.click("#tab-play");
  await rosa.page.click("#undo");
  await rosa.page.locator(".trouble button").first().click();
  await blaise.page.waitForSelector('[data-undo="agree"]');
  const { game } = await ask("GetGame", "red", {});
  const { asked } = game.pendingUndo;
  const { done, game: { version } } = await ask("AnswerUndo", "blue",
    { seat: "blue", asked, agree: true, requestId: crypto.randomUUID() });
  assert.ok(done);
  for (const p of [rosa, blaise]) await caught(p.page, Number(version));
  let answered = 0;
  blaise.page.on("request", (r) => r.url().endsWith("/AnswerDice") && answered++);
  await ask("SubmitCommand", thrown.seat,
    { seat: thrown.seat, commandId: crypto.randomUUID(), notation: thrown.notation });
  await blaise.page.waitForSelector("#taken-back");
  assert.equal(answered, 0);
  await rosa.page.waitForSelector("#pending-dice");
  assert.equal(await rosa.page.locator("#taken-back").count(), 0, "she asked for it");
  await blaise.page.locator("#taken-back button").click();
  for (const { page } of [rosa, blaise]) await page.waitForFunction(() => !document.querySelector("#pending-dice"));
  assert.equal(answered, 1);
  assert.equal(await blaise.page.locator("#taken-back").count(), 0);
  for (const p of [rosa, blaise]) await p.context.close();
});
