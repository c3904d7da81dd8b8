import type { Atlas } from "./atlas";

/** Texture is how a kind of ground is drawn beside its colour. */
export type Texture = "water" | "wood" | "mountain" | "hill" | "rough" | "marsh" | "town" | "fort" | "sand" | "";

// Words that rulesets have for their terrains; the first that occurs counts.
const WORDS: [RegExp, Texture][] = [
  [/(^|_|-)(sea|ocean|lake|water|strait)/, "water"], [/wood|forest|jungle/, "wood"], [/mountain|alpine/, "mountain"],
  [/hill|ridge/, "hill"], [/rough|broken|bocage|escarpment/, "rough"], [/marsh|swamp|bog/, "marsh"],
  [/city|town|urban|village/, "town"], [/fort/, "fort"], [/desert|sand|beach|dune/, "sand"],
];

/** textureOf is the texture of a terrain, by the words of its key; empty for open ground and what is not known. */
export function textureOf(terrain: string): Texture {
  return WORDS.find(([word]) => word.test(terrain))?.[1] ?? "";
}

export function isWater(terrain: string): boolean {
  return textureOf(terrain) === "water";
}

// Signs in a tile of 100 by 100, one of which is as wide as a hex: what is filled, and what is drawn as lines.
const TILES: Record<Exclude<Texture, "">, { ink: string; strength: number; fill?: string; line?: string }> = {
  water: { ink: "#ffffff", strength: 0.3,
    line: "M8 22q7-5 14 0t14 0M58 40q7-5 14 0t14 0M22 66q7-5 14 0t14 0M66 88q7-5 14 0t14 0" },
  wood: { ink: "#2f5a2c", strength: 0.34,
    fill: "M14 26a8 8 0 1 1 14-6 7 7 0 0 1 3 13H17a5 5 0 0 1-3-7Z"
      + "M62 20a7 7 0 1 1 12-5 6 6 0 0 1 3 11H65a4 4 0 0 1-3-6Z"
      + "M38 52a8 8 0 1 1 14-6 7 7 0 0 1 3 13H41a5 5 0 0 1-3-7Z"
      + "M80 62a7 7 0 1 1 12-5 6 6 0 0 1 3 11H83a4 4 0 0 1-3-6Z"
      + "M10 82a7 7 0 1 1 12-5 6 6 0 0 1 3 11H13a4 4 0 0 1-3-6Z"
      + "M56 92a7 7 0 1 1 12-5 6 6 0 0 1 3 11H59a4 4 0 0 1-3-6Z" },
  mountain: { ink: "#3b2817", strength: 0.36,
    fill: "M26 12 44 42 31 36ZM74 52 94 84 80 77Z",
    line: "M8 42 26 12 44 42M54 84 74 52 94 84M66 26 74 14 82 26M18 80 25 70 32 80" },
  hill: { ink: "#5a3f1e", strength: 0.34,
    line: "M10 32q14-20 28 0M17 25l-3-5M24 22v-6M31 25l3-5M58 68q14-20 28 0M65 61l-3-5M72 58v-6M79 61l3-5"
      + "M62 20q8-11 16 0M18 86q8-11 16 0" },
  rough: { ink: "#4a3620", strength: 0.3,
    line: "M12 22l6-7 5 7M60 14l5-6 5 6M84 38l4-5 4 5M36 44l6-7 5 7M10 64l5-6 5 6M66 66l6-7 5 7M36 84l5-6 5 6"
      + "M86 92l4-5 4 5" },
  marsh: { ink: "#1f5560", strength: 0.42,
    line: "M10 26h24M22 26V16M17 25l-4-7M27 25l4-7M58 54h24M70 54V44M65 53l-4-7M75 53l4-7M16 82h20M54 16h16"
      + "M64 88h20" },
  town: { ink: "#4a2018", strength: 0.3,
    fill: "M12 14h14v9H12ZM34 10h10v14H34ZM60 16h16v9H60ZM84 30h9v14h-9ZM16 40h10v13H16ZM40 42h15v10H40Z"
      + "M66 50h12v9H66ZM12 70h16v9H12ZM40 72h9v13h-9ZM62 78h15v9H62ZM86 68h8v14h-8Z" },
  fort: { ink: "#2f2a38", strength: 0.26,
    line: "M0 20 20 0M0 60 60 0M0 100 100 0M40 100 100 40M80 100 100 80" },
  sand: { ink: "#7a5c22", strength: 0.34,
    fill: "M12 18h3v3h-3ZM42 12h3v3h-3ZM76 22h3v3h-3ZM26 44h3v3h-3ZM60 50h3v3h-3ZM88 58h3v3h-3ZM14 76h3v3h-3Z"
      + "M46 82h3v3h-3ZM76 88h3v3h-3Z" },
};

/** patternId names the tile of a texture on a map. */
export function patternId(atlas: Atlas, texture: Texture): string {
  return `tile-${texture}-${atlas.map.digest.slice(0, 8)}`;
}

/** Tiles are the textures that a map has use for. */
export function Tiles({ atlas }: { atlas: Atlas }) {
  const wanted = new Set(atlas.map.spaces.map((s) => textureOf(s.terrain)));
  const side = atlas.grid ? atlas.pitch : atlas.map.width / 60;
  return (
    <defs>
      {[...wanted].map((x) => x && (
        <pattern key={x} id={patternId(atlas, x)} width="100" height="100" patternUnits="userSpaceOnUse"
          patternTransform={`scale(${side / 100})`}><Tile texture={x} /></pattern>
      ))}
    </defs>
  );
}

/** Tile is one tile of a texture, in a box of 100 by 100. */
export function Tile({ texture }: { texture: Texture }) {
  if (!texture) return null;
  const { ink, strength, fill, line } = TILES[texture];
  return (
    <g opacity={strength}>
      {fill && <path d={fill} fill={ink} />}
      {line && <path d={line} fill="none" stroke={ink} stroke-width="2.600" stroke-linecap="round"
        stroke-linejoin="round" />}
    </g>
  );
}
