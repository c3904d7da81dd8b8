import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../words";

/** CopyLink shows an address that can be copied. */
export function CopyLink({ label, url, id }: { label: string; url: string; id?: string }) {
  const copied = useSignal(false), box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    copied.value = false;
  }, [url]);
  // Pages that came without TLS may not write to the clipboard: what is selected can be copied by hand.
  const copy = () => {
    box.current?.select();
    void navigator.clipboard?.writeText(url).then(() => (copied.value = true), () => undefined);
  };
  return (
    <label class="field">{label}
      <span class="copy"><input id={id} ref={box} readOnly value={url} onFocus={(e) => e.currentTarget.select()} />
        <button type="button" onClick={copy}>{copied.value ? t("copied") : t("copy")}</button></span>
    </label>
  );
}

/** Sure is a button that asks whether it is meant. */
export function Sure({ label, question, act, id }: { label: string; question: string; act(): void; id?: string }) {
  const asked = useSignal(false);
  if (!asked.value) return <button id={id} class="quiet" onClick={() => (asked.value = true)}>{label}</button>;
  return (
    <span class="leaving" role="group" aria-label={question}>
      {question} <button id={id && id + "-yes"} onClick={() => {
        asked.value = false;
        act();
      }}>{t("yes")}</button> <button class="quiet" onClick={() => (asked.value = false)}>{t("cancel")}</button>
    </span>
  );
}
