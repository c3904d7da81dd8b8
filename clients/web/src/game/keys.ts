import { indexOpen } from "../panels/prompt";
import { sheetOpen, shownTab } from "../panels/sheet";
import type { GameModel } from "./model";

/** Where keys write or choose by themselves. */
const OWN = "dialog, input, textarea, select, [contenteditable]";

/** The buttons that digits press: those of what lies over the board, else those of the line above it. */
const OVER = ".menu button.do", LINE = ".prompt .answers button.do";

/**
 * onKeys answers the keys of the whole page, unless something nearer has taken them: Escape lets go of what is chosen
 * and gives the keys back to the board, digits press the answers, A goes to them, and / to the list of all that may be
 * done.
 */
export function onKeys(model: GameModel, e: KeyboardEvent): void {
  const at = e.target as Element;
  if (e.defaultPrevented || e.ctrlKey || e.altKey || e.metaKey || at.closest?.(OWN)) return;
  if (e.key === "Escape") {
    model.clear();
    if (at === document.body || at.closest(".menu, .prompt")) toBoard();
    return;
  }
  const over = [...document.querySelectorAll<HTMLButtonElement>(OVER)],
    answers = over.length ? over : [...document.querySelectorAll<HTMLButtonElement>(LINE)];
  if (/^[1-9]$/.test(e.key)) answers[Number(e.key) - 1]?.click();
  else if (e.key === "a") answers[0]?.focus();
  else if (e.key === "/") toList();
  else return;
  e.preventDefault();
}

/** toBoard gives the keys to the board. */
export function toBoard(): void {
  document.querySelector<HTMLElement>(".frame")?.focus({ preventScroll: true });
}

function toList(): void {
  [indexOpen.value, shownTab.value, sheetOpen.value] = [true, "play", true];
  requestAnimationFrame(() => document.querySelector<HTMLElement>(".index .narrow input, .index button.do")?.focus());
}
