import { Code, ConnectError, createClient, type Client as Calls, type Transport } from "@connectrpc/connect";
import type { DescService } from "@bufbuild/protobuf";

/**
 * later returns the calls of a service whose messages are fetched with the first call. A page that shows a game needs
 * few services at first, and the messages of all of them are a good part of its size.
 */
export function later<S extends DescService>(transport: Transport, load: () => Promise<S>): Calls<S> {
  let calls: Promise<Calls<S>> | undefined;
  const come = () => (calls ??= load().then((service) => createClient(service, transport)).catch((thrown) => {
    calls = undefined; // the next call tries again
    throw new ConnectError("the messages of a call cannot be fetched", Code.Unavailable, undefined, undefined, thrown);
  }));
  return new Proxy({} as Calls<S>, {
    get: (_, method) => (request: unknown, options: unknown) => {
      const answer = come().then(
        (all): unknown => (all as Record<PropertyKey, (...of: unknown[]) => unknown>)[method]!(request, options));
      // A call returns one message or a stream. Only the caller knows which, so the answer serves as both.
      return Object.assign(answer, {
        async *[Symbol.asyncIterator]() {
          yield* (await answer) as AsyncIterable<unknown>;
        },
      });
    },
  });
}
