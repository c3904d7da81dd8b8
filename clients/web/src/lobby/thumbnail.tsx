import { useEffect, useRef } from "preact/hooks";
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
    a = catalog.getScenario({ name: scenario, languageCode: lang.value, includeMap: true }).then((r) => (r.map ? chart(r.map) : null), () => null);
    atlases.set(key, a);
  }
  return a;
}

/** Thumbnail is a scenario's map, drawn small, once it comes into sight. */
export function Thumbnail({ scenario, title }: { scenario: string; title: string }) {
  const box = useRef<HTMLDivElement>(null);
  const atlas = useSignal<Atlas | null>(null);
  useEffect(() => {
    const seen = new IntersectionObserver((all) => {
      if (!all.some((e) => e.isIntersecting)) return;
      seen.disconnect();
      void atlasOf(scenario).then((a) => (atlas.value = a));
    });
    seen.observe(box.current!);
    return () => seen.disconnect();
  }, [scenario]);
  const a = atlas.value;
  return (
    <div class="thumbnail" ref={box}>
      {a && <svg viewBox={`0 0 ${a.map.width} ${a.map.height}`} role="img" aria-label={t("mapOf", { title })} preserveAspectRatio="xMidYMid slice"><Ground atlas={a} /><Print atlas={a} names={false} /></svg>}
    </div>
  );
}
