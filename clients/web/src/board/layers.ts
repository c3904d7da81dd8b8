import { stored } from "../wallet";

/**
 * What of the map is shown, beside what always is: numbers of hexes, names, counters, who holds what, and marks that
 * have a colour, such as zones of control, by "mark " and their key. What is not said here is as it was.
 */
export const layers = stored<Record<string, boolean>>("layers", {});

/** PLAIN are the layers that every map has; marks come when they are asked for. */
export const PLAIN = ["ids", "names", "counters", "control", "cards"] as const;

/** layerOn says whether a layer is shown. */
export function layerOn(key: string): boolean {
  return layers.value[key] ?? !key.startsWith("mark ");
}

/** hiddenLayers are the classes of a map on which some plain layers are switched off. */
export function hiddenLayers(): string {
  return PLAIN.filter((x) => !layerOn(x)).map((x) => " no-" + x).join("");
}
