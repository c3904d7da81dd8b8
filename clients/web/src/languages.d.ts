// What the build makes of the folder of languages: see languages.ts beside vite.config.ts.
declare module "virtual:languages" {
  /** The languages besides English and Japanese by tag: their own name, and what fetches their words by key. */
  export const further: Record<string, { name: string; words(): Promise<{ words: Record<string, string> }> }>;
}
