/** Early is a call that the page's head has made already, so that its answer comes together with the page. */
interface Early {
  method: string;
  body: Uint8Array;
  authorization: string | null;
  answer: Promise<Response>;
}

declare global {
  interface Window {
    early?: Early[];
  }
}

/** earlyFetch is fetch, but for the calls that were made already: each answer is handed out once. */
export async function earlyFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const early = window.early?.find((e) => String(input).endsWith("/" + e.method) && same(e, init));
  // Whoever asks in another way first, such as with another token, wants none of them.
  if (!early && window.early?.some((e) => String(input).endsWith("/" + e.method))) window.early = [];
  if (early) {
    // The actions of a seat that were not wanted are void once the game goes on.
    window.early = window.early!.filter((e) => e.method !== early.method);
    const answer = await early.answer.catch(() => undefined);
    if (answer?.ok) return answer;
  }
  return fetch(input, init);
}

/** forgetEarly drops the answers that nobody wanted: they tell how the game was when the page began. */
export function forgetEarly(): void {
  window.early = [];
}

function same(early: Early, init?: RequestInit): boolean {
  const body = init?.body;
  return body instanceof Uint8Array && body.length === early.body.length && body.every((x, i) => x === early.body[i])
    && new Headers(init!.headers).get("Authorization") === early.authorization;
}
