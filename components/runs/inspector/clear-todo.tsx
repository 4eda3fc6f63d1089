"use client";

import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { ReasonButton } from "@/components/editor/reason-button";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { AgentRow } from "@/server/engine/events";
import { isHeld } from "@/server/engine/state";

/** Throws away the list of an agent at work after asking. It goes when the agent reads so, as the event says. */
export function ClearTodo({ runId, agent }: { runId: string; agent: AgentRow }) {
  const [opened, dialog] = useDisclosure(false);
  const trpc = useTRPC();
  const whyNot = useWhyNotAct();
  const clear = useMutation(trpc.runs.clearTodo.mutationOptions({ onSuccess: dialog.close }));
  const when = `before its next model call${isHeld(agent.status) ? ", once the run is resumed" : ""}`;
  return (
    <div className="row">
      <ReasonButton
        leftSection={<IconTrash size={15} aria-hidden />}
        whyNot={whyNot ?? (clear.isSuccess ? `It is thrown away ${when}.` : null)}
        onClick={dialog.open}
      >
        Clear the list…
      </ReasonButton>
      <ConfirmDialog
        opened={opened}
        onClose={dialog.close}
        title={`Clear the todo list of ${agent.name}?`}
        cancel="Keep it"
        action="Clear the list"
        onConfirm={() => clear.mutate({ runId, agentRunId: agent.id })}
        isBusy={clear.isPending}
        refusal={clear.error ? errorWords(clear.error).sentence : null}
      >
        <p className="t2">
          It is thrown away {when}, and {agent.name} is told so. It is not sent on for what was open on it.
        </p>
      </ConfirmDialog>
    </div>
  );
}
