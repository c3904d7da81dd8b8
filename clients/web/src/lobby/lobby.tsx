import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Scenario } from "@warledger/client/proto/v1/catalog_service";
import type { Game } from "@warledger/client/proto/v1/game_service";
import { Settings } from "../panels/settings";
import { left } from "../game/deadline";
import { importGame } from "../game/file";
import { go, linkTo } from "../route";
import { forget, keepOwner, seatsOf, wallet } from "../wallet";
import { as, catalog, games, refusal } from "../wire";
import { ago, lang, t, type Key } from "../words";
import { Arrived, OtherDevice } from "./devices";
import { SignIn } from "./person";
import { PlayNow, type Offer } from "./now";
import { Thumbnail } from "./thumbnail";

export { arrive } from "./arrive";

/** Lobby is where one finds something to play or to watch. */
export function Lobby() {
  const offers = useSignal<Offer[] | null>(null);
  const fault = useSignal("");
  useEffect(() => {
    void (async () => {
      try {
        const { rulesets } = await catalog.listRulesets({ languageCode: lang.value });
        offers.value =
          await Promise.all(
          rulesets.map(async (ruleset) =>
          ({ ruleset,
          scenarios: (await catalog.listScenarios({ parent: ruleset.name, languageCode: lang.value })).scenarios })));
      } catch (thrown) {
        fault.value = refusal(thrown).message;
      }
    })();
  }, []);
  return (
    <div class="lobby">
      <header class="bar"><span class="home">◆ Warledger</span><h1>{t("lobby")}</h1><Settings /></header>
      <main id="main">
        {fault.value && <p class="trouble" role="alert">{fault.value}</p>}
        <Arrived />
        <SignIn />
        <Mine titles={offers.value ?? []} />
        {offers.value && <PlayNow offers={offers.value} />}
        <Others title="openGames" open titles={offers.value ?? []} />
        <section aria-labelledby="new-title">
          <h2 id="new-title">{t("newGame")}</h2>
          {!offers.value && !fault.value && <p role="status">{t("loading")}</p>}
          {offers.value && <Scenarios offers={offers.value} />}
        </section>
        <Others title="watchGames" titles={offers.value ?? []} />
        <Import />
      </main>
    </div>
  );
}

/** Lengths of games by their turns: the longest that counts as such. */
const LENGTHS: [string, Key, number][] = [["short", "lengthShort", 6], ["middle", "lengthMiddle", 15],
  ["long", "lengthLong", Infinity]];

// Of a game without a last turn nobody knows how long it takes.
function lengthOf(s: Scenario): string {
  return LENGTHS.find(([, , most]) => (s.turns || Infinity) <= most)![0];
}

// What can be set up, narrowed by what one wants to play, how long, and with how many.
function Scenarios({ offers }: { offers: Offer[] }) {
  const game = useSignal(""), length = useSignal(""), players = useSignal("");
  const found = offers
    .filter((o) => (!game.value || o.ruleset.name === game.value)
      && (!players.value || String(o.ruleset.seats.length) === players.value))
    .map((o) => ({ ...o, scenarios: o.scenarios.filter((s) => !length.value || lengthOf(s) === length.value) }))
    .filter((o) => o.scenarios.length);
  const counts = [...new Set(offers.map((o) => o.ruleset.seats.length))].sort((a, b) => a - b);
  const choice = (id: string, key: Key, value: { value: string }, options: [string, string][]) => (
    <label class="field">{t(key)}
      <select id={id} value={value.value} onChange={(e) => (value.value = e.currentTarget.value)}>
        <option value="">{t("any")}</option>
        {options.map(([id, title]) => <option key={id} value={id}>{title}</option>)}
      </select>
    </label>
  );
  return (
    <>
      <div class="filters" role="search" aria-label={t("newGame")}>
        {choice("filter-game", "filterGame", game, offers.map((o) => [o.ruleset.name, o.ruleset.title]))}
        {choice("filter-length", "filterLength", length, LENGTHS.map(([id, key, most]) => [id, t(key, { n: most })]))}
        {choice("filter-players", "filterPlayers", players, counts.map((n) => [String(n), String(n)]))}
      </div>
      {!found.length && <p class="note" role="status">{t("noScenarios")}</p>}
      {found.map((o) => <RulesetCards key={o.ruleset.name} offer={o} />)}
    </>
  );
}

