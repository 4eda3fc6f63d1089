"use client";

import { Button, Checkbox, Modal, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import type { AgentDetail } from "@/server/agents/schema";

/** Makes the saved draft the next version, and the next version of the teams that hold it. */
export function AgentPublishDialog({ agent, onClose }: { agent: AgentDetail; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [note, setNote] = useState("");
  // A team that only drafts with it has no version to update.
  const holders = agent.teams.filter((team) => team.version !== null);
  const [chosen, setChosen] = useState(() => holders.map((team) => team.id));
  const next = (agent.versions[0]?.number ?? 0) + 1;
  const publish = useMutation(
    trpc.agents.publish.mutationOptions({
      onSuccess: async ({ number }) => {
        await queryClient.invalidateQueries({ queryKey: trpc.agents.pathKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.teams.pathKey() });
        const teams = chosen.length > 0 ? `, in ${formatPlural(chosen.length, "team")}` : "";
        notifications.show({ message: `${agent.name} v${number} is live${teams}.` });
        onClose();
      },
      onError: () => void queryClient.invalidateQueries({ queryKey: trpc.agents.get.queryKey({ agentId: agent.id }) }),
    }),
  );
  const submit = () => {
    if (publish.isPending) return;
    publish.mutate({ agentId: agent.id, draftRevision: agent.draftRevision, note, updateTeamIds: chosen });
  };
  return (
    <Modal opened onClose={onClose} title={`Publish v${next} of ${agent.name}`} size={480}>
      <form
        className="col"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p className="t2">Runs started from now on use it. Published versions never change.</p>
        <TextInput
          label="Note"
          description="What is new in it, for the list of versions. You may leave it empty."
          maxLength={200}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          data-autofocus
        />
        {holders.length > 0 && (
          <Checkbox.Group
            label="Also update these teams"
            description="Each gets a next version that holds this agent version. Without it they keep the one they hold."
            value={chosen}
            onChange={setChosen}
          >
            <div className="col publish-teams">
              {holders.map((team) => (
                <Checkbox key={team.id} size="xs" value={team.id} label={`${team.name} (holds v${team.version})`} />
              ))}
            </div>
          </Checkbox.Group>
        )}
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
