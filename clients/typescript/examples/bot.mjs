// Plays a whole game of Outpost from both seats: one looks at what an action is worth, chance decides for the other.
//
//     node examples/bot.mjs http://localhost:7482
import { Client } from "@warledger/client";

const OUTPOSTS = ["0103", "0301", "0303", "0503"];

const client = new Client(process.argv[2] ?? "http://localhost:7482");
const { game } = await client.create({ ruleset: "rulesets/toy", source: { case: "scenario", value: "ridge" },
  title: "Two bots" });

/** worth says how much an action is liked. */
function worth(action) {
  if (action.kind === "attack") return 3;
  if (action.kind === "move" && OUTPOSTS.includes(action.spaces.at(-1))) return 2;
  return action.kind === "end" ? 1 : 0;
}

const choose = {
  red: (actions) => actions.reduce((a, b) => (worth(b) > worth(a) ? b : a)),
  blue: (actions) => actions[Math.floor(Math.random() * actions.length)],
};

/** play plays one seat until the game is over, and counts its decisions. */
async function play(seat) {
  const handle = client.game(game.name, seat);
  let decisions = 0;
  for await (const { record, caughtUp } of handle.watch()) {
    if (caughtUp?.over) break;
    if (!record && !caughtUp) continue;
    try {
      // As long as it is this seat's turn, the answer to a command brings the next list.
      for (let actions = await handle.listLegal(); actions.length; decisions++) {
        const { command, version } = choose[seat](actions);
        const answer = await handle.submit(command, { expected: version, next: true });
        actions = answer.game.over ? [] : await handle.nextLegal(answer);
      }
    } catch (thrown) {
      if (thrown.reason === "GAME_OVER") break;
      if (thrown.reason !== "VERSION_CONFLICT") throw thrown; // the other seat was quicker: the watch brings its record
    }
    if ((await handle.get()).over) break;
  }
  return decisions;
}

for (const seat of ["red", "blue"]) await client.game(game.name, seat).take(seat, `bot:${seat}`);
const [red, blue] = await Promise.all([play("red"), play("blue")]);
const { ending } = await client.game(game.name).get();
console.log(`${game.name}: ${ending.text} (${red} and ${blue} decisions)`);
