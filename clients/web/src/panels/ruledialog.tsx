import { useEffect, useRef } from "preact/hooks";
import { t } from "../words";
import { shown } from "./rule";

/** parts are the paragraphs of a text, in which each line of a list or a table begins anew, and no other. */
const parts = (text: string) =>
  text.split(/\n\n+/).map((part) => part.replace(/\n(?! *(?:- |\d+\. |\|)) */g, " ")).filter((part) => part);

/** RuleDialog shows the paragraph that was asked for, in our own words. */
export function RuleDialog() {
  const box = useRef<HTMLDialogElement>(null);
  const s = shown.value;
  useEffect(() => {
    if (s && !box.current?.open) box.current?.showModal();
  }, [s]);
  if (!s) return null;
  return (
    <dialog ref={box} class="rule-text" aria-labelledby="rule-title" onClose={() => (shown.value = null)}>
      <h2 id="rule-title">{s.id} {s.rule?.title}</h2>
      {s.rule && <><p><b>{s.rule.summary}</b></p>
        {parts(s.rule.text).filter((x) => x !== s.rule!.summary).map((x, i) => <p key={i}>{x}</p>)}</>}
      {s.fault && <p role="alert">{s.fault}</p>}
      {!s.rule && !s.fault && <p role="status">{t("loading")}</p>}
      <p class="note">{t("rulesInOurWords")}</p>
      <form method="dialog"><button autofocus>{t("close")}</button></form>
    </dialog>
  );
}
