"use client";

import { Button, Modal } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import type { AgentDetail } from "@/server/agents/schema";
import { AgentConfigView } from "./agent-config-view";

type Props = {
  agent: AgentDetail;
  number: number;
  isDirty: boolean;
  whyNot: string | null;
  onRestored: (agent: AgentDetail) => void;
  onClose: () => void;
};

/** A published version, to read and to bring back into the draft. */
export function AgentVersionDialog({ agent, number, isDirty, whyNot, onRestored, onClose }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const version = useQuery(trpc.agents.version.queryOptions({ agentId: agent.id, number }));
  const restore = useMutation(
    trpc.agents.restoreVersion.mutationOptions({
      onSuccess: (now) => {
        queryClient.setQueryData(trpc.agents.get.queryKey({ agentId: now.id }), now);
        onRestored(now);
        void queryClient.invalidateQueries({ queryKey: trpc.agents.list.pathKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.agents.choices.pathKey() });
        notifications.show({ message: `The draft holds the settings of v${number} again.` });
        onClose();
      },
    }),
  );
  return (
    <Modal opened onClose={onClose} title={`${agent.name} v${number}`} size={640}>
      {version.isPending && <SkeletonRows rows={6} label="Loading the version" columns={["1fr", "3fr"]} />}
      {version.error && (
        <ErrorState title="The version could not be loaded" onRetry={() => void version.refetch()}>
          {errorWords(version.error).sentence}
        </ErrorState>
      )}
      {version.data && <AgentConfigView config={version.data.config} />}
      {restore.error && (
        <Note tone="bad" role="alert">
          {errorWords(restore.error).sentence}
        </Note>
      )}
      <div className="dialog-actions between">
        {!whyNot && (
          <span className="t2 fs12 grow">
            Restoring replaces the draft{isDirty ? ", also what you have not saved" : ""}. Nothing that runs changes
            until you publish.
          </span>
        )}
        <Button onClick={onClose}>Close</Button>
        {!whyNot && (
          <Button
            loading={restore.isPending}
            onClick={() => restore.mutate({ agentId: agent.id, number, draftRevision: agent.draftRevision })}
          >
            Restore into the draft
          </Button>
        )}
      </div>
    </Modal>
  );
}
