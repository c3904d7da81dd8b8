// What players see when the primary of the database dies and its standby takes over.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { clickOn, create, heard, launch, out, PATIENCE, person, reached, ready, serve } from "./harness.mjs";

// Where it is set nothing is skipped, as with the tests in Go.
const programs = process.env.WARLEDGER_POSTGRES;
const root = process.getuid?.() === 0;

/** free is a port that nobody listens on. */
const free = () => new Promise((done) => {
  const s = createServer().listen(0, "127.0.0.1", () => {
    const { port } = s.address();
    s.close(() => done(port));
  });
});

/** argv is a command line of one of PostgreSQL's programs, which refuse to run as root. */
const argv = (name, ...args) => [...(root ? ["runuser", "-u", "postgres", "--"] : []), join(programs, name), ...args];
const run = (...line) => execFileSync(line[0], line.slice(1),
  { cwd: tmpdir(), stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });

/** until waits for something. */
async function until(what, done) {
  for (const begun = Date.now(); ; await new Promise((go) => setTimeout(go, 100))) {
    try {
      if (done()) return;
    } catch (e) {
      if (Date.now() - begun > 4 * PATIENCE) throw e;
    }
    assert.ok(Date.now() - begun < 4 * PATIENCE, `waited in vain until ${what}`);
  }
}

/** databases starts a primary and a standby that it waits for. */
async function databases() {
  const folder = mkdtempSync(join(tmpdir(), "warledger-failover-"));
  if (root) {
    const [uid, gid] = ["-u", "-g"].map((flag) => Number(run("id", flag, "postgres")));
    chownSync(folder, uid, gid);
  }
  const all = [];
  for (const name of ["primary", "standby"]) all.push({ data: join(folder, name), port: await free() });
  const [primary, standby] = all;
  const start = ({ data, port }) =>
    spawn(...((line) => [line[0], line.slice(1)])(argv("postgres", "-D", data, "-p", port, "-c",
    "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=${folder}`)), { stdio: "ignore" });
  const sql = ({ port }, text) =>
    run(...argv("psql", "-X", "-A", "-t", "-h", folder, "-p", port, "-U", "postgres", "-d", "postgres", "-c", text))
    .trim();
  const kill = ({ data }) => {
    try {
      process.kill(Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]), "SIGKILL");
    } catch { /* it is gone */ }
  };
  after(() => {
    all.forEach(kill);
    rmSync(folder, { recursive: true, force: true });
  });
  run(...argv("initdb", "-D", primary.data, "--no-sync", "--username=postgres", "--auth=trust", "--encoding=UTF8",
    "--locale=C"));
  start(primary);
  await until("the primary takes connections", () => sql(primary, "select 1") === "1");
  run(...argv("pg_basebackup", "-D", standby.data, "-h", folder, "-p", primary.port, "-U", "postgres", "--no-sync",
    "--checkpoint=fast", "-R"));
  sql(primary, "alter system set synchronous_standby_names = '*'");
  sql(primary, "select pg_reload_conf()");
  start(standby);
  await until("the standby follows", () => sql(primary, "select sync_state from pg_stat_replication") === "sync");
  return {
    store: `postgres://postgres@127.0.0.1,127.0.0.1/postgres`.replace("127.0.0.1,127.0.0.1",
      all.map((d) => `127.0.0.1:${d.port}`).join(",")),
    kill: () => kill(primary),
    promote: () => sql(standby, "select pg_promote()"),
  };
}

test("the board says that the database is away, and goes on when the standby has taken over",
  { skip: programs ? false : "WARLEDGER_POSTGRES is not set" }, async () => {
  const d = await databases(), server = await serve({ store: d.store }), browser = await launch();
  after(async () => {
    await browser.close();
    await server.stop();
  });
  const red = await person(browser, server.url, { name: "Rosa" }), { page } = red;
  await create(red, "toy/ridge", { seats: ["red", "blue"], manual: true });
  await clickOn(page, '[data-target="0303"]');
  await page.waitForFunction(() => document.querySelector(".game")?.dataset.busy === "false");
  const version = await heard(page);
  d.kill();
  await page.waitForSelector('[data-link="lost"]', { timeout: 4 * PATIENCE });
  assert.ok((await page.locator("[data-link]").innerText()).includes("connection lost"),
    "the board does not say it in words");
  await page.screenshot({ path: `${out}failover.png`, animations: "disabled" });
  if (process.env.UPDATE)
    await page.screenshot({ path: fileURLToPath(new URL("../../../docs/pictures/failover.png", import.meta.url)),
    animations: "disabled" });
  d.promote();
  await page.waitForSelector('[data-link="live"]', { timeout: 4 * PATIENCE });
  await ready(page);
  assert.equal(await heard(page), version, "the log is not what it was");
  await clickOn(page, '[data-target="0503"]');
  await reached(page, version + 1);
  assert.deepEqual(red.faults, []);
});
