import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { DiceKind } from "@warledger/client/proto/log/v1/log";
import type { GameModel } from "../game/model";
import { exportGame, fileName, save } from "../game/file";
import { SeatGuard } from "@warledger/client/proto/v1/game_service";
import { JoinPolicy } from "@warledger/client/proto/log/v1/log";
import { go, linkTo } from "../route";
import { holder, invitationOf, keepFork, keepOwner, keepSeat, wallet } from "../wallet";
import { as, history, refusal, uuid } from "../wire";
import { t, type Key } from "../words";
import { strayed } from "../game/mutual";
import { compare } from "./compare";
import { DeadlinePanel } from "./terms";
import { NoticePanel } from "./notices";
import { Guard, mayTake } from "./handover";
import { GiveSeat, TakeBack } from "./computer";
import { CopyLink, Sure } from "./link";
import { AccessPanel, OwnerPanel } from "./owner";

const POLICIES: Partial<Record<JoinPolicy, Key>> = { [JoinPolicy.FIRST_COME]: "policyFirst",
  [JoinPolicy.INVITED]: "policyInvited" };

const DICE: Partial<Record<DiceKind, Key>> = { [DiceKind.MANUAL]: "diceManual", [DiceKind.MUTUAL]: "diceMutual" };

/** TablePanel is who sits where: taking and leaving seats, links to share, who looks, forks. */
export function TablePanel({ model }: { model: GameModel }) {
  const game = model.game.value, board = model.board.value;
  useEffect(() => {
    const ask = () => void model.fetchGame().catch(() => undefined); // the watch says what is wrong
    ask();
    const timer = setInterval(() => document.visibilityState === "visible" && ask(), 15_000);
    return () => clearInterval(timer);
  }, [model]);
  if (!game) return null;
  const id = game.name.replace("games/", "");
  const name = (s: string) => board?.seats.find((x) => x.id === s)?.name ?? s;
  const owner = !!wallet.value[game.name]?.owner;
  const free = game.seats.filter((s) => !s.taken);
  return (
    <section class="people" aria-label={t("tabTable")}>
      <h2>{t("seats")}</h2>
      {free.length > 0 && !game.over && <label class="field">{t("yourName")}
        <input id="holder" value={holder.value} maxLength={80}
        onInput={(e) => (holder.value = e.currentTarget.value)} /></label>}
      <ul>
        {game.seats.map((s) => {
          const mine = model.mine.value.includes(s.id);
          return (
            <li key={s.id} data-seat-row={s.id}>
              <b>{name(s.id)}
                </b> {s.taken ? <span>{s.holder || t("somebody")}{mine && ` (${t("you")})`}</span> : <em>{t("free")}
                </em>}
              {s.computer && <span class="tag" data-computer={s.id}>{t("computer")}</span>}
              {!s.taken && invitationOf(game.name, s.id) && <span class="tag">{t("invited")}</span>}
              {s.guard !== SeatGuard.UNSPECIFIED && <span class="tag" data-guard={SeatGuard[s.guard]}>{t("guarded")}
                </span>}
              {!s.taken && !game.over && !game.readOnly && mayTake(game, s)
                && <button data-take={s.id} disabled={model.busy.value} onClick={() => void model.takeSeat(s.id)}>
                {t("sitDown")}</button>}
              <GiveSeat model={model} seat={s} />
              <TakeBack model={model} seat={s} />
              {mine && !game.over && <Leaving model={model} seat={s.id} />}
              {s.taken && !s.computer && !mine && owner && !game.over && !game.readOnly
                && <Sure id={"free-" + s.id} label={t("freeSeat")}
                question={t("sureFree",
                { holder: s.holder || t("somebody") })} act={() => void model.freeSeat(s.id)} />}
              {s.guard !== SeatGuard.UNSPECIFIED && <Guard model={model} seat={s} />}
            </li>
          );
        })}
      </ul>
      {!game.over && !game.pendingDice && strayed(game).map((s) => (
        <p key={s} class="note">{t("chainElsewhere", { seat: name(s) })} <button id={"renew-" + s}
          disabled={model.busy.value} onClick={() => void model.renewChain(s)}>{t("chainRenew")}</button></p>
      ))}
      {free.length > 0 && POLICIES[game.joinPolicy] && <p class="note">{t(POLICIES[game.joinPolicy]!)}</p>}
      <h2>{t("share")}</h2>
      <CopyLink label={t("linkToJoin")} url={linkTo("games", id)} />
      {model.watches.value > 0 && <p class="note" id="watches">{t("watches", { n: model.watches.value })}</p>}
      <AccessPanel model={model} />
      <DeadlinePanel model={model} />
      <NoticePanel model={model} />
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
      <Download model={model} />
      <h2>{t("facts")}</h2>
      <dl class="facts">
        <dt>{t("dice")}</dt><dd>{t(DICE[game.dice] ?? "diceCommitted")}</dd>
        {game.diceCommitment && <><dt>{t("commitment")}</dt><dd><code>{game.diceCommitment}</code></dd></>}
        <dt>{t("lastHash")}</dt><dd><code>{game.lastHash}</code></dd>
        {Object.entries(game.options).map(([k, v]) => <><dt>{k}</dt><dd>{v}</dd></>)}
        {game.forkedFrom && <><dt>{t("forkedFrom")}</dt><dd><a href={linkTo("games", game.forkedFrom.game)}>
          {t("versionN", { n: game.forkedFrom.version })}</a></dd></>}
      </dl>
      {game.readOnly && <p class="note">{t("readOnly")}</p>}
      {owner && <p class="note">{t("youOwn")}</p>}
      <OwnerPanel model={model} />
    </section>
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
      <button onClick={() => void (sure.value === "leave" ? model.leaveSeat(seat) : model.resign(seat))}>{t("yes")}
        </button>
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
      keepFork(made, model.name);
      for (const [seat, token] of Object.entries(r.seatTokens)) keepSeat(made, seat, token);
      return {};
    });
    if (done) go("games", made.replace("games/", ""));
  };
  return (
    <>
      <h2>{t("fork")}</h2>
      <p class="note">{t("forkNote", { n: model.boardVersion.value })}</p>
      <Forks model={model} />
      <button id="fork-private" disabled={model.busy.value} onClick={() => void fork(true)}>{t("forkPrivate")}</button>
      <button id="fork-open" disabled={model.busy.value} onClick={() => void fork(false)}>{t("forkOpen")}</button>
    </>
  );
}

