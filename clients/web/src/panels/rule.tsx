import { signal } from "@preact/signals";
import type { Rule } from "@warledger/client/proto/v1/catalog_service";
import { catalog, refusal } from "../wire";
import { lang } from "../words";

/** The paragraph of the rulebook that was asked for. */
export const shown = signal<{ id: string; rule?: Rule; fault?: string } | null>(null);
const known = new Map<string, Rule>();

async function show(ruleset: string, id: string): Promise<void> {
  shown.value = { id };
  try {
    const languageCode = lang.peek(), at = `${languageCode} ${ruleset} ${id}`;
    const rule = known.get(at) ?? (await catalog.getRule({ parent: ruleset, id, languageCode })).rule!;
    known.set(at, rule);
    if (shown.value?.id === id) shown.value = { id, rule };
  } catch (thrown) {
    shown.value = { id, fault: refusal(thrown).message };
  }
}

/** RuleLink opens a paragraph of the rulebook. */
export function RuleLink({ id, ruleset }: { id: string; ruleset: string }) {
  return <button class="rule" data-rule={id} onClick={() => void show(ruleset, id)}>{id}</button>;
}
