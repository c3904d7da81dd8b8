// A server of the tests' own, built from this checkout. The web board's tests use it too.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** serve builds the server and starts it on a free port with a file of its own, or on a database. args come last. */
export async function serve({ port = 0, store = "", args = [],
  dir = mkdtempSync(join(tmpdir(), "warledger-web-")) } = {}) {
  const program = process.env.WARLEDGERD || join(tmpdir(), `warledgerd-web-${process.pid}`);
  if (!process.env.WARLEDGERD) {
    execFileSync("go", ["build", "-o", program, "./cmd/warledgerd"], { cwd: root, stdio: "inherit" });
    process.env.WARLEDGERD = program;
    process.on("exit", () => rmSync(program, { force: true }));
  }
  const child = spawn(program,
    ["--with-toy", "--listen", "127.0.0.1:0", "--web", `127.0.0.1:${port}`, "--ops", "off",
    ...(store ? ["--store", store, "--signing-key", join(dir, "signing-key")] : ["--db", join(dir, "games.db")]),
    "--log-level", "error", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((done, fail) => {
    let said = "";
    child.stdout.on("data", (part) => {
      said += part;
      const at = /by HTTP on ([\d.:]+),/.exec(said);
      if (at) done(`http://${at[1]}/`);
    });
    child.on("exit", (code) => fail(new Error(`warledgerd ended with ${code}: ${said}`)));
  });
  return {
    url, dir,
    port: Number(new URL(url).port),
    async stop({ keep = false } = {}) {
      const ended = new Promise((done) => child.on("exit", done));
      child.kill("SIGTERM");
      await ended;
      if (!keep) rmSync(dir, { recursive: true, force: true });
    },
  };
}
