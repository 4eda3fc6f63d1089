"use client";

import { Button, Modal, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import type { TeamDetail } from "@/server/teams/schema";

/** Makes the saved draft the next version, with the newest version of each agent. */
export function TeamPublishDialog({ team, onClose }: { team: TeamDetail; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [note, setNote] = useState("");
  const next = (team.versions[0]?.number ?? 0) + 1;
  const publish = useMutation(
    trpc.teams.publish.mutationOptions({
      onSuccess: async ({ number }) => {
        await queryClient.invalidateQueries({ queryKey: trpc.teams.pathKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.agents.pathKey() });
        notifications.show({ message: `${team.name} v${number} is live.` });
        onClose();
      },
      onError: () => void queryClient.invalidateQueries({ queryKey: trpc.teams.get.queryKey({ teamId: team.id }) }),
    }),
  );
  return (
    <Modal opened onClose={onClose} title={`Publish v${next} of ${team.name}`} size={480}>
      <form
        className="col"
        onSubmit={(event) => {
          event.preventDefault();
          if (!publish.isPending) publish.mutate({ teamId: team.id, draftRevision: team.draftRevision, note });
        }}
      >
        <p className="t2">
          Runs started from now on use it, with the newest published version of each of its agents. Published versions
          never change.
        </p>
        <TextInput
          label="Note"
          description="What is new in it, for the list of versions. You may leave it empty."
          maxLength={200}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          data-autofocus
        />
        {publish.error && (
          <Note tone="bad" role="alert">
            {errorWords(publish.error).sentence}
          </Note>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={publish.isPending}>
            Publish v{next}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
