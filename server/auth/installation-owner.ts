import { AppError } from "@/server/errors";
import { isOldestWorkspace } from "@/server/workspaces/queries";
import type { Scope } from "@/server/workspaces/scope";

/**
 * Why somebody may not look after the installation as a whole; null when they may. Its health and its backups hold all
 * workspaces, so only owners of the first one, whoever set it up, are let in.
 */
export async function whyNotInstallation(scope: Scope): Promise<string | null> {
  if (scope.role !== "owner") return "This concerns the whole installation, so only owners may see it.";
  if (await isOldestWorkspace(scope.workspaceId)) return null;
  return "This concerns the whole installation, with all its workspaces. Only owners of its first workspace may see it.";
}

/** Throws NOT_ALLOWED for everybody but owners of the oldest workspace. */
export async function assertInstallationOwner(scope: Scope): Promise<void> {
  const whyNot = await whyNotInstallation(scope);
  if (whyNot) throw new AppError("NOT_ALLOWED", whyNot);
}
