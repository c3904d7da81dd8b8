// Runs the bot of the tutorial for TypeScript, as the page has it, against a server.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { transformWithOxc } from "vite";
import { serve } from "./harness.mjs";

const page = fileURLToPath(new URL("../../../docs/tutorials/first-bot-in-typescript.md", import.meta.url));

test("the bot of the TypeScript tutorial plays a game to its end", async () => {
  const source = /^```typescript mybot\.mts\n(.*?)^```$/ms.exec(readFileSync(page, "utf8"))?.[1];
  assert.ok(source?.includes("http://localhost:7482/"), "the page has no bot that calls the usual port");
  const server = await serve();
  try {
    const { code } = await transformWithOxc(source.replace("http://localhost:7482/", server.url), "mybot.ts");
    const file = join(server.dir, "mybot.mjs");
    writeFileSync(file, code);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    assert.match(stdout, /^games\/[a-z2-7]{26}: .+\.\n$/);
  } finally {
    await server.stop();
  }
});
