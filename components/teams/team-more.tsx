"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { MoreMenu } from "@/components/editor/more-menu";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import type { TeamDetail } from "@/server/teams/schema";

/** Duplicate and delete. */
export function TeamMore({ team, onDeleted }: { team: TeamDetail; onDeleted: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [asks, setAsks] = useState(false);
  const refreshList = () => {
    void queryClient.invalidateQueries({ queryKey: trpc.teams.all.pathKey() });
    void queryClient.invalidateQueries({ queryKey: trpc.teams.names.pathKey() });
    void queryClient.invalidateQueries({ queryKey: trpc.teams.list.pathKey() });
    void queryClient.invalidateQueries({ queryKey: trpc.agents.pathKey() });
  };
  const duplicate = useMutation(
    trpc.teams.duplicate.mutationOptions({
      onSuccess: ({ teamId }) => {
        refreshList();
        router.push(`/teams/${teamId}`);
      },
      onError: (error) =>
        notifications.show({ color: "red", title: "It was not duplicated", message: errorWords(error).sentence }),
    }),
  );
  const remove = useMutation(
    trpc.teams.remove.mutationOptions({
      onSuccess: () => {
        onDeleted();
        refreshList();
        router.push("/teams");
      },
    }),
  );
  return (
    <>
      <MoreMenu onDuplicate={() => duplicate.mutate({ teamId: team.id })} onDelete={() => setAsks(true)} />
      <ConfirmDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title={`Delete “${team.name}”?`}
        action="Delete team"
        isBusy={remove.isPending}
        refusal={remove.error ? errorWords(remove.error).sentence : null}
        onConfirm={() => remove.mutate({ teamId: team.id })}
      >
        <p>
          The team, its draft and {formatPlural(team.versions.length, "version")} go; it can no longer be run or asked.
          Its agents stay, and so do the runs it made.
        </p>
      </ConfirmDialog>
    </>
  );
}
