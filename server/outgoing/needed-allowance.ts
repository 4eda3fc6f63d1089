import { AppError } from "@/server/errors";
import { allowedHosts } from "./allowed-hosts";
import { refusalIn } from "./refused";
import { isPrivateTarget, readTarget, type Target } from "./targets";

/**
 * The host an owner must allow with a save, and does; null: none is needed. A public name gets no allowance: it could be turned to a
 * private address later. Throws INVALID for an address nobody could call, and for a private one that is not allowed.
 */
export async function neededAllowance(
  workspaceId: string,
  { url, allowPrivateHost }: { url: string; allowPrivateHost: boolean },
): Promise<Target | null> {
  try {
    const { target } = readTarget(url);
    if ((await allowedHosts(workspaceId)).has(target.key) || !(await isPrivateTarget(url))) return null;
    if (allowPrivateHost) return target;
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal) throw new AppError("INVALID", refusal.message, { cause: error });
    throw error;
  }
  const where = new URL(url).host;
  throw new AppError("INVALID", `${where} is on this machine or a private network. Allow calls there, then save.`);
}
