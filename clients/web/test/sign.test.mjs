// Signing in: with an OpenID Connect provider, and with a passkey. Both find one's games again on another device.
import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { fromBinary } from "@bufbuild/protobuf";
import { UpdateKeyringRequestSchema } from "@warledger/client/proto/v1/keyring_service";
import { launch, person, ready, serve, setUp } from "./harness.mjs";

const provider = await openProvider();
const args = ["--oidc-issuer", provider.issuer, "--oidc-audience", "board", "--oidc-required"];
const [server, browser] = await Promise.all([serve({ args }), launch()]);
// A passkey belongs to a name.
const url = server.url.replace("127.0.0.1", "localhost");
after(async () => {
  await browser.close();
  await server.stop();
  provider.stop();
});

/** openProvider is a stand-in for an OpenID Connect provider, which knows one person and asks no questions. */
async function openProvider() {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const asked = new Map(), p = { issuer: "", nonce: undefined, codes: 0, stop: () => http.close() };
  const word = (x) => Buffer.from(JSON.stringify(x)).toString("base64url");
  const tokenFor = (nonce) => {
    const now = Math.floor(Date.now() / 1000), body = `${word({ alg: "RS256", kid: "k" })}.${word({ iss: p.issuer,
      aud: "board", sub: "rosa", name: "Rosa Luna", iat: now, exp: now + 3600, nonce })}`;
    return `${body}.${sign("sha256", Buffer.from(body), privateKey).toString("base64url")}`;
  };
  const http = createServer(async (req, res) => {
    const at = new URL(req.url, p.issuer);
    const json = (x, status = 200) => res.writeHead(status, { "Content-Type": "application/json" })
      .end(JSON.stringify(x));
    if (at.pathname === "/.well-known/openid-configuration") {
      json({ issuer: p.issuer, authorization_endpoint: p.issuer + "/auth?tenant=1", token_endpoint: p.issuer + "/token",
        jwks_uri: p.issuer + "/keys", id_token_signing_alg_values_supported: ["RS256"] });
    } else if (at.pathname === "/keys") {
      json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k", alg: "RS256", use: "sig" }] });
    } else if (at.pathname === "/auth") {
      const code = randomUUID(), back = new URL(at.searchParams.get("redirect_uri"));
      asked.set(code, at.searchParams);
      back.searchParams.set("code", code);
      back.searchParams.set("state", at.searchParams.get("state"));
      res.writeHead(302, { Location: back.href }).end();
    } else {
      let body = "";
      for await (const part of req) body += part;
      const form = new URLSearchParams(body), q = asked.get(form.get("code"));
      asked.delete(form.get("code"));
      p.codes++;
      const known = q && q.get("tenant") === "1" && q.get("redirect_uri") === form.get("redirect_uri")
        && q.get("client_id") === form.get("client_id") && q.get("code_challenge_method") === "S256"
        && createHash("sha256").update(form.get("code_verifier")).digest("base64url") === q.get("code_challenge");
      if (!known) json({ error: "invalid_grant" }, 400);
      else json({ access_token: "x", token_type: "Bearer", id_token: tokenFor(p.nonce ?? q.get("nonce")) });
    }
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  p.issuer = `http://127.0.0.1:${http.address().port}`;
  return p;
}

/** The game that the first test begins. */
let table = "";

const kept = (page) => page.waitForSelector('.signed[data-keeping="kept"]');

/** held is what a browser holds of games. */
const held = (page) => page.evaluate(() => JSON.parse(localStorage["warledger.games"] ?? "{}"));

/** secret is spelt like a token, and opens nothing. */
const secret = (kind, letter) => `wl_${kind}_${letter.repeat(52)}`;

/** sent notes what a page has the server keep. */
function sent(page) {
  const all = [];
  page.on("request", (r) => r.url().endsWith("/UpdateKeyring") && all.push({ as: r.headers().authorization,
    content: Buffer.from(fromBinary(UpdateKeyringRequestSchema, r.postDataBuffer()).keyring.content) }));
  return all;
}

test("whoever signs in with the provider may begin games, and finds them on another device", async () => {
  const rosa = await person(browser, url + "#/new/toy/ridge", { name: "Rosa" }), { page } = rosa;
  // Without signing in nobody begins a game here.
  await page.waitForSelector("#sign-first #sign-provider");
  await page.click("#create");
  await page.waitForSelector(".trouble[role=alert]");
  assert.match(await page.locator(".trouble[role=alert]").innerText(), /signed in/);
  // An answer to what this tab has not asked for is not taken in.
  await page.evaluate(() => (sessionStorage["warledger.attempt"] = JSON.stringify({ state: "of this tab", back: "",
    nonce: "n".repeat(43), verifier: "v".repeat(43) })));
  await page.goto(url + "?code=stolen&state=forged#/new/toy/ridge");
  await page.waitForSelector("#sign-provider");
  assert.equal(page.url(), url + "#/new/toy/ridge");
  assert.equal(provider.codes, 0, "a code was spent that nobody had asked for");
  // A token that was made for another request opens nothing.
  provider.nonce = "of another request";
  await page.click("#sign-provider");
  await page.waitForFunction(() => location.search === "" && location.hash.includes("/new/"));
  await page.waitForSelector("#sign-provider");
  await page.evaluate(() => (location.hash = "#/"));
  await page.waitForSelector("#sign-in .fault");
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  provider.nonce = undefined;
  // The person comes back to where they were, without a trace in the address.
  await page.evaluate(() => (location.hash = "#/new/toy/ridge"));
  const uploads = sent(page);
  await page.click("#sign-provider");
  await page.waitForFunction(() => sessionStorage["warledger.signed"]);
  await page.waitForSelector("#create");
  assert.equal(page.url(), url + "#/new/toy/ridge");
  table = await setUp(rosa, { seats: ["red"] });
  // What must not travel: chains, and tokens that are void.
  const game = await page.evaluate(() => {
    const all = JSON.parse(localStorage["warledger.games"]), name = Object.keys(all)[0];
    all[name].chains = { red: { seed: "a chain" } };
    all[name].former = { blue: "wl_s_void" };
    localStorage["warledger.games"] = JSON.stringify(all);
    return name;
  });
  await page.goto(url + "#/");
  await page.reload();
  await kept(page);
  assert.match(await page.locator(".signed").innerText(), /Rosa Luna/);
  const plain = inflateRawSync(uploads.at(-1).content).toString(), { games } = JSON.parse(plain);
  const here = (await held(page))[game];
  assert.deepEqual(Object.keys(games), [game]);
  assert.deepEqual({ owner: games[game].owner, seats: games[game].seats }, { owner: here.owner, seats: here.seats });
  assert.doesNotMatch(plain, /chain|former|void/);

  // Another device finds them.
  const phone = await person(browser, url, { width: 390, height: 844 });
  await phone.page.click("#sign-provider");
  await kept(phone.page);
  await phone.page.waitForFunction(() => document.querySelectorAll("#mine li").length === 1);
  const there = (await held(phone.page))[game];
  assert.deepEqual({ owner: there.owner, seats: there.seats }, { owner: here.owner, seats: here.seats });
  assert.equal(there.chains, undefined);

  // Whoever has signed in in one tab has signed in in all. Signing out takes the games off this device if one wants
  // that, and signing in brings them back. No other tab brings them back, nor one that is restored. What another tab
  // makes while one signs out is not lost.
  const tab = await phone.context.newPage();
  await tab.goto(url);
  await kept(tab);
  const makes = async (title) => {
    await tab.evaluate((title) => (localStorage["warledger.games"] = JSON.stringify({
      ...JSON.parse(localStorage["warledger.games"]), ["games/" + title]: { title, seats: {}, opened: 1e12 } })),
    title);
    // What one tab stores another one reads a little later.
    await phone.page.waitForFunction((name) => localStorage["warledger.games"].includes(name), "games/" + title);
  };
  let late = 0;
  // Either tab may be the one that keeps what was made.
  await phone.context.route("**/UpdateKeyring", async (route) => {
    const answer = await route.fetch();
    if (!late++) await makes("late");
    await route.fulfill({ response: answer });
  });
  const session = await tab.evaluate(() => sessionStorage["warledger.signed"]);
  await phone.page.click("#sign-out");
  assert.match(await phone.page.locator(".signed").innerText(), /lost a seat.* no longer take it again or agree/);
  await makes("before"); // so that there is something to keep
  await phone.page.click("#sign-out-remove");
  await phone.page.waitForSelector("#sign-in");
  await tab.waitForSelector("#sign-in");
  assert.ok(late > 0, "nothing was kept");
  await phone.context.unroute("**/UpdateKeyring");
  await tab.evaluate((was) => (sessionStorage["warledger.signed"] = was), session);
  await tab.reload();
  await tab.waitForSelector("#sign-in");
  assert.equal(await tab.evaluate(() => sessionStorage.length), 0);
  await tab.close();
  assert.deepEqual(await held(phone.page), {});
  assert.equal(await phone.page.evaluate(() => sessionStorage.length), 0);
  await phone.page.click("#sign-provider");
  await phone.page.waitForFunction((game) => JSON.parse(localStorage["warledger.games"])[game], game);
  await kept(phone.page);
  assert.deepEqual(Object.keys(await held(phone.page)).sort(), [game, "games/before", "games/late"].sort());
  // What a link brought to one device goes after what another has opened: neither made-up tokens nor a crowd of seats
  // that do not exist take the place of the real ones.
  const own = { owner: secret("o", "r"), seats: { japan: secret("s", "r") } };
  const hold = (on, game) => on.evaluate((game) => (localStorage["warledger.games"] = JSON.stringify({
    ...JSON.parse(localStorage["warledger.games"]), "games/flood": { title: "flood", ...game } })), game);
  await hold(page, { owner: secret("o", "x"), seats: Object.fromEntries([...Array(16).keys()]
    .map((i) => ["z" + i, secret("s", "x")])), opened: 1, brought: true });
  await page.reload();
  await kept(page);
  assert.equal(JSON.parse(inflateRawSync(uploads.at(-1).content)).games["games/flood"].seats.z15, secret("s", "x"));
  const after = sent(phone.page);
  await hold(phone.page, { ...own, opened: 2 });
  await phone.page.reload();
  await kept(phone.page);
  const flooded = JSON.parse(inflateRawSync(after.at(-1).content)).games["games/flood"];
  assert.deepEqual([flooded.owner, flooded.seats.japan], [own.owner, own.seats.japan]);
  // A token that has become void on one device does not come back to it, nor does a game that was forgotten on another.
  await page.evaluate((name) => {
    const all = JSON.parse(localStorage["warledger.games"]), token = all[name].seats.red;
    delete all[name].seats.red;
    localStorage["warledger.games"] = JSON.stringify(all);
    localStorage["warledger.gone"] = JSON.stringify({ [token.slice(0, 17)]: Date.now() });
  }, game);
  await page.reload();
  await kept(page);
  const left = (await held(page))[game];
  assert.deepEqual(left.seats, {});
  assert.deepEqual(left.chains, { red: { seed: "a chain" } }, "a chain was lost");
  assert.deepEqual(JSON.parse(inflateRawSync(uploads.at(-1).content)).games[game].seats, {});
  await phone.page.evaluate((all) => {
    localStorage["warledger.games"] = "{}";
    localStorage["warledger.gone"] = JSON.stringify(Object.fromEntries(all.map((name) => [name, Date.now()])));
  }, [game, "games/before", "games/late", "games/flood"]);
  await phone.page.reload();
  await kept(phone.page);
  await page.reload();
  await kept(page);
  assert.deepEqual([await held(page), await held(phone.page)], [{}, {}]);
  // Whoever has the server forget the keyring is signed out, and nothing is sent any more.
  await page.click("#keyring-forget");
  await page.click("#keyring-forget-yes");
  await page.waitForSelector("#sign-in");
  // A write that was begun before a keyring was made and deleted elsewhere does not bring it back.
  let arrived, release;
  const stopped = new Promise((yes) => (arrived = yes)), free = new Promise((yes) => (release = yes));
  await page.route("**/UpdateKeyring", async (route) => {
    arrived();
    await free;
    await route.continue();
  });
  await page.click("#sign-provider");
  await stopped;
  // A device that had found the keyring asks before it keeps games again.
  const again = sent(phone.page);
  await phone.page.evaluate(() => dispatchEvent(new Event("focus")));
  await phone.page.waitForSelector('.signed[data-keeping="forgotten"]');
  await phone.page.reload();
  await phone.page.waitForSelector('.signed[data-keeping="forgotten"]');
  assert.deepEqual(again, []);
  await phone.page.click("#keep-again");
  await kept(phone.page);
  assert.equal(again.length, 1);
  await phone.page.click("#keyring-forget");
  await phone.page.click("#keyring-forget-yes");
  await phone.page.waitForSelector("#sign-in");
  release();
  await page.waitForSelector('.signed[data-keeping="forgotten"]');
  assert.ok(await page.evaluate(() => Object.keys(localStorage).some((x) => x.startsWith("warledger.seen."))));
  await phone.page.click("#sign-provider");
  await kept(phone.page);
  // Whoever created a game is its owner by name, also where nothing else is left of it.
  await phone.page.goto(table);
  await ready(phone.page); // a seat is free, so the table is shown
  assert.equal(await phone.page.locator("#close-game").count(), 0);
  await phone.page.click("#own-by-name");
  await phone.page.waitForSelector("#close-game");
  await phone.page.goto(url + "#/");
  await kept(phone.page);
  // When the provider's token has expired the page asks to sign in again.
  await phone.page.evaluate(() => {
    const who = JSON.parse(sessionStorage["warledger.signed"]);
    sessionStorage["warledger.signed"] = JSON.stringify({ ...who, expires: Date.now() });
  });
  await phone.page.reload();
  await phone.page.waitForSelector("#sign-in[open]");
  assert.match(await phone.page.locator("#sign-in").innerText(), /expired/);
  assert.equal(await phone.page.evaluate(() => sessionStorage.length), 0);
  // What stays can be removed by whoever comes to the browser next.
  await phone.page.evaluate((all) => (localStorage["warledger.games"] = JSON.stringify(all)), { [game]: here });
  await phone.page.reload();
  await phone.page.click("#games-remove");
  assert.match(await phone.page.locator("#sign-in").innerText(), /Remove them\? You lose seats and games/);
  await phone.page.click("#games-remove-yes");
  await phone.page.waitForFunction(() => localStorage["warledger.games"] === "{}");
  assert.equal(await phone.page.locator("#games-remove").count(), 0);
  for (const p of [rosa, phone]) {
    assert.deepEqual(p.faults, []);
    await p.context.close();
  }
});

test("a passkey finds one's games again, and the server cannot read them", async () => {
  const blaise = await person(browser, url), { page } = blaise;
  const cdp = await blaise.context.newCDPSession(page), uploads = sent(page);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", { options: { protocol: "ctap2", ctap2Version: "ctap2_1",
    transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, hasPrf: true,
    automaticPresenceSimulation: true } });
  assert.equal(uploads.length, 0);
  await page.click("#passkey-make");
  await kept(page);
  await page.goto(table);
  await ready(page);
  await page.click("#tab-table");
  await page.click('[data-take="blue"]');
  await page.waitForSelector('[data-seat="blue"].mine');
  await page.goto(url + "#/");
  await kept(page);
  const [name, mine] = Object.entries(await held(page))[0];
  assert.ok(mine.seats.blue);
  // Signing out keeps what is newest first.
  await page.click("#sign-out");
  await page.click("#sign-out-remove");
  await page.waitForSelector("#passkey-use");
  assert.deepEqual(await held(page), {});
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  for (const { as, content } of uploads) {
    assert.match(as, /^Bearer wl_k_[a-z2-7]{52}$/);
    assert.throws(() => inflateRawSync(content));
    assert.ok(!content.includes(mine.seats.blue));
  }
  await page.click("#passkey-use");
  await page.waitForFunction((name) => JSON.parse(localStorage["warledger.games"])[name], name);
  assert.deepEqual((await held(page))[name].seats, mine.seats);
  assert.equal(new Set(uploads.map((u) => u.as)).size, 1);
  // Nothing is removed while this browser has another token of a seat than the server.
  await kept(page);
  const swap = (token) => page.evaluate(([name, token]) => {
    const all = JSON.parse(localStorage["warledger.games"]);
    all[name].seats.blue = token;
    localStorage["warledger.games"] = JSON.stringify(all);
  }, [name, token]);
  await swap(secret("s", "x"));
  await page.reload();
  await kept(page);
  await page.click("#sign-out");
  await page.click("#sign-out-remove");
  assert.match(await page.locator(".signed .fault").innerText(), /tokens of some games differ.*lost: The ridge/);
  assert.equal((await held(page))[name].seats.blue, secret("s", "x"));
  await swap(mine.seats.blue);
  await page.reload();
  // Nothing is removed while some games are too many to be kept.
  await kept(page);
  await page.evaluate((title) => {
    const all = JSON.parse(localStorage["warledger.games"]);
    for (let i = 0; i < 5; i++) all["games/w" + i] = { title, seats: {}, opened: 1 };
    localStorage["warledger.games"] = JSON.stringify(all);
  }, "long ".repeat(30_000));
  await page.reload();
  await kept(page);
  await page.click("#sign-out");
  await page.click("#sign-out-remove");
  assert.match(await page.locator(".signed .fault").innerText(), /too many games/);
  assert.equal(Object.keys(await held(page)).length, 6);
  // Signing out without removing the games signs out all tabs, too.
  const tab = await blaise.context.newPage();
  await tab.goto(url);
  await kept(tab);
  await page.click("#sign-out-stay");
  await tab.waitForSelector("#sign-in");
  assert.equal(Object.keys(await held(tab)).length, 6);
  assert.deepEqual(blaise.faults, []);
  await blaise.context.close();
});
