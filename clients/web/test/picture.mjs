// Pictures compared for gross breakage: a screenshot is reduced to a few hundred cells, whose mean colours may differ a
// little from those checked in. Letters and counters may move; a board without its land, a panel that has gone or a
// page without style may not.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PNG } from "pngjs";
import { out } from "./harness.mjs";

const folder = fileURLToPath(new URL("pictures/", import.meta.url));
mkdirSync(folder, { recursive: true });

/** What is said of a picture that there is nothing to compare with. */
export const NO_PICTURE = "there was no picture to compare with";

/** kept is a picture that was checked in. */
export function kept(name) {
  return PNG.sync.read(readFileSync(`${folder}${name}.png`));
}

const COLUMNS = 64, ROWS = 40;
/** By how much a cell may differ, of 255, and what share of the cells may differ by more. */
const TOLERANCE = 40, SHARE = 0.15;

/** reduce makes a small picture of a screenshot: the mean colour of each cell. */
export function reduce(png) {
  const small = new PNG({ width: COLUMNS, height: ROWS });
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const x0 = Math.floor((column * png.width) / COLUMNS), x1 = Math.floor(((column + 1) * png.width) / COLUMNS);
      const y0 = Math.floor((row * png.height) / ROWS), y1 = Math.floor(((row + 1) * png.height) / ROWS);
      const sum = [0, 0, 0];
      for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++)
        for (let c = 0; c < 3; c++) sum[c] += png.data[(y * png.width + x) * 4 + c];
      const at = (row * COLUMNS + column) * 4, n = (x1 - x0) * (y1 - y0);
      for (let c = 0; c < 3; c++) small.data[at + c] = Math.round(sum[c] / n);
      small.data[at + 3] = 255;
    }
  }
  return small;
}

/**
 * picture keeps a screenshot of a page, or of a part of it, as an artefact and says how it differs from the one checked
 * in; empty if it doesn't, much.
 */
export async function picture(page, name, of = page) {
  const shot = await of.screenshot({ path: `${out}${name}.png`, animations: "disabled" });
  const small = reduce(PNG.sync.read(shot)), file = `${folder}${name}.png`;
  if (process.env.UPDATE || !existsSync(file)) {
    writeFileSync(file, PNG.sync.write(small));
    return process.env.UPDATE ? ""
      : `${name}: ${NO_PICTURE}; look at test/out/${name}.png and check in test/pictures/${name}.png`;
  }
  return difference(kept(name), small, name);
}

/** difference compares two reduced pictures. */
export function difference(want, got, name) {
  let differ = 0;
  for (let i = 0; i < want.data.length; i += 4) {
    if ([0, 1, 2].some((c) => Math.abs(want.data[i + c] - got.data[i + c]) > TOLERANCE)) differ++;
  }
  const share = differ / (COLUMNS * ROWS);
  return share > SHARE
    ? `${name}: ${(share * 100).toFixed(1)} % of the picture is not as it was; look at test/out/${name}.png, ` +
      "and run UPDATE=1 npm test if it should be so"
    : "";
}
