import { assertInstallationOwner } from "@/server/auth/installation-owner";
import { proveScope } from "@/server/auth/prove-scope";
import { getSessionUser } from "@/server/auth/session";
import { AppError } from "@/server/errors";
import type { Scope } from "@/server/workspaces/scope";

/** What asInstallationOwner is for procedures, for a plain request. Throws NOT_SIGNED_IN and NOT_ALLOWED. */
export async function proveInstallationOwner(request: Request): Promise<Scope> {
  const user = await getSessionUser(request);
  if (!user) throw new AppError("NOT_SIGNED_IN", "Sign in first.");
  const scope = await proveScope(user);
  await assertInstallationOwner(scope);
  return scope;
}
