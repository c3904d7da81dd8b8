import { signal } from "@preact/signals";

/** arrived is the part of an address that brought games from another browser, until one has decided on them. */
export const arrived = signal("");
