import { useSignal } from "@preact/signals";
import { chart, type Atlas } from "../board/atlas";
import { Ground, Print } from "../board/ground";
import { catalog } from "../wire";
import { lang, t } from "../words";

const atlases = new Map<string, Promise<Atlas | null>>();

function atlasOf(scenario: string): Promise<Atlas | null> {
  const key = scenario + lang.value;
  let a = atlases.get(key);
  if (!a) {
    a = catalog.getScenario({ name: scenario, languageCode: lang.value, includeMap: true })
      .then((r) => (r.map ? chart(r.map) : null), () => null);
    atlases.set(key, a);
  }
  return a;
}

/** Thumbnail is a scenario's picture, which came with the page; for one that has none its map, drawn small. */
export function Thumbnail({ scenario, title }: { scenario: string; title: string }) {
  const atlas = useSignal<Atlas | null>(null), [, ruleset, , id] = scenario.split("/"), a = atlas.value;
  return (
    <div class="thumbnail">
      {a ? (
        <svg viewBox={`0 0 ${a.map.width} ${a.map.height}`} role="img" aria-label={t("mapOf", { title })}
          preserveAspectRatio="xMidYMid slice"><Ground atlas={a} /><Print atlas={a} /></svg>
      ) : (
        <img src={`maps/${ruleset}-${id}.jpg`} alt={t("mapOf", { title })}
          onError={() => void atlasOf(scenario).then((a) => (atlas.value = a))} />
      )}
    </div>
  );
}
