import { Driver } from "./driver.mjs";
import { create, launch, person, ready, serve } from "./harness.mjs";
const out = "/tmp/wl-web/pics/";
const [server, browser] = await Promise.all([serve(), launch()]);
const six = ["germany","japan","italy","soviet-union","united-kingdom","united-states"];
const jobs = {
  downfall: { scenario: "downfall/olympic", seats: ["us","japan"], play: 55, seed: 4 },
  ocs: { scenario: "ocs/crimea-trappenjagd", seats: ["blue","red"], play: 0, seed: 2, first: "end" },
  anniversary: { scenario: "anniversary/1941", seats: six, play: 0, seed: 2, first: "research 0" },
};
for (const [name, j] of Object.entries(jobs)) {
  if (process.argv[2] && !process.argv[2].split(",").includes(name)) continue;
  const p = await person(browser, server.url, { name: "Rosa", width: 1280, height: 800 });
  await create(p, j.scenario, { seats: j.seats });
  // quick: everyone ends set-up, then moves
  const d = new Driver(p, { seed: j.seed, check: 0, prefer: (seat, c) => (j.first && !c.some((x) => /^move/.test(x)) ? (c.find((x) => x === "end") ?? c.find((x) => x === "research 0") ?? c.find((x)=>/^place-supply|^waive|^first/.test(x)) ?? "") : "") });
  if (j.play) await d.play(j.play);
  else for (let i = 0; i < 40; i++) { await ready(p.page); const o = await d.offered(); if (o.buttons.some((c) => /^move/.test(c)) ) break; await d.decide(); }
  await p.page.screenshot({ path: out + name + "-0.png" });
  const o = await d.offered();
  if (o.actors.length) {
    for (const a of o.actors) {
      await d.clickIn(`.stacks .piece[data-piece="${a}"]`);
      await p.page.waitForTimeout(800);
      if (await p.page.locator(".fan").count()) { await d.clickIn(".fan .piece:has(.can-act)"); await p.page.waitForTimeout(800); }
      if (await p.page.locator("[data-target]").count() > 4) break;
      const c = p.page.locator(".actions .chosen button"); if (await c.count()) await c.click();
    }
  }
  await p.page.screenshot({ path: out + name + "-1.png" });
  await p.context.close();
}
await browser.close(); await server.stop();