function RulesetCards({ offer: { ruleset: set, scenarios } }: { offer: Offer }) {
  return (
    <div class="ruleset">
      <h3>{set.title}</h3>
      <p class="about-ruleset">{set.description}</p>
      <ul class="cards">
        {scenarios.map((s) => {
          const [, ruleset, , scenario] = s.name.split("/");
          return (
            <li key={s.name} class="card">
              <Thumbnail scenario={s.name} title={s.title} />
              <h4>{s.title} {s.turns > 0 && <small class="tag">{t("turnsN", { n: s.turns })}</small>}</h4>
              <p>{s.description}</p>
              <p class="seats-line">
                {set.seats.map((x) => <span key={x.id}><i style={{ background: x.color }} aria-hidden="true" />
                  {x.title}{" "}</span>)}</p>
              <a class="button" data-scenario={`${ruleset}/${scenario}`} href={linkTo("new", ruleset!, scenario!)}>
                {t("setUp")}</a>
            </li>
          );
        })}
      </ul>
      <a class="own" data-own={set.name} href={linkTo("own", set.name.replace("rulesets/", ""))}>{t("ownScenario")}</a>
    </div>
  );
}

// A game that was played elsewhere, or here before, comes back in its file.
function Import() {
  const share = useSignal(-1), fault = useSignal("");
  const take = async (file: File | undefined) => {
    if (!file) return;
    fault.value = "";
    share.value = 0;
    try {
      const { game, ownerToken } = await importGame(file, (x) => (share.value = x));
      keepOwner(game!.name, game!.title, ownerToken);
      go("games", game!.name.replace("games/", ""));
    } catch (thrown) {
      fault.value = refusal(thrown).message;
    }
    share.value = -1;
  };
  return (
    <section aria-labelledby="import-title">
      <h2 id="import-title">{t("import")}</h2>
      <p class="note">{t("importNote")}</p>
      <label class="field">{t("importFile")}
        <input id="import" type="file" accept=".wlg,application/octet-stream"
        disabled={share.value >= 0} onClick={(e) => (e.currentTarget.value = "")} onChange={(e) =>
        void take(e.currentTarget.files?.[0])} /></label>
      {share.value >= 0 && <p role="status">{t("importing")} <progress max={1} value={share.value} /></p>}
      {fault.value && <p role="alert" class="fault">{fault.value}</p>}
    </section>
  );
}

/** How often the lobby looks again, in milliseconds. */
const AGAIN = 15_000;

/**
 * Told is a game of this browser with what is asked there of one of its seats; its name alone, if the server does not
 * show it.
 */
interface Told {
  game: Game | string;
  asked: string;
}

// What is asked of this browser's seats in a game that waits for one.
async function askedIn(g: Game): Promise<string> {
  const mine = seatsOf(g.name);
  if (g.over || !g.waitingFor.some((s) => mine.includes(s))) return "";
  const { board } = await games.getBoard({ name: g.name, languageCode: lang.value }, as(g.name));
  return board!.prompts.filter((p) => !p.optional && mine.includes(p.seat)).map((p) => p.text).join(" ");
}

async function lookAt(name: string): Promise<Told | null> {
  try {
    const { game } = await games.getGame({ name, languageCode: lang.value }, as(name));
    return { game: game!, asked: await askedIn(game!).catch(() => "") };
  } catch (thrown) {
    if (refusal(thrown).reason !== "GAME_NOT_FOUND") return { game: name, asked: "" };
    forget(name);
    return null;
  }
}

function isTurn({ game: g }: Told): boolean {
  return typeof g !== "string" && !g.over && g.waitingFor.some((s) => seatsOf(g.name).includes(s));
}

