"use client";

import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchStreamLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import superjson from "superjson";
import type { AppRouter } from "@/server/trpc/root";
import { makeQueryClient } from "./query-client";
import { noteRefusals } from "./refusals";

const URL_PATH = "/api/trpc";

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

let browserQueryClient: QueryClient | undefined;

/** One for the life of the tab; on the server a fresh one per render, so that no two people share a cache. */
function getQueryClient(): QueryClient {
  if (typeof window === "undefined") return makeQueryClient();
  browserQueryClient ??= makeQueryClient();
  return browserQueryClient;
}

function makeClient(queryClient: QueryClient) {
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: httpSubscriptionLink({ url: URL_PATH, transformer: superjson }),
        // Bounded so that a batched GET stays within the header limits of common proxies.
        false: [
          noteRefusals(queryClient),
          httpBatchStreamLink({ url: URL_PATH, transformer: superjson, maxURLLength: 4000, maxItems: 20 }),
        ],
      }),
    ],
  });
}

/** Gives the components below it `useTRPC()` and the query cache. */
export function TrpcClient({ children }: { children: ReactNode }) {
  const queryClient = getQueryClient();
  const [trpcClient] = useState(() => makeClient(queryClient));
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
