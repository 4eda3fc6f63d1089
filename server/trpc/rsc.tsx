import {
  dehydrate,
  type FetchInfiniteQueryOptions,
  type FetchQueryOptions,
  HydrationBoundary,
  type QueryKey,
} from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { headers } from "next/headers";
import { cache, type ReactNode } from "react";
import { isWorthSending, makeQueryClient } from "@/components/trpc/query-client";
import { createContext } from "./context";
import { appRouter } from "./root";

/** One query client and one session look-up per request, however many components ask. */
const getQueryClient = cache(makeQueryClient);
/** Hashes of the queries a page has been given already. */
const getSent = cache(() => new Set<string>());
const getContext = cache(async () => createContext({ headers: await headers() }));

/** The browser's `useTRPC()`, for server components: the same options objects, called without HTTP. */
export const trpc = createTRPCOptionsProxy({ ctx: getContext, router: appRouter, queryClient: getQueryClient });

/** Starts a query on the server and streams its result; does not hold up the page. */
export function prefetch<Row, Problem, Shown, Key extends QueryKey>(
  options: FetchQueryOptions<Row, Problem, Shown, Key>,
): void {
  void getQueryClient().prefetchQuery(options);
}

/** The same for the first page of a list that loads more. */
export function prefetchInfinite<Row, Problem, Shown, Key extends QueryKey, Cursor>(
  options: FetchInfiniteQueryOptions<Row, Problem, Shown, Key, Cursor>,
): void {
  void getQueryClient().prefetchInfiniteQuery(options);
}

/**
 * Hands what was prefetched to the components below it, once: the frame of the console and the page in it render side by side, and each
 * would send what the other asked for as well. For pages; a layout uses `handDown`.
 */
export function HydrateClient({ children }: { children: ReactNode }) {
  return handDown(children);
}

/**
 * The same for a layout, which calls it right after it asked: were it rendered, as a component is, the page inside could come first and
 * take what the layout asked for. It would then be missing above the page, where asking for it ends the page with an error.
 */
export function handDown(children: ReactNode): ReactNode {
  const sent = getSent();
  const state = dehydrate(getQueryClient(), {
    shouldDehydrateQuery: (query) => {
      if (sent.has(query.queryHash) || !isWorthSending(query)) return false;
      sent.add(query.queryHash);
      return true;
    },
  });
  return <HydrationBoundary state={state}>{children}</HydrationBoundary>;
}
