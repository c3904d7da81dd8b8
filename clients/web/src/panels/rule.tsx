import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Rule } from "@warledger/client/proto/v1/catalog_service";
import { catalog, refusal } from "../wire";
import { lang, t } from "../words";

const shown = signal<{ id: string; rule?: Rule; fault?: string } | null>(null);
const known = new Map<string, Rule>();

async function show(ruleset: string, id: string): Promise<void> {
  shown.value = { id };
  try {
    const languageCode = lang.peek(), at = `${languageCode} ${ruleset} ${id}`;
    const rule = known.get(at) ?? (await catalog.getRule({ parent: ruleset, id, languageCode })).rule!;
    known.set(at, rule);
    if (shown.value?.id === id) shown.value = { id, rule };
  } catch (thrown) {
    shown.value = { id, fault: refusal(thrown).message };
  }
}

/** parts are the paragraphs of a text, in which each line of a list or a table begins anew, and no other. */
const parts = (text: string) =>
  text.split(/\n\n+/).map((part) => part.replace(/\n(?! *(?:- |\d+\. |\|)) */g, " ")).filter((part) => part);

/** RuleLink opens a paragraph of the rulebook. */
export function RuleLink({ id, ruleset }: { id: string; ruleset: string }) {
  return <button class="rule" data-rule={id} onClick={() => void show(ruleset, id)}>{id}</button>;
}

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
