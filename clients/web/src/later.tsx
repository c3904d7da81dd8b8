import { signal, useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { t } from "./words";

type Rest = typeof import("./rest");

/** The code that is fetched once the first view stands, and the functions that fetch the parts after it. */
const rest = signal<Rest | null>(null), others: (() => Promise<unknown>)[] = [];

/** How long to wait before a fetch is tried again that has failed so often before, in milliseconds. */
const pause = (failed: number) => Math.min(2000 * 2 ** failed, 60_000);

/** How often fetching the rest has failed. */
const failed = signal(0);

let fetching = false;

function NotLoaded() {
  return <p class="trouble not-loaded" role="alert">{t("notLoaded")} <button onClick={() => location.reload()}>
    {t("reload")}</button></p>;
}

/** Unloaded says that a part of the page does not load, once that has failed twice: the server may have a newer one. */
export function Unloaded() {
  return failed.value > 1 ? <NotLoaded /> : null;
}

/**
 * later makes a part of the page that is loaded when it is first shown: what a board does not need does not keep it
 * waiting.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let come: ComponentType<P> | undefined;
  const fetch = () => load().then((part) => (come = part));
  others.push(fetch);
  return function Later(props: P) {
    const now = useSignal(0), fault = useSignal(false);
    useEffect(() => {
      let timer: ReturnType<typeof setTimeout> | undefined, shown = true;
      const attempt = (before: number) => void fetch().then(() => now.value++, () => {
        if (!shown) return;
        fault.value = true;
        timer = setTimeout(attempt, pause(before), before + 1);
      });
      if (!come) attempt(0);
      return () => {
        shown = false;
        clearTimeout(timer);
      };
    }, []);
    void now.value; // drawn anew once it has come
    if (come) {
      const Part = come;
      return <Part {...props} />;
    }
    return fault.value ? <NotLoaded /> : <p role="status">{t("loading")}</p>;
  };
}

/** part is a part of the rest. It shows nothing until the rest has loaded, so it suits only what somebody asks for. */
export function part<K extends keyof Rest>(name: K): Rest[K] {
  return function Part(props: object) {
    const Come = rest.value?.[name] as ComponentType | undefined;
    return Come ? <Come {...props} /> : null;
  } as Rest[K];
}

/** fetchRest fetches the rest of the page and then all parts, so that they are there before somebody asks for them. */
export function fetchRest(): void {
  if (fetching) return;
  fetching = true;
  void import("./rest").then(async (all) => {
    rest.value = all;
    failed.value = 0;
    for (const other of others) await other().catch(() => undefined); // it is fetched once more when it is shown
  }, () => setTimeout(() => {
    fetching = false;
    fetchRest();
  }, pause(failed.value++)));
}
