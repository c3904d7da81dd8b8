import type { GameModel } from "../game/model";
import { t } from "../words";

/** Unread is how many messages have come that were not on show yet. */
export function Unread({ model }: { model: GameModel }) {
  const n = model.talk.unread.value;
  return n > 0 ? <span class="unread" data-unread={n} aria-label={t("unread", { n })}>{n}</span> : null;
}
