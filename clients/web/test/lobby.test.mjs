// The lobby: the games that wait for me first, with what they ask; then free seats; then scenarios, narrowed, with
// pictures at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { create, join_, person, press, reached, ready, stage } from "./harness.mjs";

const { server, browser } = await stage();

test("my games come first, those that wait for me before the others, with what they ask", async () => {
  const rosa = await person(browser, server.url, { name: "Rosa" }),
    blaise = await person(browser, server.url, { name: "Blaise" });
  const { page } = rosa;
  const waits = await create(rosa, "toy/ford", { seats: ["red"] });
  await page.goto(server.url + "#/");
  const other = await create(rosa, "toy/ridge", { seats: ["red"] });
  await join_(blaise, other, "blue");
  // In the second game, opened last, it is for Blaise to decide.
  const version = Number(await page.locator(".game").getAttribute("data-newest"));
  const named = []; // what a load balancer goes by
  page.on("request", (r) => r.url().endsWith("/SubmitCommand") && named.push(r.headers()["warledger-game"]));
  await press(page, await page.locator(".prompt button.do").first().getAttribute("data-command"));
  await reached(page, version + 1);
  await page.goto(server.url + "#/");
  await page.waitForFunction(() => document.querySelectorAll("#mine li").length === 2);
  const names = await page.$$eval("#mine [data-game]", (all) => all.map((x) => x.dataset.game));
  assert.deepEqual(names, [waits, other].map((url) => "games/" + url.split("/").at(-1)));
  assert.deepEqual(named, [names[1]]);
  assert.ok(await page.locator("#mine li").first().locator(".asked-here").innerText(), "what is asked is not said");
  assert.equal(await page.locator("#mine li").nth(1).locator(".asked-here").count(), 0);
  assert.match(await page.locator("#mine li").first().innerText(), /last activity just now|last activity .* ago/);
  assert.equal(await page.title(), "● (1) Warledger");
  // A link opens them all on another device, once the person has agreed there. No token stays in the address.
  await page.click(".devices summary");
  await page.click("#make-mine");
  const link = await page.inputValue("#mine-link"), phone = await person(browser, link, { width: 390, height: 844 });
  assert.match(await phone.page.locator("#arrived").innerText(), /games of Rosa/);
  assert.equal(await phone.page.locator("#mine").count(), 0, "taken over unasked");
  assert.doesNotMatch(phone.page.url(), /mine/);
  await phone.page.click("#arrived-yes");
  await phone.page.waitForFunction(() => document.querySelectorAll("#mine li").length === 2);
  const held = (p) => p.evaluate(() => Object.fromEntries(Object.entries(JSON.parse(localStorage["warledger.games"]))
    .map(([name, { owner, seats }]) => [name, { owner, seats }])));
  assert.deepEqual(await held(phone.page), await held(page));
  // What a browser has is not overwritten, and a link that was cut off brings nothing.
  const kept = await held(phone.page);
  await phone.page.evaluate((url) => (location.href = url), link.slice(0, -20));
  await phone.page.waitForSelector("#arrived .fault");
  await phone.page.click("#arrived button");
  assert.deepEqual(await held(phone.page), kept);
  // Nor does a link take a game away, whoever made it.
  const gone = deflateRawSync(JSON.stringify({ holder: "Mallory", games: {}, gone: { [names[0]]: Date.now() } }));
  await phone.page.evaluate((url) => (location.href = url), link.replace(/[^/]*$/, gone.toString("base64url")));
  await phone.page.click("#arrived-yes");
  assert.deepEqual(await held(phone.page), kept);
  // What it brings beside tokens, or more than any game has, stays behind; of games it says nothing about as well.
  const bring = async (games) => {
    const word = deflateRawSync(JSON.stringify({ holder: "Mallory", games })).toString("base64url");
    await phone.page.evaluate((url) => (location.href = url), link.replace(/[^/]*$/, word));
    await phone.page.click("#arrived-yes");
    return phone.page.evaluate(() => JSON.parse(localStorage["warledger.games"]));
  };
  const many = (n, of) => Object.fromEntries(Array.from({ length: n }, (_, i) => of(i)));
  const flooded = await bring({ [names[0]]: { sees: many(300, (i) => ["s" + i, "wl_v_" + "a".repeat(400)]),
    invitations: { red: "wl_k_" + "a".repeat(52) }, opened: Date.now() + 36e5 },
  ...many(15_000, (i) => ["games/j" + i, {}]) });
  assert.deepEqual(Object.keys(flooded), Object.keys(kept));
  assert.deepEqual([flooded[names[0]].sees, flooded[names[0]].invitations], [{}, {}]);
  assert.ok(flooded[names[0]].opened <= Date.now(), "opened in a time to come");
  const crowded = await bring({ [names[0]]: { sees: many(40, (i) => ["s" + i, "wl_v_" + "a".repeat(52)]) } });
  assert.equal(Object.keys(crowded[names[0]].sees).length, 16);
  // A made-up token of a seat takes no invitation to it away.
  await phone.page.evaluate((game) => {
    const all = JSON.parse(localStorage["warledger.games"]);
    all[game].invitations = { blue: "wl_j_" + "b".repeat(52) };
    delete all[game].seats.blue;
    localStorage["warledger.games"] = JSON.stringify(all);
  }, names[0]);
  const beside = await bring({ [names[0]]: { seats: { blue: "wl_s_" + "b".repeat(52) } } });
  assert.equal(beside[names[0]].invitations.blue, "wl_j_" + "b".repeat(52), "the invitation is lost");
  await phone.page.evaluate(([game, held]) => {
    const all = JSON.parse(localStorage["warledger.games"]);
    localStorage["warledger.games"] = JSON.stringify({ ...all, [game]: { ...all[game], ...held, invitations: {} } });
  }, [names[0], kept[names[0]]]);
  // A link to a seat, or to the owner's part, that opens nothing takes away nothing, and says so.
  for (const bad of ["seat/red/anything", "seat/red/wl_s_" + "a".repeat(52), "owner/all/wl_o_" + "a".repeat(52),
    "seat/blue/" + kept[names[0]].seats.red]) {
    await phone.page.goto(server.url + `#/${names[0]}/${bad}`);
    await phone.page.waitForSelector("#brought");
    assert.doesNotMatch(phone.page.url(), /wl_|anything/);
    assert.deepEqual(await held(phone.page), kept);
  }
  // Opened once more it is asked about once more. A link to another game is another link, whatever token it has.
  const nothing = server.url + `#/${names[0]}/seat/red/wl_s_${"a".repeat(52)}`;
  for (let times = 0; times < 2; times++) {
    await Promise.all([phone.page.waitForRequest((r) => r.url().endsWith("/ListLegalActions")),
      phone.page.evaluate((url) => (location.href = url), nothing)]);
    await phone.page.waitForSelector("#brought");
  }
  await phone.page.goto(server.url + `#/${names[1]}/seat/red/${kept[names[0]].seats.red}`);
  await phone.page.waitForSelector("#brought");
  await phone.page.goto(server.url + `#/${names[0]}/seat/red/${kept[names[0]].seats.red}`);
  await ready(phone.page); // the tokens of nothing are void, and dropped
  assert.deepEqual(await held(phone.page), kept);
  // Games that a link brings and nobody has opened do not push out those that were opened. Their number is said.
  const [name, mine] = Object.entries(JSON.parse(await phone.page.evaluate(() => localStorage["warledger.games"])))[0];
  await phone.page.evaluate((all) => (localStorage["warledger.games"] = JSON.stringify(all)),
    { [name]: { ...mine, opened: Date.now() - 1000 } });
  await phone.page.goto(server.url + "?again#/");
  const flood = many(1500, (i) => ["games/x" + i, { title: "long ".repeat(40), opened: Date.now(),
    seats: { red: "wl_s_" + "a".repeat(52) } }]);
  const word = deflateRawSync(JSON.stringify({ holder: "Mallory", games: flood })).toString("base64url");
  await phone.page.evaluate((url) => (location.href = url), link.replace(/[^/]*$/, word));
  assert.match(await phone.page.locator("#arrived-many.fault").innerText(), /brings 1,?500 games.* have 1,?500 of/);
  await phone.page.click("#arrived-yes");
  await phone.page.click(".devices summary");
  await phone.page.click("#make-mine");
  await phone.page.waitForSelector(".devices .fault");
  const goes = inflateRawSync(Buffer.from((await phone.page.inputValue("#mine-link")).split("/").at(-1),
    "base64url")).toString();
  assert.ok(goes.includes(`"${name}"`) && goes.includes("games/x"), "invented games have pushed a real one out");
  await phone.page.evaluate((all) => (localStorage["warledger.games"] = JSON.stringify(all)), { [name]: mine });
  await phone.page.reload();
  // A game that was forgotten by a clock that is fast comes back with a link to it, and stays. No such game: the lobby.
  await phone.page.goto(server.url + "#/games/%E0");
  await phone.page.waitForSelector("#mine");
  await phone.page.evaluate(([game, soon]) => {
    localStorage["warledger.gone"] = JSON.stringify({ [game]: soon });
    localStorage["warledger.games"] = "{}";
  }, [names[0], Date.now() + 36e5]);
  await phone.page.reload();
  await phone.page.goto(server.url + `#/${names[0]}/seat/red/${kept[names[0]].seats.red}`);
  await ready(phone.page);
  const back = await phone.page.evaluate(() => [localStorage["warledger.games"], localStorage["warledger.gone"]]
    .map((text) => Object.values(JSON.parse(text))[0]));
  assert.ok(back[0].seats.red && back[0].opened > back[1], "opened again, and forgotten all the same");
  // Too many games do not go along: those that are only known stay, and the page says so.
  await phone.page.evaluate((title) => {
    const all = JSON.parse(localStorage["warledger.games"]);
    for (let i = 0; i < 3000; i++) all["games/w" + i] = { title, seats: {}, opened: 1 };
    localStorage["warledger.games"] = JSON.stringify(all);
  }, "long ".repeat(100));
  await phone.page.goto("about:blank");
  await phone.page.goto(server.url + "#/");
  await phone.page.click(".devices summary");
  await phone.page.click("#make-mine");
  await phone.page.waitForSelector(".devices .fault");
  const carried = inflateRawSync(Buffer.from((await phone.page.inputValue("#mine-link")).split("/").at(-1),
    "base64url")).toString();
  assert.ok(carried.length < 1 << 20 && carried.includes(names[0]), String(carried.length));
  assert.deepEqual(phone.faults, []);
  await phone.context.close();
  // A server that has only a number has no passkeys, and this one no provider: nobody is asked to sign in.
  assert.equal(await page.locator("#sign-in").count(), 0);
  // Mine, the computer, free seats, scenarios, in this order.
  const heads = await page.$$eval(".lobby section > h2", (all) => all.map((x) => x.firstChild.textContent));
  assert.deepEqual(heads.slice(0, 4), ["My games", "Play now", "Games with a free seat", "A new game"]);
  for (const p of [rosa, blaise]) {
    assert.deepEqual(p.faults, []);
    await p.context.close();
  }
});

