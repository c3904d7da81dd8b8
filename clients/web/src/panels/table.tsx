import { useSignal } from "@preact/signals";
import { DiceKind } from "../gen/warledger/log/v1/log_pb";
import type { GameModel } from "../game/model";
import { go, linkTo } from "../route";
import { holder, keepOwner, keepSeat, wallet } from "../wallet";
import { as, history, uuid } from "../wire";
import { t } from "../words";

/** TablePanel is who sits where: taking and leaving seats, links to share, who looks, forks. */
export function TablePanel({ model }: { model: GameModel }) {
  const game = model.game.value, board = model.board.value;
  if (!game) return null;
  const id = game.name.replace("games/", "");
  const name = (s: string) => board?.seats.find((x) => x.id === s)?.name ?? s;
  const free = game.seats.filter((s) => !s.taken);
  return (
    <section class="people" aria-label={t("tabTable")}>
      <h3>{t("seats")}</h3>
      {free.length > 0 && !game.over && <label class="field">{t("yourName")}<input id="holder" value={holder.value} maxLength={80} onInput={(e) => (holder.value = e.currentTarget.value)} /></label>}
      <ul>
        {game.seats.map((s) => {
          const mine = model.mine.value.includes(s.id);
          return (
            <li key={s.id} data-seat-row={s.id}>
              <b>{name(s.id)}</b> {s.taken ? <span>{s.holder || t("somebody")}{mine && ` (${t("you")})`}</span> : <em>{t("free")}</em>}
              {!s.taken && !game.over && !game.readOnly && <button data-take={s.id} disabled={model.busy.value} onClick={() => void model.takeSeat(s.id)}>{t("sitDown")}</button>}
              {mine && !game.over && <Leaving model={model} seat={s.id} />}
            </li>
          );
        })}
      </ul>
      <h3>{t("share")}</h3>
      <Link label={t("linkToJoin")} url={linkTo("games", id)} />
      {model.mine.value.length > 1 && (
        <label class="field">{t("lookAs")}
          <select value={model.viewer.value} onChange={(e) => model.look(e.currentTarget.value)}>
            <option value="">{t("lookAll")}</option>
            {model.mine.value.map((s) => <option key={s} value={s}>{name(s)}</option>)}
            <option value="spectator">{t("spectator")}</option>
          </select>
        </label>
      )}
      <Fork model={model} />
      <h3>{t("facts")}</h3>
      <dl class="facts">
        <dt>{t("dice")}</dt><dd>{game.dice === DiceKind.MANUAL ? t("diceManual") : t("diceCommitted")}</dd>
        {game.diceCommitment && <><dt>{t("commitment")}</dt><dd><code>{game.diceCommitment}</code></dd></>}
        <dt>{t("lastHash")}</dt><dd><code>{game.lastHash}</code></dd>
        {Object.entries(game.options).map(([k, v]) => <><dt>{k}</dt><dd>{v}</dd></>)}
        {game.forkedFrom && <><dt>{t("forkedFrom")}</dt><dd><a href={linkTo("games", game.forkedFrom.game)}>{t("versionN", { n: game.forkedFrom.version })}</a></dd></>}
      </dl>
      {wallet.value[game.name]?.owner && <p class="note">{t("youOwn")}</p>}
    </section>
  );
}

function Link({ label, url }: { label: string; url: string }) {
  const copied = useSignal(false);
  return (
    <label class="field">{label}
      <span class="copy"><input readOnly value={url} onFocus={(e) => e.currentTarget.select()} /><button onClick={() => void navigator.clipboard?.writeText(url).then(() => (copied.value = true))}>{copied.value ? t("copied") : t("copy")}</button></span>
    </label>
  );
}

function Leaving({ model, seat }: { model: GameModel; seat: string }) {
  const sure = useSignal<"" | "leave" | "resign">("");
  if (!sure.value) {
    return (
      <span class="leaving">
        <button class="quiet" onClick={() => (sure.value = "leave")}>{t("standUp")}</button>
        <button class="quiet" onClick={() => (sure.value = "resign")}>{t("resign")}</button>
      </span>
    );
  }
  return (
    <span class="leaving">
      {t(sure.value === "leave" ? "sureLeave" : "sureResign")}
      <button onClick={() => void (sure.value === "leave" ? model.leaveSeat(seat) : model.resign(seat))}>{t("yes")}</button>
      <button class="quiet" onClick={() => (sure.value = "")}>{t("cancel")}</button>
    </span>
  );
}

// A fork is a game of its own that begins at the version that is looked at.
function Fork({ model }: { model: GameModel }) {
  const version = model.live.value ? 0n : model.looking.value;
  const fork = async (own: boolean) => {
    let made = "";
    const request = { name: model.name, requestId: uuid(), version, private: own };
    const done = await model.change(async () => {
      const r = await history.forkGame(request, as(model.name));
      made = r.game!.name;
      keepOwner(made, r.game!.title, r.ownerToken);
      for (const [seat, token] of Object.entries(r.seatTokens)) keepSeat(made, seat, token);
      return {};
    });
    if (done) go("games", made.replace("games/", ""));
  };
  return (
    <>
      <h3>{t("fork")}</h3>
      <p class="note">{t("forkNote", { n: model.boardVersion.value })}</p>
      <button id="fork-private" disabled={model.busy.value} onClick={() => void fork(true)}>{t("forkPrivate")}</button>
      <button id="fork-open" disabled={model.busy.value} onClick={() => void fork(false)}>{t("forkOpen")}</button>
    </>
  );
}
