import type { QueryClient } from "@tanstack/react-query";
import { TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "@/server/trpc/root";
import { setAccess } from "./access";

/** The query that says who one is here; its refusal means that one is nobody here any more. */
const ME = "workspace.me";

/** The server's word for a refusal, e.g. NOT_SIGNED_IN; null when it did not answer. */
export function refusalCodeOf(error: unknown): string | null {
  const code: unknown = error instanceof TRPCClientError ? error.data?.code : null;
  return typeof code === "string" ? code : null;
}

/**
 * Sees every refused call, whoever made it, for what it tells about the tab as a whole. A session that ended is known at
 * once; "you may not" can also mean a role that was changed or a workspace that was left, so who one is here is asked again.
 */
export function noteRefusals(queryClient: QueryClient): TRPCLink<AppRouter> {
  const note = (path: string, error: unknown) => {
    const code = refusalCodeOf(error);
    if (code === "NOT_SIGNED_IN") setAccess("signed-out");
    if (code !== "NOT_ALLOWED") return;
    if (path === ME) setAccess("removed");
    else void queryClient.invalidateQueries({ queryKey: [ME.split(".")] });
  };
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          next: (value) => {
            if (op.path === ME) setAccess("open");
            observer.next(value);
          },
          error: (error) => {
            note(op.path, error);
            observer.error(error);
          },
          complete: () => observer.complete(),
        }),
      );
}
