// Plays games in a browser by clicking what the page offers, chosen by chance with a seed: counters, spaces, boxes,
// menus and buttons. It types nothing and calls nothing, but asks the server now and then whether the page offers all
// that may be done.
import { openIndex, out, ready } from "./harness.mjs";

/** chance is a small generator of random numbers (mulberry32), so that a game can be played again. */
export function chance(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** How many clicks may go by without a record before the driver takes the next best button. */
const PATIENT_CLICKS = 7;

// outOfTheWay folds the board of a combat away where it would lie over the map, unless it has losses to choose.
async function outOfTheWay(page) {
  const fold = page.locator('.battle .fold[aria-expanded="true"]'), losses = await page.locator("#lose").count();
  if (!losses && (await fold.count())) await fold.click();
}

/** Driver plays all seats that one browser holds. */
export class Driver {
  /** Decisions by what the last click was on. */
  routes = new Map();
  decisions = 0;
  clicks = 0;
  checked = 0;
  /** The longest list of actions, and the longest wait for a decision to be shown, in milliseconds. */
  longest = 0;
  slowest = 0;
  spent = 0;
  /** Clicks on spaces that hit something else. */
  strays = 0;

  /**
   * prefer(seat, commands, random) may name the command whose button is to be pressed; otherwise everything that the
   * page offers is as likely to be clicked.
   */
  constructor(p, { seed = 1, prefer = () => "", check = 20 } = {}) {
    Object.assign(this, { p, page: p.page, random: chance(seed), prefer, check });
  }

  pick(all) {
    return all[Math.floor(this.random() * all.length)];
  }

  /**
   * play goes on until the game is over or has come to a turn, or so many decisions were made; true unless it is the
   * last.
   */
  async play(limit = Infinity, turn = Infinity) {
    try {
      while (this.decisions < limit) {
        await ready(this.page);
        if ((await this.page.locator("div.over").count()) || (await this.turn()) >= turn) return true;
        await this.decide();
      }
    } catch (fault) {
      await this.page.screenshot({ path: `${out}driver.png` });
      throw new Error(`decision ${this.decisions + 1}: ${fault.stack}`);
    }
    return false;
  }

  /** turn is the game's, as the head of the page has it; 0 before the first. */
  async turn() {
    return Number(await this.page.getAttribute(".bar .clock", "data-turn"));
  }

  /** decide clicks until there is a new record. */
  async decide() {
    await openIndex(this.page);
    await outOfTheWay(this.page);
    const begun = Date.now();
    let before = await this.offered();
    this.longest = Math.max(this.longest, before.total);
    if (this.check && this.decisions % this.check === 0) {
      await this.compare(before);
      before = await this.offered(); // what was chosen has been let go
    }
    const named = this.prefer(before.seat, before.buttons, this.random);
    let last = "", aimed = false;
    for (let n = 0; ; n++) {
      const now = n ? await this.offered() : before;
      if (now.version !== before.version) {
        this.routes.set(last, (this.routes.get(last) ?? 0) + 1);
        break;
      }
      if (now.trouble) {
        if (!aimed) throw new Error(`what was offered is refused: ${now.trouble}`);
        this.strays++;
        await this.page.click(".trouble > button.quiet");
      }
      last = named && !now.sure && now.buttons.includes(named) ? await this.press(named) : await this.choose(now, n);
      this.clicks++;
      if (last && !(await this.settled(now, last === "space"))) this.strays++;
      aimed ||= last === "space";
    }
    this.decisions++;
    const took = Date.now() - begun;
    this.spent += took;
    this.slowest = Math.max(this.slowest, took);
  }

  /** offered is everything on the page that can be clicked in order to decide. */
  offered() {
    return this.page.evaluate(() => {
      if (window.clicks_ === undefined) {
        window.clicks_ = 0;
        document.addEventListener("click", () => window.clicks_++, true);
      }
      const ids = (selector, key) => [...document.querySelectorAll(selector)].map((x) => x.dataset[key]);
      const game = document.querySelector(".game");
      return {
        clicks: window.clicks_, version: game.dataset.version, state: game.dataset.state,
          total: Number(game.dataset.actions),
        seat: document.querySelector('.switch [aria-pressed="true"]')?.dataset.act ?? ids(".bar .waits", "seat")[0],
        targets: ids("svg.map [data-target]", "target"),
        // A combat's own board: hits to be assigned, which are chosen already, and what there is to be bought.
        forms: ids(".purchase:has([data-lot]) [data-lot]", "lot"),
        fan: ids(".fan .piece:has(.can-act)", "piece"),
        actors: ids(".stacks .piece:has(.can-act)", "piece"),
        tray: ids(".play .boxes .tray-piece:has(.can-act)", "piece"),
        boxes: ids(".play .boxes section:has(.target)", "box"),
        // Zones to put something into, and the button that sends them once all is placed.
        zones: ids("svg.map .zones > g[data-zone]:not(.closed)", "zone"),
        placed: document.querySelectorAll("#parts-done:enabled").length,
        sure: document.querySelectorAll("#sure-yes").length,
        menu: ids(".menu button.do", "command"),
        buttons: ids(".index > .kind button.do", "command"),
        chosen: document.querySelectorAll("svg.map .is-selected, .tray-piece[aria-pressed=true]").length,
        trouble: document.querySelector(".trouble")?.textContent ?? "",
      };
    });
  }

  /** choose clicks one of the things that are offered, and says what kind of thing it was. */
  async choose(now, n) {
    if (now.sure) {
      await this.page.click("#sure-yes");
      return "sure";
    }
    if (now.menu.length) return this.press(this.pick(now.menu), ".menu", "menu");
    if (now.placed) {
      await this.page.click("#parts-done");
      return "zones";
    }
    const ways = [];
    if (now.zones.length) ways.push("zone", "zone", "zone");
    if (n < PATIENT_CLICKS) {
      if (now.chosen && this.random() < 0.25) ways.push("clear", "clear", "clear");
      if (now.fan.length) ways.push("fan", "fan");
      else if (now.actors.length && !now.chosen) ways.push("counter", "counter");
      if (now.tray.length && !now.chosen) ways.push("tray");
      if (now.targets.length) ways.push("space", "space");
      if (now.boxes.length) ways.push("box");
    }
    if (now.buttons.length) ways.push("button");
    if (now.forms.length) ways.push("form", "form");
    const way = this.pick(ways);
    if (way === "form") return this.fill(now.forms);
    if (way === "button") return this.press(this.pick(now.buttons));
    if (way === "tray")
      await this.page.locator(`.play .boxes .tray-piece[data-piece="${this.pick(now.tray)}"]`).first().click();
    else if (way === "box")
      await this.page.locator(`.play .boxes section[data-box="${this.pick(now.boxes)}"] .target`).click();
    else if (way === "fan") return (await this.clickIn(`.fan .piece[data-piece="${this.pick(now.fan)}"]`)) ? way : "";
    else if (way === "counter")
      return (await this.clickIn(`.stacks .piece[data-piece="${this.pick(now.actors)}"]`)) ? way : "";
    else if (way === "zone")
      return (await this.clickIn(`svg.map [data-zone="${this.pick(now.zones)}"] path`)) ? way : "";
    else if (way === "space")
      return (await this.clickIn(`svg.map [data-target="${this.pick(now.targets)}"]`)) ? way : "";
    else if (now.chosen) {
      await this.page.click(".prompt .chosen button");
      return "clear";
    } else throw new Error("the page offers nothing: " + JSON.stringify(now).slice(0, 400));
    return way;
  }

  // fill clicks one more of a thing in a form, and then its button if that can be pressed.
  async fill(things) {
    const more = this.page.locator(`[data-lot="${this.pick(things)}"] .number button`).last(),
      send = this.page.locator("#buy, #lose");
    if (await more.isEnabled()) await more.click();
    if (!(await send.isEnabled())) return "";
    await send.click();
    return "form";
  }

  async press(command, within = ".actions", way = "button") {
    await this.page.locator(`${within} button.do[data-command="${command.replaceAll('"', '\\"')}"]`).first().click();
    return way;
  }

  /** clickIn moves the map until a shape is in view and clicks a point inside it. */
  async clickIn(selector) {
    const at = await this.page.evaluate(([selector, u, v]) => {
      const el = document.querySelector(selector);
      if (!el) return "gone"; // what it was offered by has come to an end meanwhile
      const sheet = document.querySelector(".frame"), frame = sheet.getBoundingClientRect();
      el.scrollIntoView({ block: "center", inline: "center" });
      const box = el.getBBox(), point = (x, y) => new DOMPoint(x, y).matrixTransform(el.getScreenCTM());
      const inFrame = (p) => p.x > frame.left + 4 && p.x < frame.right - 4 && p.y > frame.top + 4
        && p.y < frame.bottom - 4;
      if (!el.isPointInFill) {
        const p = point(box.x + box.width / 2, box.y + box.height / 2);
        return [p.x, p.y];
      }
      for (let i = 0; i < 400; i++) {
        // The middle first, then points all over the shape.
        const x = box.x + box.width * (i ? (u + i * 0.618034) % 1 : 0.5),
          y = box.y + box.height * (i ? (v + i * 0.754878) % 1 : 0.5);
        if (!el.isPointInFill(new DOMPoint(x, y))) continue;
        let p = point(x, y);
        if (!inFrame(p)) {
          // The middle of a shape that lies on both edges of the world is on neither.
          sheet.scrollBy({ left: p.x - (frame.left + frame.right) / 2, top: p.y - (frame.top + frame.bottom) / 2,
            behavior: "instant" });
          p = point(x, y);
        }
        if (inFrame(p) && document.elementFromPoint(p.x, p.y)?.closest("svg.map")) return [p.x, p.y];
      }
      return null;
    }, [selector, this.random(), this.random()]);
    if (!at) throw new Error(`${selector} cannot be brought into view`);
    if (at !== "gone") await this.page.mouse.click(...at);
    return at !== "gone";
  }

  /**
   * settled waits until a click has led to something; true if it has. One on a space may go astray, to a counter or an
   * island that lies on it: that is no fault.
   */
  async settled(now, mayStray = false) {
    // The click has come to the page, and the page has drawn what it led to.
    await this.page.waitForFunction((clicks) => window.clicks_ > clicks, now.clicks);
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const done = (was) => {
      const game = document.querySelector(".game");
      return game.dataset.busy === "false"
        && (was === null || game.dataset.state !== was.state || !!document.querySelector(".trouble"));
    };
    try {
      await this.page.waitForFunction(done, mayStray ? null : now);
    } catch (fault) {
      throw new Error("a click led to nothing: " + fault.message + JSON.stringify(now).slice(0, 300));
    }
    return this.page.evaluate(done, now);
  }

  /** ask calls the server as a seat, or as all seats, beside the page. */
  ask(method, seat, request) {
    return this.page.evaluate(async ([method, seat, request]) => {
      const name = "games/" + location.hash.split("/")[2];
      const { seats } = JSON.parse(localStorage["warledger.games"])[name];
      const r = await fetch("/warledger.v1.GameService/" + method, {
        method: "POST",
          headers: { "Content-Type": "application/json",
          Authorization: (seat ? [seats[seat]] : Object.values(seats)).map((x) => "Bearer " + x).join(", ") },
          body: JSON.stringify({ name, ...request }),
      });
      return r.json();
    }, [method, seat, request]);
  }

  /** compare asks the server what may be done, and whether the page lists it all once it is asked to. */
  async compare(now) {
    if (now.total === 0 || now.total > 600) return;
    const { actions } = await this.ask("ListLegalActions", now.seat, { seat: now.seat, pageSize: 10000 });
    const want = (actions ?? []).map((a) => a.command);
    const clear = this.page.locator(".prompt .chosen button");
    if (await clear.count()) {
      await clear.click();
      await this.settled(now);
    }
    await openIndex(this.page);
    for (const more = this.page.locator(".index > .kind button.more"); await more.count(); ) await more.first().click();
    const got = new Set((await this.offered()).buttons), missing = want.filter((c) => !got.has(c));
    if (missing.length || got.size !== want.length)
      throw new Error(`the page lists ${got.size} of ${want.length}; missing: ${missing.slice(0, 5)}`);
    this.checked++;
  }

  /** kinds counts the commands of the game by kind. */
  async kinds() {
    const all = new Map();
    for (let pageToken = ""; ; ) {
      const r = await this.ask("ListRecords", "", { pageSize: 1000, pageToken });
      for (const { notation = "" } of r.records) if (notation)
        all.set(notation.split(" ")[0], (all.get(notation.split(" ")[0]) ?? 0) + 1);
      if (!(pageToken = r.nextPageToken)) return all;
    }
  }

  /** told is what the driver has done, in words. */
  async told() {
    const list = (m) => [...m].sort(([, a], [, b]) => b - a).map(([k, n]) => `${k} ${n}`).join(", ");
    const each = (this.spent / Math.max(this.decisions, 1)).toFixed(0);
    return `${this.decisions} decisions, ${this.clicks} clicks, ${each} ms a decision (slowest ${this.slowest}), ` +
      `longest list ${this.longest}, ${this.checked} lists compared with the server, ${this.strays} clicks astray\n` +
      `  last click on: ${list(this.routes)}\n  commands: ${list(await this.kinds())}`;
  }
}
