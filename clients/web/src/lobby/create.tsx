import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { OptionInfo, Ruleset, Scenario } from "@warledger/client/proto/v1/catalog_service";
import { DiceKind, JoinPolicy, Silence } from "@warledger/client/proto/log/v1/log";
import { deadlinesOf, USUAL } from "../game/deadline";
import { part } from "../later";
import { said, useComputers } from "../panels/computer";
import { needOf, type Need } from "../panels/need";
import { DeadlineFields } from "../panels/terms";
import { RuleLink } from "../panels/rule";
import { Settings } from "../panels/settings";
import { go, linkTo } from "../route";
import { holder, keepOwner } from "../wallet";
import { again, catalog, games, refusal, uuid } from "../wire";
import { lang, t, type Key } from "../words";
import { Ids } from "./begin";
import { SignFirst } from "./person";
import { OwnDocument, SaveDocument } from "./own";
import { Thumbnail } from "./thumbnail";

const DiceDialog = part("DiceDialog");

const POLICIES: [JoinPolicy, Key][] = [[JoinPolicy.OPEN, "policyOpen"], [JoinPolicy.FIRST_COME, "policyFirst"],
  [JoinPolicy.INVITED, "policyInvited"]];

const DICE: [DiceKind, string, Key][] = [
  [DiceKind.COMMITTED, "committed", "diceCommittedLong"], [DiceKind.MUTUAL, "mutual", "diceMutualLong"],
    [DiceKind.MANUAL, "manual", "diceManualLong"],
];

/** Seconds after which a game with mutual dice goes on without missing answers; 0 waits. */
const SILENCE: [number, Key][] = [[0, "silenceWait"], [60, "silenceMinute"], [3600, "silenceHour"],
  [86400, "silenceDay"]];

/**
 * Create sets up a game of a scenario, or of a document of one's own: options, dice, who may join, title, and the seats
 * that one takes oneself.
 */
