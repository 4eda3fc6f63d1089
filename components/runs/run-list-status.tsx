import { StatusBadge } from "@/components/ui/status";
import { statusWord } from "@/components/ui/status-words";
import { isHeld } from "@/server/engine/state";
import type { RunSummary } from "@/server/runs/schema";

type Props = { run: Pick<RunSummary, "status" | "statusReason" | "openRequests">; pill?: boolean };

/** The state of a run in a list. A run may work, or be held, while a person is asked: both are said. */
export function RunStatusBadge({ run, pill }: Props) {
  const { status, statusReason, openRequests } = run;
  if (openRequests > 0 && (status === "running" || isHeld(status))) {
    return <StatusBadge status={status} word={`${statusWord(status)}, ${openRequests} waiting for you`} pill={pill} />;
  }
  const word = status === "waiting" && openRequests > 0 ? "Waiting for you" : undefined;
  return <StatusBadge status={status} reason={statusReason} word={word} pill={pill} />;
}