// My games, those first that wait for me, and of these the one that waits longest.
function Mine({ titles }: { titles: Offer[] }) {
  const list = useSignal<Told[]>([]);
  const names = Object.entries(wallet.value).sort(([, a], [, b]) => b.opened - a.opened).map(([name]) => name)
    .slice(0, 30);
  useEffect(() => {
    let gone = false;
    const look = () => void Promise.all(names.map(lookAt))
      .then((all) => !gone && (list.value = inOrder(all.filter((x) => x !== null))));
    look();
    const timer = setInterval(() => document.visibilityState === "visible" && look(), AGAIN);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [names.join()]);
  const turns = list.value.filter(isTurn).length;
  useEffect(() => {
    document.title = turns ? `● (${turns}) Warledger` : "Warledger";
  }, [turns]);
  if (!list.value.length) return null;
  return (
    <section aria-labelledby="mine-title">
      <h2 id="mine-title">{t("myGames")}{turns > 0 && <small class="tag"> {t("waitForYou", { n: turns })}</small>}</h2>
      <ul class="games" id="mine">
        {list.value.map(({ game: g, asked }) => (typeof g === "string" ? <li key={g}>{wallet.value[g]?.title || g}
        </li> : <Row key={g.name} game={g} titles={titles} asked={asked} />))}</ul>
      <OtherDevice />
    </section>
  );
}

function inOrder(all: Told[]): Told[] {
  const since = ({ game: g }: Told) => Number((typeof g !== "string" && g.updateTime?.seconds) || 0n);
  return [...all.filter(isTurn).sort((a, b) => since(a) - since(b)), ...all.filter((x) => !isTurn(x))];
}

function Others({ title, open, titles }: { title: Key; open?: boolean; titles: Offer[] }) {
  const list = useSignal<Game[]>([]), token = useSignal("");
  const more = async (from: string) => {
    const r = await games.listGames({ pageSize: 20, pageToken: from, runningOnly: true, openSeatsOnly: !!open });
    list.value = [...(from ? list.value : []),
      ...r.games.filter((g) => !(g.name in wallet.peek()) && (open || g.seats.some((s) => s.taken)))];
    token.value = r.nextPageToken;
  };
  useEffect(() => {
    more("").catch(() => undefined); // the lobby's own calls say what is wrong
    const timer = setInterval(() => document.visibilityState === "visible" && list.value.length <= 20
      && more("").catch(() => undefined), AGAIN);
    return () => clearInterval(timer);
  }, []);
  return (
    <section aria-label={t(title)}>
      <h2>{t(title)}</h2>
      {list.value.length === 0 ? <p class="note">{t("noGames")}</p> : <ul class="games">
        {list.value.map((g) => <Row key={g.name} game={g} titles={titles} />)}</ul>}
      {token.value && <button class="quiet" onClick={() => void more(token.value)}>{t("moreGames")}</button>}
    </section>
  );
}

function Row({ game: g, titles, asked }: { game: Game; titles: Offer[]; asked?: string }) {
  const offer = titles.find((o) => o.ruleset.name === g.ruleset);
  const scenario = offer?.scenarios.find((s) => s.name.endsWith("/" + g.scenario))?.title ?? g.scenario;
  const seat = (id: string) => offer?.ruleset.seats.find((s) => s.id === id)?.title ?? id;
  const mine = seatsOf(g.name), turn = g.waitingFor.some((s) => mine.includes(s));
  return (
    <li class={turn ? "turn" : ""}>
      <a href={linkTo("games", g.name.replace("games/", ""))} data-game={g.name}>
        <b>{g.title || scenario}</b> <span>{offer?.ruleset.title} · {scenario}</span>
      </a>
      {asked && <span class="asked-here">{asked}</span>}
      <span class="state">
        {turn && !g.over && <b class="tag">{t("yourTurn")}</b>}
        {g.over ? t("gameOver") : g.waitingFor.length ? t("waitingFor", { seat: g.waitingFor.map(seat).join(", ") })
          : ""}
        {turn && g.clocks.filter((c) => c.dueTime && mine.includes(c.seat))
          .map((c) => <b key={c.seat}> · {left(c.dueTime!)}</b>)}
        {g.turn > 0 && " · " + t("turnN", { n: g.turn })}
        {g.seats.some((s) => !s.taken)
          && " · " + t("freeSeats", { seats: g.seats.filter((s) => !s.taken).map((s) => seat(s.id)).join(", ") })}
        {g.seats.some((s) => s.computer)
          && " · " + t("computerSeats", { seats: g.seats.filter((s) => s.computer).map((s) => seat(s.id)).join(", ") })}
        {g.updateTime
          && " · " + (turn && !g.over ? t("since", { when: ago(Number(g.updateTime.seconds)) })
          : ago(Number(g.updateTime.seconds)))}
      </span>
    </li>
  );
}
