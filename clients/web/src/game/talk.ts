import { computed, effect, signal, untracked, type ReadonlySignal } from "@preact/signals";
import type { Audience, Message, Talk as State } from "@warledger/client/proto/v1/talk_service";
import { stored, tokensOf, wallet } from "../wallet";
import { client, refusal, type Refusal } from "../wire";

// As Audience has it, whose module is fetched with the first call of its service.
const SELF: Audience.SELF = 3;

/** When a message was said, in nanoseconds. */
export function timeOf(m: Message): bigint {
  return (m.createTime?.seconds ?? 0n) * 1_000_000_000n + BigInt(m.createTime?.nanos ?? 0);
}

/** Talk is what people say to each other in a game, as far as this browser's tokens may read it. */
export class Talk {
  readonly state = signal<State | null>(null);
  /** Why nothing is read. */
  readonly trouble = signal<Refusal | null>(null);
  private readonly heard = signal<Map<string, Message>>(new Map());
  /** All messages in the order in which they were said. */
  readonly messages = computed(() =>
    [...this.heard.value.values()].sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1
      : a.name < b.name ? -1 : 1)));
  /** How many messages are pinned to each space. */
  readonly pins = computed(() => {
    const at = new Map<string, number>();
    for (const m of this.messages.value)
      if (m.pin.case === "space") at.set(m.pin.value, (at.get(m.pin.value) ?? 0) + 1);
    return at;
  });
  /** What the next message is pinned to: a space, or a record. */
  readonly pin = signal<{ space?: string; record?: bigint }>({});
  /** The space that was clicked last. */
  readonly place = signal("");
  /** When the newest message was said that was on show here. */
  private readonly seen;
  /** How many messages of others have come that were not on show yet. */
  readonly unread = computed(() => this.messages.value.filter((m) => timeOf(m) > BigInt(this.seen.value)
    && m.audience !== SELF && !this.mine.value.includes(m.seat)).length);
  private listening: AbortController | undefined;
  private unfollow: (() => void) | undefined;

  constructor(private readonly game: string, readonly mine: ReadonlySignal<string[]>) {
    this.seen = stored("talk-seen." + game, "0");
  }

  /** begin listens from now on. */
  begin(): void {
    // Whoever sits down or leaves may read something else.
    const tokens = computed(() => (wallet.value, tokensOf(this.game).join()));
    this.unfollow ??= effect(() => {
      tokens.value;
      untracked(() => this.follow());
    });
  }

  stop(): void {
    this.unfollow?.();
    this.listening?.abort();
  }

  /** looked takes note that everything that has come is on show. */
  looked(): void {
    const newest = this.messages.value.at(-1);
    if (newest && timeOf(newest) > BigInt(this.seen.value)) this.seen.value = String(timeOf(newest));
  }

  /** follow listens anew, as whoever holds the tokens now. */
  follow(): void {
    this.listening?.abort();
    this.heard.value = new Map();
    this.trouble.value = this.state.value = null;
    const listening = (this.listening = new AbortController());
    void this.listen(listening.signal);
  }

  private async listen(ended: AbortSignal): Promise<void> {
    try {
      for await (const h of client.game(this.game).talk.listen({ signal: ended })) {
        if (ended.aborted) return;
        if (h.talk) this.state.value = h.talk;
        if (!h.message && !h.deleted) continue;
        const now = new Map(this.heard.value);
        if (h.message) now.set(h.message.name, h.message);
        if (h.deleted) now.delete(h.deleted);
        this.heard.value = now;
      }
    } catch (thrown) {
      if (!ended.aborted) this.trouble.value = refusal(thrown);
    }
  }
}
