"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { MoreMenu } from "@/components/editor/more-menu";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { AgentDetail } from "@/server/agents/schema";

/** Duplicate and delete. */
export function AgentMore({ agent, onDeleted }: { agent: AgentDetail; onDeleted: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [asks, setAsks] = useState(false);
  const refreshList = () => {
    void queryClient.invalidateQueries({ queryKey: trpc.agents.list.pathKey() });
    void queryClient.invalidateQueries({ queryKey: trpc.agents.choices.pathKey() });
  };
  const duplicate = useMutation(
    trpc.agents.duplicate.mutationOptions({
      onSuccess: ({ agentId }) => {
        refreshList();
        router.push(`/agents/${agentId}`);
      },
      onError: (error) =>
        notifications.show({ color: "red", title: "It was not duplicated", message: errorWords(error).sentence }),
    }),
  );
  const remove = useMutation(
    trpc.agents.remove.mutationOptions({
      onSuccess: () => {
        onDeleted();
        refreshList();
        void queryClient.invalidateQueries({ queryKey: trpc.teams.pathKey() });
        router.push("/agents");
      },
    }),
  );
  return (
    <>
      <MoreMenu onDuplicate={() => duplicate.mutate({ agentId: agent.id })} onDelete={() => setAsks(true)} />
      <ConfirmDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title={`Delete “${agent.name}”?`}
        action="Delete agent"
        isBusy={remove.isPending}
        refusal={remove.error ? errorWords(remove.error).sentence : null}
        onConfirm={() => remove.mutate({ agentId: agent.id })}
      >
        <p>The agent, its draft and its versions go. Runs it took part in stay as they are.</p>
        {agent.teams.length > 0 && (
          <div>
            <p>These teams hold it and cannot be run until it is taken out or replaced:</p>
            <ul className="plain-list">
              {agent.teams.map((team) => (
                <li key={team.id} className="b">
                  {team.name}
                </li>
              ))}
            </ul>
          </div>
        )}
      </ConfirmDialog>
    </>
  );
}
