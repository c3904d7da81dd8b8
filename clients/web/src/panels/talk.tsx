import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Audience, type Message, type Report } from "@warledger/client/proto/v1/talk_service";
import type { GameModel } from "../game/model";
import { wallet } from "../wallet";
import { client, refusal } from "../wire";
import { ago, t, type Key } from "../words";
import { Sure } from "./link";
import { show, shownTab } from "./sheet";

const AUDIENCES: [Audience, Key][] = [[Audience.TABLE, "toTable"], [Audience.SIDE, "toSide"],
  [Audience.SELF, "toSelf"]];

/** SpaceTalk is what was said about the space that is shown, and the way to say something about it. */
export function SpaceTalk({ model }: { model: GameModel }) {
  const chosen = model.board.value?.pieces.find((p) => p.id === model.choice.value.pieces[0]);
  const place = model.fanned.value || chosen?.place || model.talk.place.value;
  if (!place || !model.atlas.value?.spaces.has(place)) return null;
  const here = model.talk.messages.value.filter((m) => m.pin.case === "space" && m.pin.value === place);
  const writes = (model.talk.state.value?.writingSeats.length ?? 0) > 0;
  if (!here.length && !writes) return null;
  const write = () => {
    model.talk.pin.value = { space: place };
    if (shownTab.value !== "talk") show("talk");
  };
  return (
    <section class="talk" aria-label={t("tabTalk")}>
      {here.length > 0 && <ol>{here.map((m) => <Line key={m.name} message={m} model={model} />)}</ol>}
      {writes && <button id="talk-here" class="quiet" onClick={write}>
        {t("sayHere", { space: spaceName(model, place) })}</button>}
    </section>
  );
}

