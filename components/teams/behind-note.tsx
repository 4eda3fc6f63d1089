"use client";

import { Button, Tooltip } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useWhyNotEdit } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";

type Props = { teamId: string; name: string; behind: number };

/** Says that agents of a published team were published again since, and takes them in at one click. */
export function BehindNote({ teamId, name, behind }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const whyNot = useWhyNotEdit();
  const update = useMutation(
    trpc.teams.updateAgents.mutationOptions({
      onSuccess: ({ number }) => {
        void queryClient.invalidateQueries({ queryKey: trpc.teams.pathKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.agents.pathKey() });
        notifications.show({ message: `${name} v${number} holds the newest agents.` });
      },
      onError: (error) =>
        notifications.show({ color: "red", title: "The team was not updated", message: errorWords(error).sentence }),
    }),
  );
  return (
    <span className="withtag">
      <span className="tag warn">
        {formatPlural(behind, "agent")} {behind === 1 ? "has a newer version" : "have newer versions"}
      </span>
      {!whyNot && (
        <Tooltip label="Publishes the team as it is live, with the newest versions of its agents">
          <Button size="compact-xs" loading={update.isPending} onClick={() => update.mutate({ teamId })}>
            Update
          </Button>
        </Tooltip>
      )}
    </span>
  );
}
