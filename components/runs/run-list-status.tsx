import { StatusBadge } from "@/components/ui/status";
import type { RunSummary } from "@/server/runs/schema";

type Props = { run: Pick<RunSummary, "status" | "statusReason" | "openRequests">; pill?: boolean };

/** The state of a run in a list. A run may work on one branch while it waits for a person on another: both are said. */
export function RunStatusBadge({ run, pill }: Props) {
  const { status, statusReason, openRequests } = run;
  if (openRequests > 0 && status === "running") {
    return <StatusBadge status={status} word={`Running, ${openRequests} waiting for you`} pill={pill} />;
  }
  const word = status === "waiting" && openRequests > 0 ? "Waiting for you" : undefined;
  return <StatusBadge status={status} reason={statusReason} word={word} pill={pill} />;
}