/** TalkPanel is what people say to each other, with the line to say something. */
export function TalkPanel({ model }: { model: GameModel }) {
  const { talk } = model, list = talk.messages.value, state = talk.state.value;
  const end = useRef<HTMLLIElement>(null), trouble = useSignal("");
  useEffect(() => {
    end.current?.scrollIntoView({ block: "nearest" });
    const look = () => document.visibilityState === "visible" && talk.looked();
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [list]);
  const tried = (doing: Promise<unknown>) => {
    trouble.value = "";
    void doing.catch((thrown) => (trouble.value = refusal(thrown).message));
  };
  if (talk.trouble.value) {
    const hidden = talk.trouble.value.reason === "TALK_HIDDEN";
    return (
      <section class="talk" aria-label={t("tabTalk")}>
        <p class="note">{hidden ? t("talkHidden") : talk.trouble.value.message}</p>
        <button class="quiet" onClick={() => talk.follow()}>{t("talkAgain")}</button>
      </section>
    );
  }
  return (
    <section class="talk" aria-label={t("tabTalk")}>
      {list.length === 0 && <p class="note">{t("talkEmpty")}</p>}
      <ol id="messages" aria-live="polite">
        {list.map((m, i) => (
          <Line key={m.name} message={m} model={model} tried={tried}
            end={i === list.length - 1 ? end : undefined} />
        ))}
      </ol>
      <p class="note" role="alert">{trouble.value}</p>
      {state && state.writingSeats.length > 0 && <Say key={state.writingSeats.join()} model={model} tried={tried} />}
      {state && <Rules model={model} tried={tried} />}
    </section>
  );
}

type Tried = (doing: Promise<unknown>) => void;

function nameOf(model: GameModel, seat: string): string {
  return model.board.value?.seats.find((s) => s.id === seat)?.name ?? seat;
}

function handle(model: GameModel) {
  return client.game(model.name).talk;
}

// One message, with what can be done about it where something can.
function Line({ message: m, model, tried, end }:
  { message: Message; model: GameModel; tried?: Tried; end?: { current: HTMLLIElement | null } | undefined }) {
  const seat = model.board.value?.seats.find((s) => s.id === m.seat), open = useSignal(false);
  const mine = model.mine.value.includes(m.seat), owner = !!wallet.value[model.name]?.owner;
  const me = model.mine.value[0], audience = AUDIENCES.find(([a]) => a === m.audience);
  return (
    <li ref={end} data-message={m.name} class={m.audience === Audience.TABLE ? "" : "private"}>
      <header>
        <b>{seat && <i style={{ background: seat.color }} aria-hidden="true" />}{seat?.name ?? m.seat}</b>{" "}
        {m.audience !== Audience.TABLE && audience && <span class="tag">{t(audience[1])}</span>}{" "}
        <small>{ago(Number(m.createTime?.seconds ?? 0n))}</small>
        {tried && <button class="quiet more" aria-expanded={open.value} aria-label={t("talkMore")}
          onClick={() => (open.value = !open.value)}>⋯</button>}
      </header>
      <p>{m.text}</p>
      {m.pin.case === "space" && <button class="quiet pin" data-space={m.pin.value}
        onClick={() => reveal(model, String(m.pin.value))}>{t("pinSpace", { space: spaceName(model, m.pin.value) })}
        </button>}
      {m.pin.case === "record" && <button class="quiet pin" onClick={() => model.visit(m.pin.value as bigint)}>
        {t(m.recordUndone ? "pinUndone" : "pinRecord", { n: m.pin.value })}</button>}
      {tried && open.value && (
        <span class="acts">
          {(mine || (owner && m.audience === Audience.TABLE))
            && <Sure id="message-delete" label={t("messageDelete")} question={t("messageSure")}
            act={() => tried(handle(model).remove(m.name))} />}
          {!mine && me && m.audience !== Audience.SELF
            && <ReportIt model={model} message={m} tried={tried} seat={me} />}
          {!mine && me && <button class="quiet" onClick={() => tried(handle(model).mute(m.seat, { seat: me }))}>
            {t("ignoreSeat", { seat: nameOf(model, m.seat) })}</button>}
          {!mine && owner && <button class="quiet"
            onClick={() => tried(handle(model).mute(m.seat, { forAll: true }))}>
            {t("muteSeat", { seat: nameOf(model, m.seat) })}</button>}
        </span>
      )}
    </li>
  );
}

function ReportIt({ model, message, tried, seat }:
  { model: GameModel; message: Message; tried: Tried; seat: string }) {
  const asked = useSignal(false), reason = useSignal("");
  if (!asked.value) return <button class="quiet" onClick={() => (asked.value = true)}>{t("report")}</button>;
  const send = (e: Event) => {
    e.preventDefault();
    asked.value = false;
    tried(handle(model).report(message.name, reason.value, seat));
  };
  return (
    <form onSubmit={send}>
      <label class="field">{t("reportWhy")}
        <input maxLength={500} value={reason.value} onInput={(e) => (reason.value = e.currentTarget.value)} /></label>
      <button disabled={!reason.value.trim()}>{t("report")}</button>
    </form>
  );
}

function spaceName(model: GameModel, id: string): string {
  const name = model.atlas.value?.spaces.get(id)?.name;
  return name && name !== id ? `${name} (${id})` : id;
}

function reveal(model: GameModel, space: string): void {
  dispatchEvent(new CustomEvent("warledger-show", { detail: space }));
  model.fanned.value = space;
}

// The line to say something.
function Say({ model, tried }: { model: GameModel; tried: Tried }) {
  const { talk } = model, seats = talk.state.value!.writingSeats;
  const to = useSignal(Audience.TABLE), text = useSignal(""), seat = useSignal(seats[0]!), sending = useSignal(false);
  const pin = talk.pin.value;
  const say = (e: Event) => {
    e.preventDefault();
    if (!text.value.trim() || sending.value) return;
    sending.value = true;
    tried(handle(model).say({ text: text.value.trim(), audience: to.value, seat: seat.value, ...pin }).then(() => {
      text.value = "";
      talk.pin.value = {};
    }).finally(() => (sending.value = false)));
  };
  return (
    <form id="say" onSubmit={say}>
      {seats.length > 1 && (
        <label class="field">{t("sayAs")}
          <select id="say-seat" value={seat.value} onChange={(e) => (seat.value = e.currentTarget.value)}>
            {seats.map((s) => <option key={s} value={s}>{nameOf(model, s)}</option>)}</select></label>
      )}
      <label class="field">{t("sayTo")}
        <select id="say-to" value={to.value} onChange={(e) => (to.value = Number(e.currentTarget.value))}>
          {AUDIENCES.map(([a, key]) => <option key={a} value={a}>{t(key)}</option>)}</select></label>
      <label class="field">{t("sayText")}
        <input id="say-text" maxLength={talk.state.value!.maxCharacters} value={text.value} autoComplete="off"
          onInput={(e) => (text.value = e.currentTarget.value)} /></label>
      <span class="acts">
        {pin.space && <span class="tag">{t("pinSpace", { space: spaceName(model, pin.space) })}</span>}
        {pin.record && <span class="tag">{t("pinRecord", { n: pin.record })}</span>}
        {pin.space || pin.record
          ? <button type="button" class="quiet" onClick={() => (talk.pin.value = {})}>{t("unpin")}</button>
          : <button type="button" class="quiet" id="pin-record"
            onClick={() => (talk.pin.value = { record: model.live.value ? model.boardVersion.value
              : model.looking.value })}>{t("pinThis")}</button>}
        <button id="say-do" disabled={!text.value.trim() || sending.value}>{t("say")}</button>
      </span>
    </form>
  );
}

// Whom one does not read, and what the owner decides.
function Rules({ model, tried }: { model: GameModel; tried: Tried }) {
  const state = model.talk.state.value!, owner = !!wallet.value[model.name]?.owner, me = model.mine.value[0];
  const reports = useSignal<Report[] | null>(null);
  return (
    <div class="talk-rules">
      {me && state.hiddenSeats.map((s) => (
        <p key={s} class="note">{t("ignored", { seat: nameOf(model, s) })} <button class="quiet"
          onClick={() => tried(handle(model).unmute(s, { seat: me }))}>{t("readAgain")}</button></p>
      ))}
      {state.mutedSeats.map((s) => (
        <p key={s} class="note">{t("muted", { seat: nameOf(model, s) })} {owner && <button class="quiet"
          onClick={() => tried(handle(model).unmute(s, { forAll: true }))}>{t("unmute")}</button>}</p>
      ))}
      {owner && (
        <label class="check"><input id="spectators-read" type="checkbox" checked={state.spectatorsRead}
          onChange={(e) => tried(handle(model).letSpectatorsRead(e.currentTarget.checked))} />{t("spectatorsRead")}
          </label>
      )}
      {owner && <button id="reports" class="quiet"
        onClick={() => tried(handle(model).reports().then((list) => (reports.value = list)))}>{t("reports")}</button>}
      {reports.value && (reports.value.length ? <ul>{reports.value.map((r) => (
        <li key={r.name}>{t("reported", { who: nameOf(model, r.reporter), whom: nameOf(model, r.seat),
          why: r.reason })}
          {r.message && <q>{r.message.text}</q>}</li>
      ))}</ul> : <p class="note">{t("noReports")}</p>)}
    </div>
  );
}
