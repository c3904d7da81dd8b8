import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Record as GameRecord } from "@warledger/client/proto/v1/game_service";
import { DiceKind, DiceSource } from "@warledger/client/proto/log/v1/log";
import type { GameModel } from "../game/model";
import { verifyRecord, type Verdict } from "../game/verify";
import { t } from "../words";
import { Die } from "./die";

const shown = signal<{ record: GameRecord; verdict?: Verdict } | null>(null);

/** proof shows what proves the dice of a record. */
export function proof(model: GameModel, record: GameRecord): void {
  shown.value = { record };
  void verifyRecord(model, record).then((verdict) => {
    if (shown.value?.record === record) shown.value = { record, verdict };
  });
}

/** ProofDialog shows the dice of a record with what proves them, checked by this browser itself. */
export function ProofDialog({ model }: { model: GameModel }) {
  const s = shown.value, box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (s && !box.current?.open) box.current?.showModal();
  }, [s]);
  if (!s) return null;
  const game = model.game.value!;
  return (
    <dialog ref={box} class="proof" aria-labelledby="proof-title" onClose={() => (shown.value = null)}>
      <h2 id="proof-title">{t("proofOf", { n: s.record.version })}</h2>
      <p class="dice">
        {s.record.rolls.map((d) => <Die key={d.index} sides={d.sides} value={d.value} reason={d.reason} />)}</p>
      {game.dice === DiceKind.MANUAL ? <p>{t("proofManual")}</p> : (
        <>
          <p>{t("proofCommitted")} <code>{game.diceCommitment}</code></p>
          {s.record.diceSource === DiceSource.MUTUAL && <p>{t("proofMutual")}</p>}
          <p role="status" data-verdict={s.verdict?.dice ?? "…"}>{s.verdict ? t(s.verdict.dice) : t("loading")}</p>
        </>
      )}
      <p>{t("recordHash")} <code>{s.record.hash}</code></p>
      {s.verdict && <p data-chain={s.verdict.chain}>{t(s.verdict.chain)}</p>}
      <form method="dialog"><button autofocus>{t("close")}</button></form>
    </dialog>
  );
}
