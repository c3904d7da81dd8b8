import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Ruleset, Scenario } from "../gen/warledger/v1/catalog_service_pb";
import type { Game } from "../gen/warledger/v1/game_service_pb";
import { Settings } from "../panels/settings";
import { left } from "../game/deadline";
import { importGame } from "../game/file";
import { go, linkTo } from "../route";
import { forget, keepOwner, seatsOf, wallet } from "../wallet";
import { as, catalog, games, refusal } from "../wire";
import { ago, lang, t, type Key } from "../words";
import { Thumbnail } from "./thumbnail";

interface Offer {
  ruleset: Ruleset;
  scenarios: Scenario[];
}

/** Lobby is where one finds something to play or to watch. */
export function Lobby() {
  const offers = useSignal<Offer[] | null>(null);
  const fault = useSignal("");
  useEffect(() => {
    document.title = "Warledger";
    void (async () => {
      try {
        const { rulesets } = await catalog.listRulesets({ languageCode: lang.value });
        offers.value = await Promise.all(rulesets.map(async (ruleset) => ({ ruleset, scenarios: (await catalog.listScenarios({ parent: ruleset.name, languageCode: lang.value })).scenarios })));
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
        <Mine titles={offers.value ?? []} />
        <section aria-labelledby="new-title">
          <h2 id="new-title">{t("newGame")}</h2>
          {!offers.value && !fault.value && <p role="status">{t("loading")}</p>}
          {offers.value?.map((o) => (
            <div key={o.ruleset.name} class="ruleset">
              <h3>{o.ruleset.title}</h3>
              <p class="about-ruleset">{o.ruleset.description}</p>
              <ul class="cards">
                {o.scenarios.map((s) => {
                  const [, ruleset, , scenario] = s.name.split("/");
                  return (
                    <li key={s.name} class="card">
                      <Thumbnail scenario={s.name} title={s.title} />
                      <h4>{s.title}</h4>
                      <p>{s.description}</p>
                      <p class="seats-line">{o.ruleset.seats.map((x) => <span key={x.id}><i style={{ background: x.color }} aria-hidden="true" />{x.title}</span>)}</p>
                      <a class="button" data-scenario={`${ruleset}/${scenario}`} href={linkTo("new", ruleset!, scenario!)}>{t("setUp")}</a>
                    </li>
                  );
                })}
              </ul>
              <a class="own" data-own={o.ruleset.name} href={linkTo("own", o.ruleset.name.replace("rulesets/", ""))}>{t("ownScenario")}</a>
            </div>
          ))}
        </section>
        <Others title="openGames" open titles={offers.value ?? []} />
        <Others title="watchGames" titles={offers.value ?? []} />
        <Import />
      </main>
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
      <label class="field">{t("importFile")}<input id="import" type="file" accept=".wlg,application/octet-stream" disabled={share.value >= 0} onClick={(e) => (e.currentTarget.value = "")} onChange={(e) => void take(e.currentTarget.files?.[0])} /></label>
      {share.value >= 0 && <p role="status">{t("importing")} <progress max={1} value={share.value} /></p>}
      {fault.value && <p role="alert" class="fault">{fault.value}</p>}
    </section>
  );
}

function Mine({ titles }: { titles: Offer[] }) {
  const list = useSignal<(Game | string)[]>([]);
  const names = Object.entries(wallet.value).sort(([, a], [, b]) => b.opened - a.opened).map(([name]) => name).slice(0, 30);
  useEffect(() => {
    void Promise.all(names.map((name) => games.getGame({ name, languageCode: lang.value }, as(name)).then((r) => r.game!, (thrown) => (refusal(thrown).reason === "GAME_NOT_FOUND" ? (forget(name), "") : name)))).then(
      (all) => (list.value = all.filter(Boolean)),
    );
  }, [names.join()]);
  if (!list.value.length) return null;
  return (
    <section aria-labelledby="mine-title">
      <h2 id="mine-title">{t("myGames")}</h2>
      <ul class="games">{list.value.map((g) => (typeof g === "string" ? <li key={g}>{wallet.value[g]?.title || g}</li> : <Row key={g.name} game={g} titles={titles} />))}</ul>
    </section>
  );
}

function Others({ title, open, titles }: { title: Key; open?: boolean; titles: Offer[] }) {
  const list = useSignal<Game[]>([]), token = useSignal("");
  const more = async (from: string) => {
    const r = await games.listGames({ pageSize: 20, pageToken: from, runningOnly: true, openSeatsOnly: !!open });
    list.value = [...(from ? list.value : []), ...r.games.filter((g) => !(g.name in wallet.peek()) && (open || g.seats.some((s) => s.taken)))];
    token.value = r.nextPageToken;
  };
  useEffect(() => {
    more("").catch(() => undefined); // the lobby's own calls say what is wrong
    const timer = setInterval(() => document.visibilityState === "visible" && list.value.length <= 20 && more("").catch(() => undefined), 15_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <section aria-label={t(title)}>
      <h2>{t(title)}</h2>
      {list.value.length === 0 ? <p class="note">{t("noGames")}</p> : <ul class="games">{list.value.map((g) => <Row key={g.name} game={g} titles={titles} />)}</ul>}
      {token.value && <button class="quiet" onClick={() => void more(token.value)}>{t("moreGames")}</button>}
    </section>
  );
}

function Row({ game: g, titles }: { game: Game; titles: Offer[] }) {
  const offer = titles.find((o) => o.ruleset.name === g.ruleset);
  const scenario = offer?.scenarios.find((s) => s.name.endsWith("/" + g.scenario))?.title ?? g.scenario;
  const seat = (id: string) => offer?.ruleset.seats.find((s) => s.id === id)?.title ?? id;
  const mine = seatsOf(g.name), turn = g.waitingFor.some((s) => mine.includes(s));
  return (
    <li class={turn ? "turn" : ""}>
      <a href={linkTo("games", g.name.replace("games/", ""))} data-game={g.name}>
        <b>{g.title || scenario}</b> <span>{offer?.ruleset.title} · {scenario}</span>
      </a>
      <span class="state">
        {turn && <b class="tag">{t("yourTurn")}</b>}
        {g.over ? t("gameOver") : g.waitingFor.length ? t("waitingFor", { seat: g.waitingFor.map(seat).join(", ") }) : ""}
        {turn && g.clocks.filter((c) => c.dueTime && mine.includes(c.seat)).map((c) => <b key={c.seat}> · {left(c.dueTime!)}</b>)}
        {g.turn > 0 && " · " + t("turnN", { n: g.turn })}
        {g.seats.some((s) => !s.taken) && " · " + t("freeSeats", { seats: g.seats.filter((s) => !s.taken).map((s) => seat(s.id)).join(", ") })}
        {g.seats.some((s) => s.computer) && " · " + t("computerSeats", { seats: g.seats.filter((s) => s.computer).map((s) => seat(s.id)).join(", ") })}
        {g.updateTime && " · " + ago(Number(g.updateTime.seconds))}
      </span>
    </li>
  );
}
