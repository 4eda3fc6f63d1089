import { initTRPC } from "@trpc/server";
import superjson from "superjson";
import { assertInstallationOwner } from "@/server/auth/installation-owner";
import { proveScope } from "@/server/auth/prove-scope";
import { AppError } from "@/server/errors";
import type { Role } from "@/server/workspaces/scope";
import type { Context } from "./context";
import { formatError, logUnexpected, toTrpcError } from "./error-mapping";
import { tellChange } from "./tell-changes";

const t = initTRPC.context<Context>().create({
  transformer: superjson,
  errorFormatter: formatError,
});

export const router = t.router;

const translateErrors = t.middleware(async ({ next, path, type }) => {
  const result = await next();
  if (result.ok) return result;
  const error = toTrpcError(result.error);
  logUnexpected({ error, path, type });
  throw error;
});

/** For anybody, signed in or not. A procedure that uses it belongs on the reviewed list in tests/integration. */
export const publicProcedure = t.procedure.use(translateErrors);

export const signedIn = publicProcedure.use(({ ctx, next }) => {
  if (!ctx.user) throw new AppError("NOT_SIGNED_IN", "Sign in first.");
  return next({ ctx: { user: ctx.user } });
});

/** Proves the workspace and the role on each call. What a mutation changed, other tabs of the workspace hear of. */
export const inWorkspace = signedIn.use(async ({ ctx, next, path, type }) => {
  const scope = await proveScope(ctx.user);
  const result = await next({ ctx: { scope } });
  if (result.ok && type === "mutation") await tellChange(scope.workspaceId, path);
  return result;
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

/** May change what runs use: agents, teams, knowledge. */
export const asEditor = asOneOf(["owner", "editor"], "You cannot change this here. Ask an owner for the editor role.");

/** May change the workspace itself. */
export const asOwner = asOneOf(["owner"], "Only an owner may do this.");

/** May look after the installation as a whole, with all its workspaces. */
export const asInstallationOwner = asOwner.use(async ({ ctx, next }) => {
  await assertInstallationOwner(ctx.scope);
  return next();
});