test("scenarios are narrowed by game, length and players, and have their pictures without their maps", async () => {
  const p = await person(browser, server.url), { page } = p;
  let maps = 0;
  page.on("request", (r) => r.url().endsWith("/GetScenario") && maps++);
  await page.reload();
  await page.waitForFunction(() => document.querySelector(".ruleset .card")
    && [...document.querySelectorAll(".ruleset .card img")].every((i) => i.complete && i.naturalWidth > 100));
  assert.equal(await page.locator(".ruleset .card img").count(), await page.locator(".ruleset .card").count(),
    "a scenario has no picture: npm run thumbnails");
  assert.equal(maps, 0);
  const listed = () => page.$$eval("[data-scenario]", (all) => all.map((x) => x.dataset.scenario));
  const all = await listed();
  await page.selectOption("#filter-players", "6");
  assert.deepEqual(await listed(), all.filter((s) => s.startsWith("anniversary/")));
  await page.selectOption("#filter-players", "");
  await page.selectOption("#filter-length", "short");
  const short = await listed();
  assert.ok(short.includes("toy/ridge")
    && !short.some((s) => s.startsWith("anniversary/") || s === "ocs/crimea-campaign"), String(short));
  await page.selectOption("#filter-game", "rulesets/ocs");
  assert.deepEqual(await listed(), short.filter((s) => s.startsWith("ocs/")));
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("the page says that a part of it did not load, and loads it by itself later", async () => {
  const { page, context } = await person(browser, "about:blank");
  let away = true;
  await context.route(/assets\/(rest|lobby)-/, (r) => (away ? r.fulfill({ status: 404, body: "?" }) : r.continue()));
  await page.goto(server.url);
  const lobby = page.locator("p.not-loaded").first();
  await lobby.waitFor();
  assert.match(await lobby.innerText(), /did not load.*Reload/);
  assert.doesNotMatch(await page.innerText("body"), /fetch|module/i);
  // The rest is tried again; after its second failure the page says that too.
  await page.waitForFunction(() => document.querySelectorAll("p.not-loaded").length === 2);
  away = false;
  await page.waitForSelector("[data-scenario]");
  await page.waitForFunction(() => !document.querySelector("p.not-loaded"));
  await context.close();
});
