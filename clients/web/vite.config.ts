import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { chunks } from "./chunks";
import { languages } from "./languages";
import { messages } from "./messages";

// The page is served from the root of the server's web port. `npm run dev` passes calls on to a server that runs here.
export default defineConfig({
  base: "./",
  plugins: [languages(), messages(), chunks()],
  resolve: {
    alias: { "milsymbol/parts": fileURLToPath(new URL("../node_modules/milsymbol/index.mjs", import.meta.url)) } },
  build: { target: "es2023", outDir: "dist", emptyOutDir: true, assetsInlineLimit: 0,
    modulePreload: { polyfill: false }, reportCompressedSize: false },
  server: { proxy: { "^/warledger\\.": "http://localhost:7482" } },
});
