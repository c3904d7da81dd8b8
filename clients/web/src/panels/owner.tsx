import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Rights, type Token } from "@warledger/client/proto/v1/access_service";
import type { GameModel } from "../game/model";
import { identity, signed } from "../person";
import { linkTo } from "../route";
import { open, wallet } from "../wallet";
import { access, again, as, refusal, uuid } from "../wire";
import { day, t, type Key } from "../words";
import { CopyLink, Sure } from "./link";

/** For how many days a link may be good. */
const DAYS = [1, 7, 30, 365];

const RIGHTS: Partial<Record<Rights, Key>> = {
  [Rights.JOIN]: "rightsJoin", [Rights.ACT]: "rightsAct", [Rights.SEE]: "rightsSee", [Rights.OWN]: "rightsOwn",
};

interface Wish {
  rights: Rights;
  seat: string;
}

/**
 * AccessPanel makes links that open something of the game to somebody: a free seat, a seat of one's own, the owner's
 * part; and takes them back.
 */
export function AccessPanel({ model }: { model: GameModel }) {
  const game = model.game.value!;
  const owner = !!wallet.value[game.name]?.owner;
  const wishes: Wish[] = [
    ...(owner ? game.seats.filter((s) => !s.taken).map((s) => ({ rights: Rights.JOIN, seat: s.id })) : []),
    ...model.mine.value.flatMap((seat) => [{ rights: Rights.ACT, seat }, { rights: Rights.SEE, seat }]),
    ...(owner ? [{ rights: Rights.OWN, seat: "" }] : []),
  ];
  const chosen = useSignal(0), days = useSignal(7), note = useSignal(""), made = useSignal(""), fault = useSignal(""),
    tokens = useSignal<Token[]>([]);
  const name = (id: string) => model.board.value?.seats.find((s) => s.id === id)?.name ?? id;
  const label = (w: Wish) => t(RIGHTS[w.rights]!, { seat: name(w.seat) });
  const list = () => access.listTokens({ parent: game.name }, as(game.name))
    .then((r) => (tokens.value = r.tokens), () => (tokens.value = []));
  useEffect(() => {
    if (wishes.length) void list();
  }, [game.name, wishes.length]);
  if (!wishes.length || game.over) return null;
  const wish = wishes[Math.min(chosen.value, wishes.length - 1)]!;
  const attempt = async (call: () => Promise<unknown>) => {
    fault.value = "";
    try {
      await call();
      await list();
    } catch (thrown) {
      fault.value = refusal(thrown).message;
    }
  };
  const make = () => attempt(async () => {
    const request = { name: game.name, seat: wish.seat, rights: wish.rights, note: note.value, requestId: uuid(),
      expireTime: timestampFromMs(Date.now() + days.value * 86_400_000 - 60_000) };
    const { secret } = await again(() => access.createToken(request, as(game.name)));
    const way = { [Rights.JOIN]: ["invited", wish.seat], [Rights.ACT]: ["seat", wish.seat],
      [Rights.SEE]: ["see", wish.seat], [Rights.OWN]: ["owner", "all"] }[wish.rights as Rights.JOIN]!;
    made.value = linkTo("games", game.name.replace("games/", ""), ...way, secret);
  });
  return (
    <section class="access" aria-label={t("links")}>
      <h2>{t("links")}</h2>
      <p class="note">{t("linksNote")}</p>
      <form onSubmit={(e) => {
        e.preventDefault();
        void make();
      }}>
        <label class="field">{t("linkFor")}
          <select id="link-for" value={String(wishes.indexOf(wish))}
            onChange={(e) => (chosen.value = Number(e.currentTarget.value), made.value = "")}>
            {wishes.map((w, i) => <option key={w.rights + w.seat} value={String(i)} data-wish={Rights[w.rights] + " "
              + w.seat}>{label(w)}</option>)}
          </select>
        </label>
        <label class="field">{t("linkUntil")}
          <select value={String(days.value)} onChange={(e) => (days.value = Number(e.currentTarget.value))}>
            {DAYS.map((d) => <option key={d} value={String(d)}>{t("days", { n: d })}</option>)}
          </select>
        </label>
        <label class="field">{t("linkNote")}
          <input value={note.value} maxLength={80} onInput={(e) => (note.value = e.currentTarget.value)} /></label>
        <button id="make-link">{t("makeLink")}</button>
      </form>
      {fault.value && <p role="alert" class="fault">{fault.value}</p>}
      {made.value && <CopyLink id="made-link" label={t("madeLink", { what: label(wish) })} url={made.value} />}
      {tokens.value.length > 0 && (
        <ul class="tokens">
          {tokens.value.map((x) => (
            <li key={x.name}>
              {t(RIGHTS[x.rights] ?? "rightsSee", { seat: name(x.seat) })}{x.note && ` · ${x.note}`}
                {x.expireTime && ` · ${t("until", { day: day(Number(x.expireTime.seconds)) })}`}{" "}
              <button class="quiet" data-revoke={x.name}
                onClick={() => void attempt(() => access.revokeToken({ name: x.name }, as(game.name)))}>{t("revoke")}
                </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/**
 * ByName lets whoever created the game while signed in have the owner's part in this browser too. Only the server's
 * answer shows who that is.
 */
function ByName({ game }: { game: string }) {
  const fault = useSignal(""), busy = useSignal(false), who = signed.value, token = identity();
  if (!who || !token) return null;
  const request = { name: game, seat: "", rights: Rights.OWN, note: who.name.slice(0, 80), requestId: uuid(),
    expireTime: timestampFromMs(Date.now() + 365 * 86_400_000 - 60_000) };
  const own = async () => {
    busy.value = true;
    fault.value = "";
    try {
      const { secret } = await again(() => access.createToken(request, as(game, {}, [token])));
      open(game, (h) => void (h.owner = secret));
    } catch (thrown) {
      fault.value = refusal(thrown).message;
    }
    busy.value = false;
  };
  return (
    <section class="owner" aria-label={t("ownerPart")}>
      <h2>{t("ownerPart")}</h2>
      <p class="note">{t("ownByNameNote")} <button id="own-by-name" class="quiet" disabled={busy.value}
        onClick={() => void own()}>{t("ownByName")}</button></p>
      {fault.value && <p role="alert" class="fault">{fault.value}</p>}
    </section>
  );
}

/** OwnerPanel is what only the owner may do: to free seats and to end the game without a result. */
export function OwnerPanel({ model }: { model: GameModel }) {
  const game = model.game.value!, reason = useSignal("");
  if (game.over || game.readOnly) return null;
  if (!wallet.value[game.name]?.owner) return <ByName game={game.name} />;
  return (
    <section class="owner" aria-label={t("ownerPart")}>
      <h2>{t("ownerPart")}</h2>
      <label class="field">{t("closeReason")}
        <input value={reason.value} maxLength={500} onInput={(e) => (reason.value = e.currentTarget.value)} /></label>
      <Sure id="close-game" label={t("closeGame")} question={t("sureClose")}
        act={() => void model.close(reason.value)} />
    </section>
  );
}
