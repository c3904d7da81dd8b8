// The parts of milsymbol by themselves, as its index.mjs has them: the package's own entry brings all six standards, a
// megabyte.
declare module "milsymbol/parts" {
  import type { Symbol, SymbolOptions } from "milsymbol";
  export const ms: { addIcons(icons: unknown): void; Symbol: new (sidc: string, options: SymbolOptions) => Symbol };
  export const letterair: unknown;
  export const letterequipment: unknown;
  export const letterground: unknown;
  export const lettersea: unknown;
  export const lettersubsurface: unknown;
}
