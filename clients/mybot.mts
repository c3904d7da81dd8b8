import { Client, type LegalAction } from "@warledger/client";

const outposts = ["0103", "0301", "0303", "0503"];

function worth(a: LegalAction): number {
  if (a.kind === "attack") return 3;
  if (a.kind === "move" && outposts.includes(a.spaces.at(-1)!)) return 2;
  return a.kind === "end" ? 1 : 0;
}

function choose(seat: string, actions: LegalAction[]): LegalAction {
  if (seat === "red") return actions.reduce((x, y) => (worth(y) > worth(x) ? y : x));
  return actions[Math.floor(Math.random() * actions.length)];
}

const client = new Client("http://127.0.0.1:41129");
const created = await client.create({
  ruleset: "rulesets/toy", source: { case: "scenario", value: "ridge" }, title: "My first bot",
});
const table = client.game(created.game!.name);
for (const seat of ["red", "blue"]) await table.take(seat, `bot:${seat}`);

let game = await table.get();
while (!game.over) {
  const player = table.as(game.waitingFor[0]);
  const action = choose(player.seat, await player.listLegal());
  const done = await player.submit(action.command, { expected: action.version });
  game = done.game!;
}
console.log(`${game.name}: ${game.ending!.text}`);
