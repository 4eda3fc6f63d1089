import { getTRPCErrorFromUnknown, TRPCError, type TrackedEnvelope } from "@trpc/server";
import superjson, { type SuperJSONResult } from "superjson";
import type { RunEvent } from "@/server/engine/events";
import type { FollowInput, FollowMessage } from "@/server/runs/live-schema";
import type { Context } from "./context";
import { formatError, logUnexpected } from "./error-mapping";
import { appRouter } from "./root";

/** Proxies drop quiet connections after about a minute… */
const PING_MS = 10_000;
/** …and a tab that hears nothing for 30 s opens a new stream. */
const CLIENT_OPTIONS = { reconnectAfterInactivityMs: 30_000 };
/** Bytes that may wait for a reader before its run is read no further. */
const MOST_WAITING = 16 * 1024;
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};
const CONNECTED = frameOf({ event: "connected", data: JSON.stringify(CLIENT_OPTIONS) });
const PING = frameOf({ event: "ping" });
const RETURN = frameOf({ event: "return" });

/**
 * Answers the subscription `live.follow`, message for message as the transport would by itself, at a fraction of its cost: an event that many watch
 * is written out once for all of them, and a message is one piece where the transport's own are three that pass six streams each (F26, ADR 040).
 * Input, rights and errors are the procedure's.
 */
export function answerLiveStream(request: Request, createContext: () => Promise<Context>): Response {
  const left = new AbortController();
  const signal = AbortSignal.any([request.signal, left.signal]);
  let goOn = () => {};
  signal.addEventListener("abort", () => goOn());

  async function write(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    // Whoever has something to take yet needs no sign of life.
    const pinging = setInterval(() => (controller.desiredSize ?? 0) > 0 && controller.enqueue(PING), PING_MS);
    try {
      controller.enqueue(CONNECTED);
      const caller = appRouter.createCaller(await createContext(), { signal });
      for await (const [id, message] of asSent(await caller.live.follow(readInput(request)))) {
        controller.enqueue(messageFrame(id, message));
        const isFull = (controller.desiredSize ?? 0) <= 0;
        if (isFull && !signal.aborted) await new Promise<void>((resolve) => (goOn = resolve));
      }
      controller.enqueue(RETURN);
    } catch (cause) {
      if (signal.aborted) return;
      const error = getTRPCErrorFromUnknown(cause);
      logUnexpected({ error, path: "live.follow", type: "subscription" });
      controller.enqueue(frameOf({ event: "serialized-error", data: packed(formatError({ error })) }));
    } finally {
      clearInterval(pinging);
      if (!signal.aborted) controller.close();
    }
  }
  const body = new ReadableStream<Uint8Array>(
    { start: (controller) => void write(controller), pull: () => goOn(), cancel: () => left.abort() },
    new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }),
  );
  return new Response(body, { headers: HEADERS });
}

type Sent = AsyncIterable<TrackedEnvelope<FollowMessage>>;
/** A caller's types tell what a client makes of a message that is tracked; here it is as the procedure sent it. */
const asSent = (messages: AsyncIterable<unknown>) => messages as Sent;

/** A reader that comes back says in a header what it was given last: browsers do so by themselves. */
function readInput(request: Request): FollowInput {
  const input = new URL(request.url).searchParams.get("input");
  const lastEventId = request.headers.get("last-event-id");
  try {
    const read = superjson.deserialize<FollowInput>(JSON.parse(input ?? "{}") as SuperJSONResult);
    return lastEventId ? { ...read, lastEventId } : read;
  } catch (cause) {
    throw new TRPCError({ code: "PARSE_ERROR", cause });
  }
}

/** Events are read once for all who watch a run: so is each written out. */
const eventFrames = new WeakMap<RunEvent, Uint8Array>();

function messageFrame(id: string, message: FollowMessage): Uint8Array {
  if (message.type !== "event") return frameOf({ data: packed(message), id });
  const written = eventFrames.get(message.event) ?? frameOf({ data: packed(message), id });
  eventFrames.set(message.event, written);
  return written;
}

const packed = (value: unknown) => JSON.stringify(superjson.serialize(value));

function frameOf({ event, data = "", id }: { event?: string; data?: string; id?: string }): Uint8Array {
  return Buffer.from(`${event ? `event: ${event}\n` : ""}data: ${data}\n${id === undefined ? "" : `id: ${id}\n`}\n`);
}
