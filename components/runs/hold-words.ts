import { isSentence, reasonSentence, reasonWords } from "@/components/ui/status-words";
import type { RunStatus } from "@/server/engine/state";

/** Why a run stands still and what Resume does about it, in sentences; null for one that is not held. */
export function holdWords({ status, reason }: { status: RunStatus; reason: string | null }): string | null {
  switch (status) {
    case "paused":
      return `${reasonSentence(reason ?? "Paused by somebody")} Nothing new begins; calls that were under way still end, and questions can be answered. Resume lets it go on where it was.`;
    case "suspended":
      // Limits given to the run on resuming do not lift the one of the workspace.
      if (reason && /^This workspace may .* or reserved/.test(reason)) {
        return `${because("A limit stopped it", reason)} An owner can raise it under Usage, or it begins anew at midnight UTC. Then Resume lets it go on after its last recorded step.`;
      }
      return `${because("A limit stopped it", reason)} Resume lets it go on after its last recorded step, with the limits you give it then.`;
    case "interrupted":
      return `${because("No worker could carry it on", reason)} Resume lets it go on after its last recorded step; what was under way is begun again.`;
    default:
      return null;
  }
}

function because(what: string, reason: string | null): string {
  if (reason !== null && isSentence(reason)) return reason;
  return reasonSentence(reason === null ? what : `${what}: ${reasonWords(reason)}`);
}
