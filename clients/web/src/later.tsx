import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { t } from "./words";

/**
 * later makes a part of the page that is loaded when it is first shown: what a board does not need does not keep it
 * waiting.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let come: ComponentType<P> | undefined;
  return function Later(props: P) {
    const now = useSignal(0), fault = useSignal("");
    useEffect(() => {
      if (come) return;
      void load().then((part) => {
        come = part;
        now.value++;
      }, (thrown: Error) => (fault.value = thrown.message));
    }, []);
    void now.value; // drawn anew once it has come
    if (come) {
      const Part = come;
      return <Part {...props} />;
    }
    return fault.value ? <p class="trouble" role="alert">{fault.value}</p> : <p role="status">{t("loading")}</p>;
  };
}
