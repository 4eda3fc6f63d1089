"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { SpendLimits } from "@/server/engine/run-limits";
import { isHeld, isTerminal, type RunStatus } from "@/server/engine/state";
import type { RunSummary } from "@/server/runs/schema";

type Control = "pause" | "resume";
type Press = {
  control: Control;
  /** For a resume: what it may spend from now on; as before when it is left out. */
  limits?: SpendLimits;
};

/** What can be done about the clock of a run: hold it while it moves, let it go on while it is held. */
function controlOf(status: RunStatus): Control | null {
  if (isTerminal(status)) return null;
  return isHeld(status) ? "resume" : "pause";
}

/** Pauses and resumes a run. It is busy until the page shows the run as it stands then. */
export function useControlRun({ id: runId, status }: Pick<RunSummary, "id" | "status">) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const offered = controlOf(status);
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: ({ control, limits }: Press) =>
      control === "pause"
        ? client.runs.pause.mutate({ runId })
        : client.runs.resume.mutate({ runId, ...(limits ? { limits } : {}) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.runs.tree.queryKey({ runId }) }),
  });
  return {
    offered,
    isBusy: isPending,
    act: () => {
      if (offered && !isPending) mutate({ control: offered });
    },
    resume: (limits: SpendLimits, onDone: () => void) => {
      if (!isPending) mutate({ control: "resume", limits }, { onSuccess: onDone });
    },
    // Once the run has moved, what was refused before says nothing any more.
    refusal: error && variables?.control === offered ? refusalOf(error) : null,
  };
}
export type RunControl = ReturnType<typeof useControlRun>;

function refusalOf(error: unknown): string {
  const { sentence, answered } = errorWords(error);
  return answered ? sentence : `${sentence} You can press it again: doing it twice changes nothing.`;
}
