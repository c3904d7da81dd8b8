import { computed, signal } from "@preact/signals";

// The way is in the fragment, so that one file serves every page and no id reaches a log.
const hash = signal(location.hash);
addEventListener("hashchange", () => (hash.value = location.hash));

/** Where the page is: #/, #/new/{ruleset}/{scenario}, #/games/{game}, #/games/{game}/join/{seat}. */
export const route = computed(() => hash.value.replace(/^#?\/?/, "").split("/").filter(Boolean).map(decodeURIComponent));

export function go(...way: string[]): void {
  location.hash = "#/" + way.map(encodeURIComponent).join("/");
}

export function linkTo(...way: string[]): string {
  return location.href.replace(/#.*/, "") + "#/" + way.map(encodeURIComponent).join("/");
}
