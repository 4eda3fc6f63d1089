import { defaultShouldDehydrateQuery, type Query, QueryClient } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import superjson from "superjson";

const STALE_AFTER_MS = 30_000;
const MAX_RETRIES = 2;

/** A refusal (4xx) stays one however often it is asked; only faults are tried again, and never while a page waits. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  if (typeof window === "undefined") return false;
  const status = error instanceof TRPCClientError ? error.data?.httpStatus : undefined;
  if (typeof status === "number" && status < 500) return false;
  return failures < MAX_RETRIES;
}

/** A query still on its way is streamed to the browser as a promise. */
export function isWorthSending(query: Query): boolean {
  return defaultShouldDehydrateQuery(query) || query.state.status === "pending";
}

/** Settings shared by server components and the browser, so that what one prefetches the other can read. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Troupe often runs on the reader's own machine or network: a browser that is "offline" can still reach it.
      queries: { staleTime: STALE_AFTER_MS, retry: isWorthRetrying, networkMode: "always" },
      mutations: { networkMode: "always" },
      dehydrate: {
        serializeData: superjson.serialize,
        shouldDehydrateQuery: isWorthSending,
      },
      hydrate: { deserializeData: superjson.deserialize },
    },
  });
}
