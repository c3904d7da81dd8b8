// The map as it is printed: shores and woods with soft edges that stay where the hexes are, rivers and roads that bend.
import assert from "node:assert/strict";
import { test } from "node:test";
import { create, out, person, ready, stage } from "./harness.mjs";

const { server, browser } = await stage();

/** What the frame may still grow when all lines above it are there, in pixels. */
const BAND = 8;

/** How many points one path of a map of areas may have. */
const LONGEST = 2000;

/**
 * strays are how far the points of drawn lines are from the nearest side of a hex at most, in hexes, and the number of
 * points.
 */
function strays(page, selector) {
  return page.evaluate((selector) => {
    const sides = [], map = document.querySelector("svg.map");
    const corners = /M([^MZ]+)Z/g, d = map.querySelector(".hexes").getAttribute("d");
    for (const [, ring] of d.matchAll(corners)) {
      const at = ring.split("L").map((p) => p.trim().split(" ").map(Number));
      at.forEach((p, i) => sides.push([p, at[(i + 1) % at.length]]));
    }
    const pitch = Math.hypot(sides[0][0][0] - sides[0][1][0], sides[0][0][1] - sides[0][1][1]) * Math.sqrt(3);
    let most = 0, points = 0;
    for (const path of map.querySelectorAll(selector)) {
      const length = path.getTotalLength();
      for (let at = 0; at < length && at < 6000; at += pitch / 4, points++) {
        const { x, y } = path.getPointAtLength(at);
        let least = Infinity;
        for (const [[ax, ay], [bx, by]] of sides) {
          if (Math.abs(ax - x) > pitch || Math.abs(ay - y) > pitch) continue;
          const t = Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay))
            / ((bx - ax) ** 2 + (by - ay) ** 2)));
          least = Math.min(least, Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)));
        }
        most = Math.max(most, least);
      }
    }
    return { most: most / pitch, points };
  }, selector);
}

test("shores, rivers and roads are soft lines, and the former keep to the sides of the hexes", async () => {
  const p = await person(browser, server.url, { name: "Rosa", width: 1440, height: 900 }), { page } = p;
  await create(p, "ocs/crimea-trappenjagd", { seats: ["blue", "red"] });
  const soft = (selector) => page.$$eval(`#map-ground ${selector}, #map-print ${selector}`,
    (all) => all.map((x) => (x.getAttribute("d").match(/Q/g) ?? []).length));
  assert.ok((await soft(".shore"))[0] > 100, "the shore goes from corner to corner");
  for (const line of ["minor_river", "salt_lake"])
    assert.ok((await soft(`[data-line="${line}"] path`))[0] > 3, `${line} is not there, or goes from corner to corner`);
  for (const road of ["rail", "track", "primary"])
    assert.ok((await soft(`[data-line="${road}"] path`))[0] > 3, `${road} is not there, or has no bends`);
  for (const of of [".shore", '[data-line="minor_river"] path']) {
    const { most, points } = await strays(page, of);
    assert.ok(points > 100 && most < 0.14, `${of}: ${points} points, ${most.toFixed(2)} hexes from a side`);
  }
  assert.ok((await page.locator("#map-ground pattern").count()) >= 4, "the ground has no textures");
  await page.screenshot({ path: out + "ground.png" });
  assert.deepEqual(p.faults, []);
  await p.context.close();
});

test("no band beside the map is empty at first, on a desk and on a phone, and what can act is in sight", async () => {
  for (const [width, height] of [[1440, 900], [390, 844]]) for (const [scenario, seats] of
    [["downfall/olympic", ["us", "japan"]], ["ocs/crimea-campaign", ["blue", "red"]]]) {
    const p = await person(browser, server.url, { name: "Rosa", width, height }), { page } = p;
    await create(p, scenario, { seats });
    const [frame, map] = [await page.locator(".frame").boundingBox(), await page.locator("svg.map").boundingBox()];
    assert.ok(map.width >= frame.width - BAND && map.height >= frame.height - BAND,
      `${scenario} at ${width}: ${JSON.stringify([map, frame])}`);
    // A frame that grows, as when the line above it says less, is filled again.
    await page.setViewportSize({ width, height: height + 150 });
    await page.waitForFunction((b) => document.querySelector("svg.map").getBoundingClientRect().height >= b
      && document.querySelector(".frame").clientHeight <= document.querySelector("svg.map").clientHeight + 8,
      frame.height + 100);
    await page.setViewportSize({ width, height });
    const seen = await page.$$eval(".stacks [data-stack]", (all, f) => all.filter((s) => {
      const b = s.getBoundingClientRect();
      return b.x > f.x && b.y > f.y && b.right < f.x + f.width && b.bottom < f.y + f.height;
    }).length, frame);
    assert.ok(seen > 0, `${scenario} at ${width} begins where nothing is`);
    assert.deepEqual(p.faults, []);
    await p.context.close();
  }
});

test("the first board takes two rounds: the page, and all else at once; no path of the map is long", async () => {
  const rosa = await person(browser, server.url, { name: "Rosa" });
  const url = await create(rosa, "anniversary/1942", { seats: ["japan"] });
  const page = await rosa.context.newPage(), asked = [];
  // Nothing of the second round is answered before all of it has been asked for, and nothing else before the board is
  // there.
  const wanted = ["index.*\\.js", "index.*\\.css", "GetGame", "GetBoard", "ListLegalActions"];
  const all = new Promise((done) => page.on("request", (r) => {
    const of = wanted.find((w) => new RegExp(w + "$").test(r.url()));
    if (of) asked.push(of);
    if (wanted.every((w) => asked.includes(w))) done();
  }));
  let show;
  const shown = new Promise((done) => (show = done)), first = new Set();
  await page.route(/assets|GameService/, async (r) => {
    const of = wanted.find((w) => new RegExp(w + "$").test(r.request().url()));
    if (of && !first.has(of)) {
      first.add(of);
      await all;
    } else await shown;
    await r.continue().catch(() => undefined); // the page may have given it up
  });
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForSelector("svg.map .stacks").catch(() => assert.fail("no board after the second round, in which the "
    + "page asked for " + asked.join(", ")));
  for (const call of wanted.slice(2))
    assert.equal(asked.filter((a) => a === call).length, 1, `the page asks again for ${call}`);
  show();
  await ready(page);
  assert.equal(await page.evaluate(() => window.early.length), 0);
  // What is painted when the map moves takes the longer the more points a path has, in sight or not.
  const longest = await page.$$eval("#map-ground path, #map-print path, .held path",
    (all) => Math.max(...all.map((x) => x.getAttribute("d").match(/[ML]/g).length)));
  assert.ok(longest < LONGEST, `one path of the map has ${longest} points`);
  assert.ok(await page.locator("#map-ground .shallow path").count() > 100, "no water is shallow");
  assert.deepEqual(rosa.faults, []);
  await rosa.context.close();
});
