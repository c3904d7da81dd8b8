import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import type { Board, Legend } from "@warledger/client/proto/board/v1/board";
import { t, type Key } from "../words";
import type { Atlas } from "./atlas";
import type { Palette } from "./color";
import { Road, widthOf } from "./ground";
import { ASKED, flip, layerOn, PLAIN, switchesShown } from "./layers";
import { isWater, textureOf, Tile } from "./texture";

const WORDS: Record<(typeof PLAIN)[number] | (typeof ASKED)[number], Key> = { ids: "layerIds", names: "layerNames",
  counters: "layerCounters", control: "layerControl", cards: "layerCards", ranges: "layerRanges",
  threats: "layerThreats" };

/** MapKey says what is printed on the map, and switches layers of it on and off. */
export function MapKey({ atlas, board, palette }: { atlas: Atlas; board: Board; palette: Palette }) {
  const open = useSignal(false);
  useEffect(() => {
    switchesShown.value = open.value;
    return () => {
      switchesShown.value = false;
    };
  }, [open.value]);
  return (
    <>
      <button id="map-key" aria-expanded={open.value} aria-controls="map-key-card" aria-label={t("mapKey")}
        title={t("mapKey")} onClick={() => (open.value = !open.value)}>☰</button>
      {open.value && (
        <section id="map-key-card" class="map-key" aria-label={t("mapKey")}
          onKeyDown={(e) => e.key === "Escape" && (open.value = false)}>
          <Switches atlas={atlas} board={board} palette={palette} />
          <Kinds atlas={atlas} />
        </section>
      )}
    </>
  );
}

function Switches({ atlas, board, palette }: { atlas: Atlas; board: Board; palette: Palette }) {
  const marks = atlas.map.marks.filter((m) => m.color);
  const there = new Set(board.spaces.flatMap((s) => s.marks));
  return (
    <fieldset>
      <legend>{t("layers")}</legend>
      {[...PLAIN.filter((x) => x !== "ids" || atlas.grid), ...ASKED].map((x) => (
        <label key={x}><input type="checkbox" data-layer={x} checked={layerOn(x)} onChange={() => flip(x)} />
          {t(WORDS[x])}</label>
      ))}
      {marks.map(({ key, name, color }) => (
        <label key={key}><input type="checkbox" data-layer={"mark " + key} checked={layerOn("mark " + key)}
          onChange={() => flip("mark " + key)} />
          <i style={{ background: palette.sign(color) }} aria-hidden="true" />
          {name}{!there.has(key) && <small> {t("layerEmpty")}</small>}</label>
      ))}
      {board.layers.map(({ key, name, color }) => (
        <label key={key}><input type="checkbox" data-layer={"layer " + key} checked={layerOn("layer " + key)}
          onChange={() => flip("layer " + key)} />
          <i style={{ background: palette.sign(color) }} aria-hidden="true" />{name}</label>
      ))}
    </fieldset>
  );
}

function Kinds({ atlas }: { atlas: Atlas }) {
  const used = new Set(atlas.map.spaces.map((s) => s.terrain)), signs = new Set(atlas.map.spaces.flatMap((s) =>
    s.features));
  const edges = new Set(atlas.map.edges.map((e) => e.kind)), roads = new Set(atlas.map.links.map((l) => l.kind));
  const of = (keys: Set<string>) => atlas.map.legend.filter((l) => keys.has(l.key));
  return (
    <ul>
      {of(used).map((l) => <li key={l.key} data-terrain={l.key}><Swatch of={l} />{l.name}</li>)}
      {of(signs).map((l) => <li key={l.key} data-feature={l.key}><Sign of={l} />{l.name}</li>)}
      {of(edges).map((l) => <li key={l.key}><svg viewBox="0 0 46 30" aria-hidden="true">
        <path d="M3 20Q13 4 23 15T43 10" fill="none" stroke={l.color || "#444"}
        stroke-width={60 * (l.width || widthOf(l.key))}
        stroke-linecap="round" /></svg>{l.name}</li>)}
      {of(roads).map((l) => <li key={l.key}><svg viewBox="0 0 46 30" aria-hidden="true"><g fill="none">
        <Road kind={l.key} d="M2 20Q13 4 23 15T44 10" w={70} color={l.color || "#6b5b4b"} /></g></svg>{l.name}</li>)}
    </ul>
  );
}

function Swatch({ of: { key, color } }: { of: Legend }) {
  const fill = color || "#d8d2bd";
  return (
    <svg viewBox="0 0 46 30" aria-hidden="true">
      <rect x="0.500" y="0.500" width="45" height="29" rx="4" fill={fill}
        stroke={isWater(key) ? "#3f6d85" : "#3a3428"} />
      <svg x="1" y="1" width="44" height="28" viewBox="0 0 100 64"><Tile texture={textureOf(key)} /></svg>
    </svg>
  );
}

function Sign({ of: { color, shape, glyph } }: { of: Legend }) {
  return (
    <svg viewBox="0 0 46 30" aria-hidden="true">
      {shape ? <g transform="translate(10 2) scale(.26)"><path d={shape} fill={color || "#555"} stroke="#fff"
        stroke-width="9" paint-order="stroke" /></g>
        : glyph > "\u02ff" ? <text x="23" y="21" font-size="18" text-anchor="middle" fill={color}>{glyph}</text>
        : <circle cx="23" cy="15" r="6" fill={color || "#555"} stroke="#fff" stroke-width="2" />}
    </svg>
  );
}
