import { signal } from "@preact/signals";

// Symbols are a part of the page of their own, loaded when a board has some.
const drawer = signal<((sidc: string) => string) | null>(null);
let asked = false;
const drawn = new Map<string, string>();

/**
 * symbolOf is the address of a picture of a military symbol; empty while the part that draws it is on its way, and for
 * none.
 */
export function symbolOf(sidc: string): string {
  const draw = drawer.value;
  if (!draw) {
    if (!asked) {
      asked = true;
      import("./mil").then((m) => (drawer.value = m.draw), () => (asked = false));
    }
    return "";
  }
  let url = drawn.get(sidc);
  if (url === undefined) {
    const svg = draw(sidc);
    url = svg && "data:image/svg+xml;utf8," + encodeURIComponent(svg);
    drawn.set(sidc, url);
  }
  return url;
}
