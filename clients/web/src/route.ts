import { computed, signal } from "@preact/signals";

// The way is in the fragment, so that one file serves every page and no id reaches a log.
const hash = signal(location.hash);
addEventListener("hashchange", () => (hash.value = location.hash));

/**
 * Where the page is: #/, #/new/{ruleset}/{scenario}, #/own/{ruleset}, #/games/{game}, and #/games/{game}/{invited,
 * seat, see or owner}/{seat}/{token}, by which a person comes to sit down, and #/mine/{games}, which brings all games
 * of another browser. A fragment is told to no server, so tokens may be in it.
 */
export const route = computed(() => hash.value.replace(/^#?\/?/, "").split("/").filter(Boolean)
  .map(decoded));

// A person may have typed anything.
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function go(...way: string[]): void {
  location.hash = "#/" + way.map(encodeURIComponent).join("/");
}

/** stay changes the address without going anywhere: tokens do not stay in it. */
export function stay(...way: string[]): void {
  history.replaceState(null, "", "#/" + way.map(encodeURIComponent).join("/"));
  hash.value = location.hash;
}

export function linkTo(...way: string[]): string {
  return location.href.replace(/#.*/, "") + "#/" + way.map(encodeURIComponent).join("/");
}
