import type { ReactNode } from "react";
import { RedirectToSignIn } from "@/components/auth/redirect-to-sign-in";
import { ConsoleProviders } from "@/components/layout/console-providers";
import { findSignedIn } from "@/server/auth/gate";
import { handDown, prefetch, trpc } from "@/server/trpc/rsc";

// Who is signed in changes between requests.
export const dynamic = "force-dynamic";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  if (!(await findSignedIn())) return <RedirectToSignIn />;
  prefetch(trpc.workspace.me.queryOptions());
  prefetch(trpc.runs.summary.queryOptions());
  return handDown(<ConsoleProviders>{children}</ConsoleProviders>);
}
