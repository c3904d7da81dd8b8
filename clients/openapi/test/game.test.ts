// A stranger's client: types made from the OpenAPI document by openapi-typescript, calls by openapi-fetch. The compiler
// holds each path, parameter and field of this file against the document, and the server answers as the types say.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Game = components["schemas"]["v1.Game"];
type Failure = components["schemas"]["Error"];

interface Server {
  url: string;
  stop(): Promise<void>;
}

let server: Server;
before(async () => {
  const helper = new URL("../../typescript/test/server.mjs", import.meta.url).href;
  server = await (await import(helper) as { serve(): Promise<Server> }).serve();
});
after(() => server?.stop());

/** client sends a seat's token, if there is one. */
function client(token?: string) {
  return createClient<paths>({
    baseUrl: server.url.replace(/\/$/, ""),
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
}

/** got is the answer, which must be one. */
function got<T>({ data, error }: { data?: T; error?: Failure }): T {
  assert.equal(error, undefined, JSON.stringify(error));
  assert.ok(data !== undefined);
  return data;
}

/** begin is a game of Outpost with both seats taken: its id, and a client for each seat. */
async function begin() {
  const made = got(await client().POST("/v1/games", {
    body: { requestId: crypto.randomUUID(), ruleset: "rulesets/toy", scenario: "ridge", title: "From a document" },
  }));
  const game = made.game?.name?.replace("games/", "") ?? "";
  const seats = new Map<string, ReturnType<typeof client>>();
  for (const seat of ["red", "blue"]) {
    const taken = got(await client().POST("/v1/games/{game}/seats/{seat}:take", {
      params: { path: { game, seat } }, body: { requestId: crypto.randomUUID(), holder: seat },
    }));
    seats.set(seat, client(taken.seatToken));
  }
  return { game, seats };
}

test("a generated client plays a whole game", async () => {
  const { game, seats } = await begin();
  let now: Game = got(await client().GET("/v1/games/{game}", { params: { path: { game } } })).game ?? {};
  for (let n = 0; !now.over && n < 500; n++) {
    const seat = now.waitingFor?.[0] ?? "";
    const own = seats.get(seat);
    assert.ok(own, `it waits for ${seat}`);
    const list = got(await own.GET("/v1/games/{game}/legal", { params: { path: { game }, query: { seat } } }));
    const actions = list.actions ?? [];
    assert.equal(actions.length, list.totalSize);
    const chosen = actions[(n * 7) % actions.length];
    const answer = got(await own.POST("/v1/games/{game}/commands", {
      params: { path: { game } },
      body: { seat, notation: chosen.command, commandId: crypto.randomUUID(), expectedVersion: list.version },
    }));
    assert.ok(answer.game);
    now = answer.game;
  }
  assert.ok(now.over);
  const page = got(await client().GET("/v1/games/{game}/records", {
    params: { path: { game }, query: { pageSize: 1000, wholeTree: true } },
  }));
  assert.equal(page.records?.at(-1)?.version, now.version);
});

test("an error is the one that the document describes", async () => {
  const { game, seats } = await begin();
  const { error, response } = await seats.get("red")!.POST("/v1/games/{game}/commands", {
    params: { path: { game } }, body: { seat: "red", notation: "plan 9999", commandId: crypto.randomUUID() },
  });
  assert.equal(response.status, 400);
  assert.ok(error?.code && error.message, JSON.stringify(error));
  const nowhere = await client().GET("/v1/games/{game}", { params: { path: { game: "aaaaaaaaaaaaaaaaaaaaaaaaaa" } } });
  assert.equal(nowhere.response.status, 404);
  assert.equal(nowhere.error?.code, "not_found");
});

test("a watch is lines of what the document describes", async () => {
  const { game } = await begin();
  const stop = new AbortController();
  const { response } = await client().GET("/v1/games/{game}/watch", {
    params: { path: { game }, query: { boardFirst: true } }, parseAs: "stream", signal: stop.signal,
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "application/x-ndjson");
  stop.abort();
});
