import { AppError } from "@/server/errors";

/** A sender that is silent for longer has gone. */
const SILENT_AFTER_MS = 60_000;
/** What is refused is still taken for a while, so that the sender gets to read why. */
const DRAIN_MOST_BYTES = 100 * 1024 * 1024;
const DRAIN_MOST_MS = 20_000;

/**
 * The pieces of a request's body as they come, none before it is asked for. Throws INVALID when the sender goes. Whoever
 * stops early has the rest taken and thrown away: a body that is cancelled takes its connection, and the answer, with it.
 */
export async function* piecesOf(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  let over = false;
  const next = async () => {
    try {
      return await within(SILENT_AFTER_MS, signal, reader.read());
    } catch (cause) {
      over = true;
      reader.cancel().catch(() => {});
      throw new AppError("INVALID", "The upload was cut off. Try again.", { cause });
    }
  };
  try {
    for (;;) {
      const { done, value } = await next();
      over = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!over) await drain(reader, signal).catch(() => reader.cancel().catch(() => {}));
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal): Promise<void> {
  const until = performance.now() + DRAIN_MOST_MS;
  for (let bytes = 0; bytes <= DRAIN_MOST_BYTES; ) {
    const { done, value } = await within(until - performance.now(), signal, reader.read());
    if (done) return;
    bytes += value.byteLength;
  }
  throw new Error("more than anybody sends by mistake");
}

async function within<T>(ms: number, signal: AbortSignal, read: Promise<T>): Promise<T> {
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error("the sender was silent")), Math.max(ms, 0));
    const onAbort = () => reject(new Error("the sender went"));
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
  });
  try {
    return await Promise.race([read, stopped]);
  } finally {
    stop();
  }
}
