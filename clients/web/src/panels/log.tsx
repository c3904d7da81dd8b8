import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Record as GameRecord } from "@warledger/client/proto/v1/game_service";
import { RecordKind } from "@warledger/client/proto/log/v1/log";
import type { GameModel } from "../game/model";
import { isPlace, tips } from "../game/line";
import { t, type Key } from "../words";
import { Die } from "./die";
import { proof } from "./proof";

/** How many records are shown at first; older ones on demand. */
const SHOWN = 150;

const KINDS: Partial<Record<RecordKind, Key>> = { [RecordKind.UNDO]: "logUndo", [RecordKind.REDO]: "logRedo",
  [RecordKind.TABLE]: "logTable" };

/** LogPanel tells the game, record by record, those that were undone included. */
export function LogPanel({ model }: { model: GameModel }) {
  const records = model.records.value, line = useMemo(() => new Set(model.line.value), [model.line.value]);
  const end = useRef<HTMLLIElement>(null);
  const at = model.live.value ? (model.game.value?.head ?? 0n) : model.looking.value;
  useEffect(() => {
    end.current?.scrollIntoView({ block: "nearest" });
  }, [records, at]);
  const all = [...records.values()];
  const branches = model.game.value ? tips(records, model.game.value.head) : [];
  const older = Math.max(0, all.length - SHOWN);
  const show = model.olderShown.value ? all : all.slice(older);
  return (
    <section class="log" aria-label={t("tabLog")}>
      {branches.length > 0 && (
        <p class="branches">
          {t("branches")} {
          branches.map((b) =>
          <button key={String(b)} class="quiet" data-branch={String(b)} onClick={() => model.visit(b)}>
          {t("versionN", { n: b })}</button>)}</p>
      )}
      {older > 0 && !model.olderShown.value && <button class="quiet" onClick={() => (model.olderShown.value = true)}>
        {t("olderRecords", { n: older })}</button>}
      <ol>
        {show.map((r) => (
          <li key={String(r.version)} ref={r.version === at ? end : undefined} data-version={String(r.version)}
            class={[isPlace(r) && !line.has(r.version) ? "undone" : "", r.version === at ? "here" : "", isPlace(r) ? ""
              : "aside"].join(" ")}
            aria-current={r.version === at ? "true" : undefined}>
            <Entry record={r} model={model} undone={isPlace(r) && !line.has(r.version)} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Entry({ record: r, model, undone }: { record: GameRecord; model: GameModel; undone: boolean }) {
  const seat = model.board.value?.seats.find((s) => s.id === r.seat);
  const told = r.events.filter((e) => e.narration);
  const kind = KINDS[r.kind];
  const name = (id: string) => model.board.value?.seats.find((s) => s.id === id)?.name ?? id;
  return (
    <>
      <header>
        {isPlace(r)
          ? <button class="version" aria-label={t("showVersion", { n: r.version })}
          onClick={() => model.visit(r.version)}>{String(r.version)}</button> : <span class="version">
          {String(r.version)}</span>}{" "}
        {seat && <b><i style={{ background: seat.color }} aria-hidden="true" />{seat.name}</b>}{" "}
        {kind && <span class="tag">{t(kind, { n: r.head })}</span>}{" "}
        {undone && <span class="tag">{t("undone")}</span>}{" "}
        {r.notation && <code>{r.notation}</code>}
      </header>
      {told.map((e, i) => <p key={i}>{e.narration}{" "}
        {e.audience.length > 0 && <span class="tag">{t("onlyFor", { seats: e.audience.map(name).join(", ") })}</span>}
        </p>)}
      {r.hidden > 0 && <p class="note">{t("hiddenParts", { n: r.hidden })}</p>}
      {r.rolls.length > 0 && (
        <p class="dice">
          {r.rolls.map((d) => <Die key={d.index} sides={d.sides} value={d.value} reason={d.reason} />)}
          <button class="quiet" onClick={() => proof(model, r)}>{t("proof")}</button>
        </p>
      )}
    </>
  );
}
