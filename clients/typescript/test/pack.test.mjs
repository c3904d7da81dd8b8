// What `npm pack` makes is whole: it installs into an empty folder without a network, imports in Node, and type-checks.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

test("the package installs from its file, imports and type-checks", async () => {
  const folder = mkdtempSync(join(tmpdir(), "warledger-pack-"));
  try {
    const packed = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder],
      { cwd: here("..") });
    const [{ filename, files }] = Object.values(JSON.parse(packed.stdout));
    const names = files.map((f) => f.path);
    for (const name of ["README.md", "package.json", "dist/index.js", "dist/index.d.ts",
      "dist/gen/warledger/v1/game_service_pb.js", "examples/bot.mjs"]) {
      assert.ok(names.includes(name), `${name} is not in the package`);
    }
    const strange =
      names.filter((name) =>
      !/^(README\.md|LICENSE|package\.json|examples\/\w+\.mjs|dist\/[\w/]+(\.d\.ts|\.js))$/.test(name));
    assert.deepEqual(strange, []);
    // The dependencies are those that lie there already: nothing asks a registry.
    const { dependencies, version } = JSON.parse(readFileSync(here("../package.json"), "utf8"));
    const all = Object.fromEntries(Object.keys(dependencies)
      .map((name) => [name, "file:" + here(`../../node_modules/${name}`)]));
    all["@warledger/client"] = "file:" + join(folder, filename);
    writeFileSync(join(folder, "package.json"),
      JSON.stringify({ name: "empty", private: true, type: "module", dependencies: all }));
    await run("npm",
      ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--cache", join(folder, "cache")],
      { cwd: folder });
    assert.equal(JSON.parse(readFileSync(join(folder, "node_modules/@warledger/client/package.json"), "utf8")).version,
      version);
    const program = [
      'import { Client, Refused, Wallet, type LegalAction, type Update } from "@warledger/client";',
      'import { DiceKind } from "@warledger/client/proto/log/v1/log";',
      'import { type Game, GameSchema } from "@warledger/client/proto/v1/game_service";',
      'const client: Client = new Client("localhost:7482", { tokens: new Wallet() });',
      "export async function first(g: string): Promise<LegalAction | undefined> {",
      "  return (await client.game(g, \"red\").listLegal())[0];",
      "}",
      "export const told = (u: Update): Game | undefined => u.caughtUp;",
      "console.log(typeof Refused, DiceKind.MUTUAL, GameSchema.typeName, client.backoff.longest);",
    ];
    writeFileSync(join(folder, "program.mts"), program.join("\n") + "\n");
    const options = ["--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom", "--types", ""];
    await run(process.execPath, [here("../../node_modules/typescript/bin/tsc"), ...options, "program.mts"],
      { cwd: folder });
    const { stdout } = await run(process.execPath, ["program.mjs"], { cwd: folder });
    assert.equal(stdout, "function 3 warledger.v1.Game 4000\n");
    writeFileSync(join(folder, "wrong.mts"), 'import { Client } from "@warledger/client";\nnew Client(7482);\n');
    await assert.rejects(run(process.execPath,
      [here("../../node_modules/typescript/bin/tsc"), ...options, "--noEmit", "wrong.mts"], { cwd: folder }), /./);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
