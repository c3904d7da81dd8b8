// The example bot and the bot of the tutorial play whole games.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client, endsGame } from "@warledger/client";
import { serve } from "./server.mjs";

const run = promisify(execFile);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const tsc = here("../../node_modules/typescript/bin/tsc");

let server;
before(async () => {
  server = await serve();
});
after(() => server?.stop());

test("the example bot plays a game to its end", async () => {
  const { stdout } = await run(process.execPath, [here("../examples/bot.mjs"), server.url]);
  const [, red, blue] = /^games\/[a-z2-7]{26}: .+ \((\d+) and (\d+) decisions\)\n$/.exec(stdout) ?? assert.fail(stdout);
  assert.ok(Number(red) > 3 && Number(blue) > 3, stdout);
});

/** compiled type-checks programs, each by the name of its file, and hands on the folder where they can be run. */
async function compiled(programs, use) {
  const folder = mkdtempSync(join(tmpdir(), "warledger-samples-"));
  try {
    mkdirSync(join(folder, "node_modules/@warledger"), { recursive: true });
    symlinkSync(here(".."), join(folder, "node_modules/@warledger/client"));
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text);
    const options = ["--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom", "--types", "",
      "--skipLibCheck"];
    await run(process.execPath, [tsc, ...options, ...Object.keys(programs)], { cwd: folder });
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** shown is a block of a page. */
const shown = (page, fence) => new RegExp(`^\\\`\\\`\\\`typescript${fence}\\n(.*?)^\\\`\\\`\\\`$`, "ms")
  .exec(readFileSync(here(`../../../docs/${page}`), "utf8"))?.[1];

/** sample is a program of a page, with this server in place of the usual one. */
function sample(page, fence) {
  const source = shown(page, fence);
  assert.ok(source?.includes("http://localhost:7482"), `${page} has no program that calls the usual port`);
  return source.replace("http://localhost:7482", server.url);
}

test("the bots of the pages play games to their ends", async () => {
  const client = new Client(server.url);
  const { game } = await client.create({ ruleset: "rulesets/toy", source: { case: "scenario", value: "ridge" } });
  const programs = { "mybot.mts": sample("tutorials/first-bot-in-typescript.md", " mybot/bot\\.mts") };
  for (const seat of ["red", "blue"]) {
    const { seatToken } = await client.game(game.name).take(seat, `bot:${seat}`);
    const loop = sample("howto/clients.md", "").replace(/"games\/[a-z2-7]{26}", "us"/, `"${game.name}", "${seat}"`);
    assert.ok(loop.includes(game.name));
    programs[`${seat}.mts`] = `const tokens = { tokens: () => ["${seatToken}"] };\n${loop}`;
  }
  await compiled(programs, async (folder) => {
    const { stdout } = await run(process.execPath, [join(folder, "mybot.mjs")]);
    assert.match(stdout, /^games\/[a-z2-7]{26}: .+\.\n$/);
    const ended = new AbortController();
    const bots = ["red",
      "blue"].map((seat) => run(process.execPath, [join(folder, `${seat}.mjs`)], { signal: ended.signal }));
    const watched = (async () => {
      for await (const { record } of client.game(game.name).watch({ signal: ended.signal }))
        if (record && endsGame(record)) return;
    })();
    await Promise.race([watched, Promise.all(bots)]); // a bot that ends has failed
    ended.abort();
    assert.equal((await client.game(game.name).get()).over, true);
    await Promise.allSettled(bots);
  });
});

test("the orders of the page are given, and a wrong one does not compile", async () => {
  const client = new Client(server.url);
  const source = { case: "scenario", value: "olympic" };
  const { game } = await client.create({ ruleset: "rulesets/downfall", source });
  const us = client.game(game.name, "us"), { seatToken } = await us.take("us", "bot:us");
  const page = shown("howto/bots.md", "");
  assert.ok(page?.includes("orders.downfall("), "docs/howto/bots.md gives no order in TypeScript");
  const head = `import { Client } from "@warledger/client";
const client = new Client("${server.url}", { tokens: { tokens: () => ["${seatToken}"] } });
const game = client.game("${game.name}", "us");\n`;
  const wrong = ['ocs({ order: "lead", value: "steps" })', 'ocs({ order: "keep" })', 'ocs({ order: "feed" })',
    'downfall({ order: "fire", choice: "none" })', 'anniversary({ submarines: "dive" })'];
  const refused = wrong.map((call) => `// @ts-expect-error\norders.${call};\n`).join("");
  const programs = { "orders.mts": page.replace(/^import.*\n/m, (line) => line + head),
    "wrong.mts": `import { orders } from "@warledger/client";\n${refused}` };
  await compiled(programs, async (folder) => {
    await run(process.execPath, [join(folder, "orders.mjs")]);
  });
  const { board } = await us.board({ viewer: "us" });
  assert.deepEqual(board.standingOrders.map((o) => o.command),
    ["standing abort never at 2819", "standing advance nobody of us-i-25"]);
});
