import { signal } from "@preact/signals";

/** arrived is the part of an address that brought games from another browser, until the person accepts or declines. */
export const arrived = signal("");
