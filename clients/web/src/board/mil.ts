import { letterair, letterequipment, letterground, lettersea, lettersubsurface, ms } from "milsymbol/parts";

// One set at a time: a list of sets would be taken for a set.
for (const set of [letterground, letterequipment, lettersea, lettersubsurface, letterair]) ms.addIcons(set);

/**
 * draw draws a symbol of MIL-STD-2525C in one colour. On a counter the colour of the counter says whose it is, so every
 * unit has the frame of a friend, as counters have had it ever since; a hostile one would be a diamond.
 */
export function draw(sidc: string): string {
  const symbol = new ms.Symbol(sidc[0] + "F" + sidc.slice(2), {
    size: 40, fill: true, fillColor: "#f6efdb", frame: true, strokeWidth: 5, infoFields: false, standard: "2525",
  });
  return symbol.isValid() ? symbol.asSVG() : "";
}
