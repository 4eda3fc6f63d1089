"use client";

import { useDisclosure } from "@mantine/hooks";
import { IconPlayerStop } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { ReasonButton } from "@/components/editor/reason-button";
import { useWhyNotAct } from "@/components/layout/use-me";
import { stopAgentWords } from "@/components/runs/inspector/stop-agent-words";
import type { RunState } from "@/components/runs/run-state";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { AgentRow } from "@/server/engine/events";

/** Ends one child of a run after asking. The tree shows its end when the event arrives. */
export function StopAgent({ state, agent }: { state: RunState; agent: AgentRow }) {
  const [opened, dialog] = useDisclosure(false);
  const trpc = useTRPC();
  const whyNot = useWhyNotAct();
  const stop = useMutation(trpc.runs.stopAgent.mutationOptions({ onSuccess: dialog.close }));
  return (
    <section>
      <ReasonButton
        data-danger
        leftSection={<IconPlayerStop size={15} aria-hidden />}
        whyNot={whyNot}
        onClick={dialog.open}
      >
        Stop this agent…
      </ReasonButton>
      <ConfirmDialog
        opened={opened}
        onClose={dialog.close}
        title={`Stop ${agent.name}?`}
        cancel="Let it work"
        action="Stop the agent"
        onConfirm={() => stop.mutate({ runId: state.run.id, agentRunId: agent.id })}
        isBusy={stop.isPending}
        refusal={stop.error ? errorWords(stop.error).sentence : null}
      >
        <p className="t2">{stopAgentWords(state.agents, agent)}</p>
      </ConfirmDialog>
    </section>
  );
}
