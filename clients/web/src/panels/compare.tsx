import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ComparedLine, CompareGamesResponse } from "@warledger/client/proto/v1/history_service";
import { tokensOf } from "../wallet";
import { as, history, refusal } from "../wire";
import { lang, t } from "../words";

const shown = signal<{ answer?: CompareGamesResponse; fault?: string } | null>(null);

/** compare asks where a game and this one part, and in what their positions differ. */
export function compare(other: string, name: string, version: bigint): void {
  shown.value = {};
  const request = { left: { name: other, version: 0n }, right: { name, version }, languageCode: lang.value };
  void history.compareGames(request, as(name, {}, [...new Set([...tokensOf(name), ...tokensOf(other)])])).then(
    (answer) => shown.value && (shown.value = { answer }),
    (thrown) => shown.value && (shown.value = { fault: refusal(thrown).message }),
  );
}

/** CompareDialog shows two lines side by side. */
export function CompareDialog() {
  const s = shown.value, box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (s && !box.current?.open) box.current?.showModal();
  }, [s]);
  if (!s) return null;
  const a = s.answer;
  return (
    <dialog ref={box} class="compare" aria-labelledby="compare-title" onClose={() => (shown.value = null)}>
      <h2 id="compare-title">{t("compareTitle")}</h2>
      {!a && !s.fault && <p role="status">{t("loading")}</p>}
      {s.fault && <p role="alert">{s.fault}</p>}
      {a && (
        <>
          <p>{t("compareCommon", { n: a.common })}</p>
          <div class="sides">
            <Side title={t("compareOther")} line={a.left} />
            <Side title={t("compareThis")} line={a.right} />
          </div>
          <h3>{t("differences")}</h3>
          {a.differences.length === 0 ? <p>{t("noDifferences")}</p> : (
            <table>
              <thead><tr><th scope="col">{t("where")}</th><th scope="col">{t("compareOther")}</th><th scope="col">
                {t("compareThis")}</th></tr></thead>
              <tbody>{a.differences.map((d) => <tr key={d.path}><th scope="row"><code>{d.path}</code></th><td>{d.left}
                </td><td>{d.right}</td></tr>)}</tbody>
            </table>
          )}
          {a.omittedDifferences > 0 && <p class="note">{t("moreDifferences", { n: a.omittedDifferences })}</p>}
        </>
      )}
      <form method="dialog"><button autofocus>{t("close")}</button></form>
    </dialog>
  );
}

function Side({ title, line }: { title: string; line: ComparedLine | undefined }) {
  const told = line?.parting?.events.filter((e) => e.narration) ?? [];
  return (
    <section>
      <h3>{title}</h3>
      {!line?.parting ? <p class="note">{t("lineEnds")}</p> : (
        <>
          <p>{t("versionN", { n: line.parting.version })} <code>{line.parting.notation}</code></p>
          {told.map((e, i) => <p key={i}>{e.narration}</p>)}
        </>
      )}
    </section>
  );
}
