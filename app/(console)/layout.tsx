import { headers } from "next/headers";
import type { ReactNode } from "react";
import { ConsoleProviders } from "@/components/layout/console-providers";
import { getSessionUser } from "@/server/auth/session";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

// Who is signed in changes between requests.
export const dynamic = "force-dynamic";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  // Each page sends people to sign in by `requireSignedIn`: only it knows the address to come back to.
  if (!(await getSessionUser({ headers: await headers() }))) return children;
  prefetch(trpc.workspace.me.queryOptions());
  prefetch(trpc.runs.summary.queryOptions());
  return (
    <HydrateClient>
      <ConsoleProviders>{children}</ConsoleProviders>
    </HydrateClient>
  );
}
