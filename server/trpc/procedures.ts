import { initTRPC } from "@trpc/server";
import superjson from "superjson";
import { AppError } from "@/server/errors";
import { findMembership } from "@/server/workspaces/queries";
import { provenWorkspace, type Role, type Scope } from "@/server/workspaces/scope";
import type { Context } from "./context";
import { formatError, logUnexpected, toTrpcError } from "./error-mapping";

const t = initTRPC.context<Context>().create({
  transformer: superjson,
  errorFormatter: formatError,
  // Proxies drop quiet connections after about a minute; a tab that hears nothing for 30 s opens a new one.
  sse: {
    ping: { enabled: true, intervalMs: 10_000 },
    client: { reconnectAfterInactivityMs: 30_000 },
  },
});

export const router = t.router;

const translateErrors = t.middleware(async ({ next, path, type }) => {
  const result = await next();
  if (result.ok) return result;
  logUnexpected({ error: result.error, path, type });
  throw toTrpcError(result.error);
});

/** For anybody, signed in or not. A procedure that uses it belongs on the reviewed list in tests/integration. */
export const publicProcedure = t.procedure.use(translateErrors);

export const signedIn = publicProcedure.use(({ ctx, next }) => {
  if (!ctx.user) throw new AppError("NOT_SIGNED_IN", "Sign in first.");
  return next({ ctx: { user: ctx.user } });
});

/**
 * Proves the workspace and the role from the members table, on each call: a session knows the user only.
 * The only place where a request becomes a Scope.
 */
export const inWorkspace = signedIn.use(async ({ ctx, next }) => {
  const membership = await findMembership(ctx.user.id);
  if (!membership) throw new AppError("NOT_ALLOWED", "You are not a member of a workspace. Ask an owner to add you.");
  const scope: Scope = {
    workspaceId: provenWorkspace(membership.workspaceId),
    userId: ctx.user.id,
    userName: ctx.user.name,
    role: membership.role,
  };
  return next({ ctx: { scope } });
});

function asOneOf(roles: readonly Role[], sentence: string) {
  return inWorkspace.use(({ ctx, next }) => {
    if (!roles.includes(ctx.scope.role)) throw new AppError("NOT_ALLOWED", sentence);
    return next();
  });
}

/** May start and stop runs and answer requests. */
export const asOperator = asOneOf(
  ["owner", "editor", "operator"],
  "You can look but not act here. Ask an owner for the operator role.",
);

/** May change the workspace itself. */
export const asOwner = asOneOf(["owner"], "Only an owner may do this.");
