import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Ruleset, Scenario, SeatInfo } from "@warledger/client/proto/v1/catalog_service";
import { Strength, type Computer } from "@warledger/client/proto/v1/computer_service";
import { JoinPolicy } from "@warledger/client/proto/log/v1/log";
import { go } from "../route";
import { STRENGTHS } from "../panels/computer";
import { forget, holder, keepOwner } from "../wallet";
import { again, as, computers, games, refusal, uuid } from "../wire";
import { listed, t } from "../words";
import { Ids } from "./begin";
import { Thumbnail } from "./thumbnail";

/** Offer is a ruleset with the scenarios that come with it. */
export interface Offer {
  ruleset: Ruleset;
  scenarios: Scenario[];
}

/** Levels from the hardest. */
const LEVELS = [Strength.STRONG, Strength.EASY, Strength.CHANCE];

// How well a computer plays a scenario; unspecified if it does not play it.
function level(c: Computer, scenario: Scenario): Strength {
  const [, ruleset, , id] = scenario.name.split("/");
  const r = c.repertoire.find((r) => r.ruleset === "rulesets/" + ruleset
    && (!r.scenarios.length || r.scenarios.includes(id!)));
  return r?.strength ?? Strength.UNSPECIFIED;
}

// The scenario for a first evening: the one with the fewest turns.
function shortest(all: Scenario[]): Scenario | undefined {
  return all.reduce<Scenario | undefined>((a, b) => (!a || (b.turns || Infinity) < (a.turns || Infinity) ? b : a),
    undefined);
}

// Whoever plays one seat of a side plays them all: the computer has the others.
function sidesOf(set: Ruleset): SeatInfo[][] {
  const sides = new Map<string, SeatInfo[]>();
  for (const s of set.seats) sides.set(s.side || s.id, [...(sides.get(s.side || s.id) ?? []), s]);
  return [...sides.values()];
}

// A computer may have been taken meanwhile: then nobody is left with half a game.
async function drop(game: string): Promise<void> {
  try {
    await games.closeGame({ name: game, requestId: uuid() }, as(game));
    forget(game);
  } catch {
    // it stays among one's games, where its owner can end it
  }
}

/** PlayNow begins a game against the server's own computers with one click on the side that one wants to play. */
export function PlayNow({ offers }: { offers: Offer[] }) {
  const list = useSignal<Computer[]>([]), wanted = useSignal(Strength.STRONG), busy = useSignal(false),
    fault = useSignal("");
  useEffect(() => {
    // without an answer there is nobody to play against
    computers.listComputers({}).then((r) => (list.value = r.computers.filter((c) => c.house)), () => undefined);
  }, []);
  const levels = LEVELS.filter((l) => list.value.some((c) => c.repertoire.some((r) => r.strength === l)));
  if (!levels.length) return null;
  const begin = async (set: Ruleset, scenario: Scenario, mine: SeatInfo[], computer: Computer) => {
    const ids = new Ids(), others = set.seats.filter((s) => !mine.includes(s));
    busy.value = true;
    fault.value = "";
    let game = "";
    try {
      const made = await again(() => games.createGame({ requestId: ids.game, ruleset: set.name,
        joinPolicy: JoinPolicy.INVITED, source: { case: "scenario", value: scenario.name.split("/").at(-1)! },
        title: scenario.title }));
      game = made.game!.name;
      keepOwner(game, scenario.title, made.ownerToken);
      for (const s of mine) await ids.sit(made.game!, s.id);
      for (const s of others) await ids.give(made.game!, s.id, computer.name, false);
      go("games", game.replace("games/", ""));
    } catch (thrown) {
      fault.value = refusal(thrown).message;
      if (game) await drop(game);
    }
    busy.value = false;
  };
  return (
    <section aria-labelledby="now-title" class="now">
      <h2 id="now-title">{t("playNow")}</h2>
      <p class="note">{t("playNowNote")}</p>
      <div class="filters">
        <label class="field">{t("playNowAgainst")}
          <select id="now-level" value={String(wanted.value)}
            onChange={(e) => (wanted.value = Number(e.currentTarget.value))}>
            {levels.map((l) => <option key={l} value={String(l)}>{t(STRENGTHS[l]!)}</option>)}
          </select></label>
        <label class="field">{t("yourName")}<input id="now-holder" value={holder.value} maxLength={80}
          onInput={(e) => (holder.value = e.currentTarget.value)} /></label>
      </div>
      {fault.value && <p class="fault" role="alert">{fault.value}</p>}
      <ul class="cards">
        {offers.map((o) => <Now key={o.ruleset.name} offer={o} computers={list.value} wanted={wanted.value}
          busy={busy.value} begin={begin} />)}
      </ul>
    </section>
  );
}

function Now({ offer: { ruleset: set, scenarios }, computers: all, wanted, busy, begin }: {
  offer: Offer; computers: Computer[]; wanted: Strength; busy: boolean;
  begin(set: Ruleset, scenario: Scenario, mine: SeatInfo[], computer: Computer): Promise<void>;
}) {
  const chosen = useSignal("");
  const playable = scenarios.filter((s) => all.some((c) => level(c, s)));
  const scenario = playable.find((s) => s.name === chosen.value) ?? shortest(playable);
  if (!scenario) return null;
  // If no computer of the wanted strength is free, the next weaker one plays, or else the strongest.
  const able = all.filter((c) => level(c, scenario) && c.seats < c.maxSeats),
    below = LEVELS.slice(LEVELS.indexOf(wanted));
  const best = [...below, ...LEVELS].find((l) => able.some((c) => level(c, scenario) === l));
  const computer = able.find((c) => level(c, scenario) === best);
  return (
    <li class="card">
      <Thumbnail scenario={scenario.name} title={scenario.title} />
      <h3>{set.title}</h3>
      {playable.length > 1 ? (
        <select aria-label={t("playNowWhich", { game: set.title })} value={scenario.name}
          onChange={(e) => (chosen.value = e.currentTarget.value)}>
          {playable.map((s) => <option key={s.name} value={s.name}>
            {s.title + (s.turns > 0 ? ` (${t("turnsN", { n: s.turns })})` : "")}</option>)}
        </select>
      ) : <p>{scenario.title}</p>}
      {!best ? <p class="note">{t("playNowBusy")}</p>
        : best !== wanted && <p class="note">{t("playNowOnly", { level: t(STRENGTHS[best]!) })}</p>}
      <div class="sides">
        {sidesOf(set).map((side) => (
          <button key={side[0]!.id} class="button" disabled={busy || !computer}
            data-now={side.map((s) => s.id).join("+")} data-ruleset={set.name}
            onClick={() => computer && void begin(set, scenario, side, computer)}>
            {side.map((s) => <i key={s.id} style={{ background: s.color }} aria-hidden="true" />)}
            {t("playNowAs", { seats: listed(side.map((s) => s.title)) })}</button>
        ))}
      </div>
    </li>
  );
}
