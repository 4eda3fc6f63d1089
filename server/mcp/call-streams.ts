import { AsyncLocalStorage } from "node:async_hooks";

/** Time for a client to go on with a reply whose stream broke off; MCP allows that, and tries after about a second. */
const RESUME_WITHIN_MS = 5000;

type CallStreams = { begun(): void; ended(): void };
const current = new AsyncLocalStorage<CallStreams>();

/** The stream that should have brought the reply is over. */
export class ReplyLost extends Error {}

/**
 * Runs a call and rejects when the stream that should bring its reply ends without one. The SDK goes on waiting then,
 * until its time is up: it cannot tell a server that died from one that is busy.
 */
export async function failWhenStreamEnds<T>(call: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let fail: (error: Error) => void = () => {};
  const lost = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const streams: CallStreams = {
    begun: () => clearTimeout(timer),
    ended: () => {
      clearTimeout(timer);
      timer = setTimeout(() => fail(new ReplyLost()), RESUME_WITHIN_MS);
    },
  };
  try {
    return await Promise.race([current.run(streams, call), lost]);
  } finally {
    clearTimeout(timer);
    streams.ended = () => {};
  }
}

/** Reports to the call that made this request when the answer's body is over, well or badly. */
export function watchingFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const streams = current.getStore();
    const response = await fetch(input, init);
    if (!streams || !response.body || !isEventStream(response)) return response;
    streams.begun();
    const { status, statusText, headers, url } = response;
    const watched = new Response(passOn(response.body, streams), { status, statusText, headers: [...headers] });
    Object.defineProperty(watched, "url", { value: url });
    return watched;
  };
}

const isEventStream = (response: Response) =>
  response.headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") ?? false;

function passOn(body: ReadableStream<Uint8Array>, streams: CallStreams): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        streams.ended();
        controller.close();
      } catch (error) {
        streams.ended();
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
