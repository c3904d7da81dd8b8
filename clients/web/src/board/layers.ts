import { computed, signal } from "@preact/signals";
import { stored } from "../wallet";

/**
 * What of the map is shown, beside what always is: numbers of hexes, names, counters, who holds what, and marks that
 * have a colour, such as zones of control, by "mark " and their key, and what the server concludes, such as where
 * supply reaches, by "layer " and its key. What is not said here is as it was.
 */
export const layers = stored<Record<string, boolean>>("layers", {});

/** PLAIN are the layers that every map has; the others come when they are asked for. */
export const PLAIN = ["ids", "names", "counters", "control", "cards"] as const;

/** ASKED are the layers that every game has, and that are fetched only when they are switched on. */
export const ASKED = ["ranges", "threats"] as const;

/** layerOn says whether a layer is shown. */
export function layerOn(key: string): boolean {
  return layers.value[key] ?? !/^(mark|layer) |^(ranges|threats)$/.test(key);
}

/** flip switches a layer on or off. */
export function flip(key: string): void {
  layers.value = { ...layers.value, [key]: !layerOn(key) };
}

/** Whether the switches are in sight, which name the layers that there are. */
export const switchesShown = signal(false);

/** Whether the server should say what it concludes: somebody looks, or might switch it on. */
export const concluding = computed(() => switchesShown.value
  || Object.keys(layers.value).some((key) => key.startsWith("layer ") && layerOn(key)));

/** hiddenLayers are the classes of a map on which some plain layers are switched off. */
export function hiddenLayers(): string {
  return PLAIN.filter((x) => !layerOn(x)).map((x) => " no-" + x).join("");
}
