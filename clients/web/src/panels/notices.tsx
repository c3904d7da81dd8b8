import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { NoticeKind } from "@warledger/client/proto/log/v1/notice";
import { SubscriptionState, type Delivery, type Mailbox,
  type Webhook } from "@warledger/client/proto/v1/notification_service";
import type { GameModel } from "../game/model";
import { wallet } from "../wallet";
import { again, as, notices, refusal, uuid } from "../wire";
import { lang, t, type Key } from "../words";

/** What a webhook is told of that is told of everything; of messages only if it is wanted. */
const ALL = [NoticeKind.RECORD, NoticeKind.ASKED, NoticeKind.REMINDER, NoticeKind.OVER, NoticeKind.MESSAGE];

const STATES: Partial<Record<SubscriptionState, Key>> = {
  [SubscriptionState.ACTIVE]: "stateActive", [SubscriptionState.UNCONFIRMED]: "stateUnconfirmed",
    [SubscriptionState.FAILING]: "stateFailing", [SubscriptionState.DISABLED]: "stateDisabled",
};

/** NoticePanel has the server tell people by mail and programs by webhooks what happens while they do not look. */
export function NoticePanel({ model }: { model: GameModel }) {
  const game = model.game.value!, mine = model.mine.value, owner = !!wallet.value[game.name]?.owner;
  const mails = useSignal<Mailbox[]>([]), hooks = useSignal<Webhook[]>([]), fault = useSignal(""), told = useSignal("");
  const address = useSignal(""), url = useSignal(""), mailSeat = useSignal(mine[0] ?? ""),
    hookSeat = useSignal(mine[0] ?? ""), mailTalk = useSignal(false), hookTalk = useSignal(false);
  const seats = [...mine, ...(owner ? [""] : [])];
  const name = (id: string) => (id ? (model.board.value?.seats.find((s) => s.id === id)?.name ?? id) : t("asOwner"));
  const list = async () => {
    const [m,
      w] = await Promise.all([notices.listMailboxes({ parent: game.name }, as(game.name)),
      notices.listWebhooks({ parent: game.name }, as(game.name))]);
    mails.value = m.mailboxes;
    hooks.value = w.webhooks;
  };
  useEffect(() => {
    if (seats.length) list().catch(() => undefined); // a server without notices says so when one is asked for
  }, [game.name, seats.join()]);
  if (!seats.length || game.over || game.readOnly) return null;
  const attempt = async (call: () => Promise<string | void>) => {
    fault.value = told.value = "";
    try {
      told.value = (await call()) ?? "";
      await list();
    } catch (thrown) {
      fault.value = refusal(thrown).message;
    }
  };
  const mail = () => attempt(async () => {
    const mailbox = { seat: mailSeat.value || mine[0]!, address: address.value, languageCode: lang.value,
      messages: mailTalk.value };
    const request = { parent: game.name, mailbox, requestId: uuid() };
    await again(() => notices.createMailbox(request, as(game.name)));
    address.value = "";
    return t("mailSent");
  });
  const post = () => attempt(async () => {
    const kinds = hookTalk.value && hookSeat.value ? ALL : [];
    const webhook = { seat: hookSeat.value, url: url.value, languageCode: lang.value, kinds };
    const request = { parent: game.name, webhook, requestId: uuid() };
    const { secret } = await again(() => notices.createWebhook(request, as(game.name)));
    url.value = "";
    return t("hookSecret", { secret });
  });
  const ping = (w: Webhook) => attempt(async () => {
    const r = await notices.pingWebhook({ name: w.name }, as(game.name));
    return r.delivered ? t("pingDone", { status: r.statusCode }) : t("pingFailed", { why: r.failure || r.statusCode });
  });
  const choice = (label: string, all: string[], value: string, set: (s: string) => void) => all.length > 1 && (
    <label class="field">{label}<select value={value} onChange={(e) => set(e.currentTarget.value)}>
      {all.map((s) => <option key={s} value={s}>{name(s)}</option>)}</select></label>
  );
  const talk = (id: string, on: Signal<boolean>) => (
    <label class="check"><input id={id} type="checkbox" checked={on.value}
      onChange={(e) => (on.value = e.currentTarget.checked)} />{t("noticesTalk")}</label>
  );
  return (
    <section class="notices" aria-label={t("notices")}>
      <details>
        <summary><h2>{t("notices")}</h2></summary>
        {mine.length > 0 && (
          <form onSubmit={(e) => (e.preventDefault(), void mail())}>
            <label class="field">{t("mailAddress")}
              <input id="mail-address" type="email" required maxLength={254} value={address.value}
              onInput={(e) => (address.value = e.currentTarget.value)} autocomplete="email" /></label>
            {choice(t("noticesFor"), mine, mailSeat.value, (s) => (mailSeat.value = s))}
            {talk("mail-talk", mailTalk)}
            <button id="mail-do">{t("mailDo")}</button>
          </form>
        )}
        <form onSubmit={(e) => (e.preventDefault(), void post())}>
          <label class="field">{t("hookUrl")}
            <input id="hook-url" type="url" required pattern="https://.*" maxLength={2048} value={url.value}
            onInput={(e) => (url.value = e.currentTarget.value)} placeholder="https://" /></label>
          {choice(t("noticesFor"), seats, hookSeat.value, (s) => (hookSeat.value = s))}
          {hookSeat.value && talk("hook-talk", hookTalk)}
          <button id="hook-do">{t("hookDo")}</button>
        </form>
        {told.value && <p role="status" class="told">{told.value}</p>}
        {fault.value && <p role="alert" class="fault">{fault.value}</p>}
        <ul class="tokens">
          {mails.value.map((m) => (
            <li key={m.name}>
              {name(m.seat)} · {m.address} {m.messages && <span class="tag">{t("noticesTalkToo")}</span>} <State
              of={m.delivery} /> <button class="quiet"
              onClick={() =>
              void attempt(() => notices.deleteMailbox({ name: m.name }, as(game.name)).then(() => undefined))}>
              {t("noticesEnd")}</button></li>
          ))}
          {hooks.value.map((w) => (
            <li key={w.name}>
              {name(w.seat)} · {w.url} {w.kinds.includes(NoticeKind.MESSAGE)
                && <span class="tag">{t("noticesTalkToo")}</span>} <State
              of={w.delivery} /> <button class="quiet" onClick={() => void ping(w)}>
              {t("ping")}
              </button> <button class="quiet"
              onClick={() =>
              void attempt(() => notices.deleteWebhook({ name: w.name }, as(game.name)).then(() => undefined))}>
              {t("noticesEnd")}</button></li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function State({ of: d }: { of: Delivery | undefined }) {
  const key = d && STATES[d.state];
  return key ? <span class="tag" data-state={SubscriptionState[d.state]}>{t(key)}{d.failure && `: ${d.failure}`}
    </span> : null;
}