// What this browser forked from here, and where the game itself comes from, each to be opened or compared with.
function Forks({ model }: { model: GameModel }) {
  const game = model.game.value!, from = game.forkedFrom;
  const forks = Object.entries(wallet.value).filter(([, held]) => held.origin === model.name);
  if (!from && !forks.length) return null;
  const row = (name: string, title: string, note: string) => (
    <li key={name}>
      <a href={linkTo("games", name.replace("games/", ""))}>{title || name}
        </a> {note} <button class="quiet" data-compare={name}
        onClick={() => compare(name, model.name, model.live.value ? 0n : model.looking.value)}>{t("compare")}</button>
    </li>
  );
  return (
    <ul class="forks">
      {from && row("games/" + from.game.replace("games/", ""), t("origin"), t("versionN", { n: from.version }))}
      {forks.map(([name, held]) => row(name, held.title, ""))}
    </ul>
  );
}

function Download({ model }: { model: GameModel }) {
  const game = model.game.value!, fault = useSignal(""), busy = useSignal(false);
  const load = async () => {
    busy.value = true;
    fault.value = "";
    try {
      save(await exportGame(game.name), fileName(game.title || game.scenario, ".wlg"));
    } catch (thrown) {
      fault.value = refusal(thrown).message;
    } finally {
      busy.value = false;
    }
  };
  return (
    <>
      <h2>{t("download")}</h2>
      <p class="note">{t(game.over ? "downloadWhole" : "downloadPart")}</p>
      <button id="download" disabled={busy.value} onClick={() => void load()}>{t("downloadDo")}</button>
      {fault.value && <p role="alert" class="fault">{fault.value}</p>}
    </>
  );
}
