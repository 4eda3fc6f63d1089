import { createHash } from "node:crypto";
import { openSecret, sealSecret } from "@/server/secrets/seal";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { cleanBaseUrl } from "../rules";

type Tested = { workspaceId: WorkspaceId; baseUrl: string; apiKey: string };

/**
 * Says that an endpoint answered just now, in a way that only the server can say it: who saves the provider hands it back.
 * Null without a secrets key, which testing does not need.
 */
export function proveTested(tested: Tested): string | null {
  try {
    return sealSecret(sealedFor(tested), new Date().toISOString());
  } catch {
    return null;
  }
}

/** When this address answered with this key; null where the proof is of others, of another workspace, or none. */
export function testedAt(tested: Tested, proof: string | null): Date | null {
  if (proof === null) return null;
  try {
    return new Date(openSecret(sealedFor(tested), proof));
  } catch {
    return null;
  }
}

/** What is sealed opens only for the same address and key, and holds neither. */
function sealedFor({ workspaceId, baseUrl, apiKey }: Tested) {
  const settings = createHash("sha256")
    .update(JSON.stringify([cleanBaseUrl(baseUrl), apiKey]))
    .digest("hex");
  return { workspaceId, purpose: `tested-endpoint:${settings}` };
}
