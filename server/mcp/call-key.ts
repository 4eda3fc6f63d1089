import { AsyncLocalStorage } from "node:async_hooks";
import { z } from "zod";

/** Where a server that is told keys reads them: the HTTP header of the request, and `_meta` of the call itself. */
const HEADER = "Idempotency-Key";
const META = "troupe/idempotency-key";

const current = new AsyncLocalStorage<string>();
const toolCall = z.looseObject({ method: z.literal("tools/call") });

/** What a call's `_meta` says of its key; servers that are programs have no other way to know it. */
export function keyMeta(key: string | null): { _meta?: Record<string, string> } {
  return key === null ? {} : { _meta: { [META]: key } };
}

/** Makes a call whose own request, and no other of its connection, carries the key (IDEM-05). */
export function underKey<T>(key: string | null, call: () => Promise<T>): Promise<T> {
  return key === null ? call() : current.run(key, call);
}

/** Adds the header to the request of a call that is made under a key. */
export function keyedFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const key = current.getStore();
    if (key === undefined || !isToolCall(init?.body)) return fetch(input, init);
    const headers = new Headers(init?.headers);
    headers.set(HEADER, key);
    return fetch(input, { ...init, headers });
  };
}

function isToolCall(body: unknown): boolean {
  if (typeof body !== "string") return false;
  try {
    return toolCall.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}