export function Create({ ruleset, scenario }: { ruleset: string; scenario?: string }) {
  const set = useSignal<Ruleset | null>(null), doc = useSignal<Scenario | null>(null),
    own = useSignal<Uint8Array | null>(null), wanted = useSignal(USUAL), fault = useSignal(""),
    policy = useSignal(JoinPolicy.OPEN);
  const title = useSignal(""), thrown = useSignal(DiceKind.COMMITTED), goOn = useSignal(0),
    options = useSignal<Record<string, string>>({}), seats = useSignal<string[]>([]), busy = useSignal(false),
    need = useSignal<Need | null>(null);
  const ids = useMemo(() => new Ids(), []);
  const parent = "rulesets/" + ruleset, name = `${parent}/scenarios/${scenario}`;
  const offered = useComputers(parent, scenario ?? ""), given = useSignal<Record<string, string>>({}),
    givesUp = useSignal(false);
  useEffect(() => {
    Promise.all([catalog.getRuleset({ name: parent, languageCode: lang.value }), scenario
      ? catalog.getScenario({ name, languageCode: lang.value }) : null]).then(
      ([r, s]) => {
        set.value = r.ruleset!;
        if (!s) return;
        doc.value = s.scenario!;
        if (!title.value) title.value = s.scenario!.title;
      },
      (thrown) => (fault.value = refusal(thrown).message),
    );
  }, []);
  const create = async (dice: number[]) => {
    busy.value = true;
    fault.value = "";
    try {
      const made = await again(() => games.createGame({
        requestId: ids.game, ruleset: parent, joinPolicy: policy.value,
        source: own.value ? { case: "scenarioDocument", value: own.value }
          : { case: "scenario", value: scenario ?? "" }, options: options.value,
        dice: thrown.value, title: title.value, manualDice: dice,
        mutualDice: thrown.value === DiceKind.MUTUAL && goOn.value
          ? { onSilence: Silence.GO_ON, answerTime: { seconds: BigInt(goOn.value) } } : undefined,
        deadlines: deadlinesOf(wanted.value),
      }));
      const game = made.game!;
      keepOwner(game.name, title.value, made.ownerToken);
      for (const seat of seats.value) await ids.sit(game, seat);
      for (const [seat, computer] of Object.entries(given.value)) {
        if (!computer || seats.value.includes(seat) || thrown.value !== DiceKind.COMMITTED) continue;
        await ids.give(game, seat, computer, givesUp.value);
      }
      go("games", game.name.replace("games/", ""));
    } catch (thrown) {
      const r = refusal(thrown);
      need.value = needOf(r, dice, (all) => void create(all));
      if (!need.value) fault.value = r.message;
      busy.value = false;
      ids.game = uuid();
    }
  };
  const toggle = (seat: string, on: boolean) => (seats.value = on ? [...seats.value, seat]
    : seats.value.filter((s) => s !== seat));
  return (
    <div class="lobby">
      <header class="bar"><a href={linkTo()} class="home">◆ Warledger</a><h1>
        {doc.value?.title ?? (scenario ? "…" : t("ownScenario"))}</h1><Settings /></header>
      <main id="main">
        {fault.value && <p class="trouble" role="alert">{fault.value}</p>}
        <SignFirst />
        {set.value && !scenario && <OwnDocument ruleset={set.value} taken={(data, file) => {
          own.value = data;
          if (data && !title.value) title.value = file;
        }} />}
        {set.value && (doc.value || own.value) && (
          <form class="create" onSubmit={(e) => {
            e.preventDefault();
            void create([]);
          }}>
            {doc.value && <div class="about"><Thumbnail scenario={name} title={doc.value.title} /><div><p>
              {doc.value.description}</p><SaveDocument scenario={name} /></div></div>}
            <label class="field">{t("gameTitle")}<input id="title" value={title.value} maxLength={200}
              onInput={(e) => (title.value = e.currentTarget.value)} /></label>
            <fieldset>
              <legend>{t("whoPlays")}</legend>
              <p class="note">{t("whoPlaysNote")}</p>
              <label class="field">{t("yourName")}<input id="holder" value={holder.value} maxLength={80}
                onInput={(e) => (holder.value = e.currentTarget.value)} /></label>
              {set.value.seats.map((s) => (
                <label key={s.id} class="check">
                  <input type="checkbox" name="seat" value={s.id}
                  onChange={(e) => toggle(s.id, e.currentTarget.checked)} />
                  <i style={{ background: s.color }} aria-hidden="true" />{s.title}</label>
              ))}
              {thrown.value === DiceKind.COMMITTED && offered.length > 0
                && set.value.seats.filter((s) => !seats.value.includes(s.id)).map((s) => (
                <label key={s.id} class="field">{t("computerFor", { seat: s.title })}
                  <select name={"computer-" + s.id} value={given.value[s.id] ?? ""}
                    onChange={(e) => (given.value = { ...given.value, [s.id]: e.currentTarget.value })}>
                    <option value="">{t("computerNobody")}</option>
                    {offered.map((c) => <option key={c.name} value={c.name}>{said(c, parent)}</option>)}
                  </select>
                </label>
              ))}
              {Object.entries(given.value).some(([seat, c]) => c && !seats.value.includes(seat)) && (
                <label class="check"><input id="gives-up" type="checkbox" checked={givesUp.value}
                  onChange={(e) => (givesUp.value = e.currentTarget.checked)} />{t("computerGivesUp")}</label>
              )}
            </fieldset>
            <fieldset>
              <legend>{t("joinPolicy")}</legend>
              {POLICIES.map(([p, key]) => <label key={p} class="check">
                <input type="radio" name="join" value={JoinPolicy[p]} checked={policy.value === p}
                onChange={() => (policy.value = p)} />{t(key)}</label>)}
            </fieldset>
            <fieldset>
              <legend>{t("dice")}</legend>
              {DICE.map(([kind, value, key]) => (
                <label key={value} class="check"><input type="radio" name="dice" value={value}
                  checked={thrown.value === kind} onChange={() => (thrown.value = kind)} />{t(key)}</label>
              ))}
              {thrown.value === DiceKind.MUTUAL && (
                <label class="field">{t("diceSilence")}
                  <select id="silence" value={String(goOn.value)}
                    onChange={(e) => (goOn.value = Number(e.currentTarget.value))}>
                    {SILENCE.map(([seconds, key]) => <option key={seconds} value={String(seconds)}>{t(key)}</option>)}
                  </select>
                </label>
              )}
            </fieldset>
            <fieldset>
              <legend>{t("deadlines")}</legend>
              <DeadlineFields wanted={wanted} />
            </fieldset>
            {set.value.options.length > 0 && (
              <fieldset>
                <legend>{t("options")}</legend>
                {set.value.options.map((o) =>
                  <Option key={o.id} option={o} ruleset={parent} value={options.value[o.id]}
                  set={(v) => (options.value = { ...options.value, [o.id]: v })} />)}
              </fieldset>
            )}
            <button id="create" class="button" disabled={busy.value}>{t("create")}</button>
          </form>
        )}
        <DiceDialog wanted={need} />
      </main>
    </div>
  );
}

function Option({ option: o, ruleset, value, set }:
  { option: OptionInfo; ruleset: string; value?: string | undefined; set(v: string): void }) {
  const now = value ?? o.values[0];
  const toggle = o.values.length === 2 && o.values.includes("true") && o.values.includes("false");
  return (
    <div class="option">
      <label class="check">
        {toggle ? <input type="checkbox" name={o.id} checked={now
          === "true"} onChange={(e) => set(e.currentTarget.checked ? "true" : "false")} /> : (
          <select name={o.id} value={now} onChange={(e) => set(e.currentTarget.value)}>
            {o.values.map((v) => <option key={v} value={v}>{v}</option>)}</select>
        )}
        {o.description}
      </label>
      {o.rule && <RuleLink id={o.rule} ruleset={ruleset} />}
    </div>
  );
}
