import { useSignal } from "@preact/signals";
import type { Ruleset, ScenarioFault } from "@warledger/client/proto/v1/catalog_service";
import { fileName, save } from "../game/file";
import { catalog, refusal } from "../wire";
import { t } from "../words";

/** How long a scenario document may be, in bytes. */
const MOST = 4 << 20;

/** OwnDocument takes a scenario document from a file and shows all that is wrong with it, until it can be played. */
export function OwnDocument({ ruleset, taken }:
  { ruleset: Ruleset; taken(document: Uint8Array | null, title: string): void }) {
  const faults = useSignal<ScenarioFault[] | null>(null), fault = useSignal(""), busy = useSignal(false);
  const read = async (file: File | undefined) => {
    taken(null, "");
    faults.value = null;
    fault.value = "";
    if (!file) return;
    if (file.size > MOST) return void (fault.value = t("tooLong", { n: MOST >> 20 }));
    busy.value = true;
    try {
      const document = new Uint8Array(await file.arrayBuffer());
      const r = await catalog.validateScenario({ parent: ruleset.name, document });
      faults.value = r.faults;
      if (r.playable) taken(document, file.name.replace(/\.[^.]*$/, ""));
    } catch (thrown) {
      fault.value = refusal(thrown).message;
    } finally {
      busy.value = false;
    }
  };
  return (
    <section class="own-document">
      <h2>{ruleset.title}</h2>
      <p class="note">{t("ownNote")}</p>
      <label class="field">{t("ownFile")}
        <input id="own-file" type="file" accept=".json,application/json" disabled={busy.value}
        onClick={(e) => (e.currentTarget.value = "")} onChange={(e) => void read(e.currentTarget.files?.[0])} /></label>
      {busy.value && <p role="status">{t("loading")}</p>}
      {fault.value && <p role="alert" class="fault">{fault.value}</p>}
      {faults.value && (faults.value.length === 0 ? <p role="status">{t("ownSound")}</p> : (
        <div role="alert">
          <p>{t("ownFaults", { n: faults.value.length })}</p>
          <ul class="faults">
            {faults.value.map((f, i) => <li key={i}>{f.warning && <span class="tag">{t("warning")}</span>} <code>
            {f.path}</code> {f.message}</li>)}</ul>
        </div>
      ))}
    </section>
  );
}

/** SaveDocument hands out a scenario's document, for making one's own of it. */
export function SaveDocument({ scenario }: { scenario: string }) {
  const fault = useSignal("");
  const load = () => catalog.getScenario({ name: scenario })
    .then((r) => save(new Blob([r.document as BlobPart], { type: "application/json" }),
    fileName(scenario.split("/").at(-1)!, ".json")), (thrown) => (fault.value = refusal(thrown).message));
  return <p><button type="button" class="quiet" id="save-document" onClick={() => void load()}>{t("saveDocument")}
    </button> {fault.value}</p>;
}
