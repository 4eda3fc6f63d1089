"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import type { WorkspaceMe } from "@/server/workspaces/schema";

/** Who is signed in, where, and as what. Prefetched by the console layout. */
export function useMe(): WorkspaceMe {
  const trpc = useTRPC();
  return useSuspenseQuery(trpc.workspace.me.queryOptions()).data;
}

export const VIEWER_REASON = "You can look but not act here. Ask an owner for the operator role.";

/** Null when the person may start runs and answer requests; else the sentence to show beside the disabled control. */
export function useWhyNotAct(): string | null {
  return useMe().role === "viewer" ? VIEWER_REASON : null;
}

export const EDITOR_REASON = "You cannot change this here. Ask an owner for the editor role.";

/** Null when the person may change agents, teams and knowledge; else the sentence to show beside the disabled control. */
export function useWhyNotEdit(): string | null {
  const { role } = useMe();
  return role === "owner" || role === "editor" ? null : EDITOR_REASON;
}
