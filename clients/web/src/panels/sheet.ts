import { signal } from "@preact/signals";

export const TABS = ["play", "log", "boxes", "tracks", "talk", "table"] as const;
export type Tab = (typeof TABS)[number];

/** The panel beside the board that is on show. */
export const shownTab = signal<Tab>("play");

/** Whether the panel is drawn up over the board, where there is no room beside it. */
export const sheetOpen = signal(false);

/** show brings a panel up; the one that is up already goes down again. */
export function show(tab: Tab): void {
  sheetOpen.value = shownTab.value !== tab || !sheetOpen.value;
  shownTab.value = tab;
}
