"use client";

import { Button, Modal } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import type { TeamDetail, TeamVersionDetail } from "@/server/teams/schema";
import { limitsWords } from "./limits-words";
import { patternWords } from "./pattern-words";
import { toRows } from "./team-tree";

type Props = {
  team: TeamDetail;
  number: number;
  isDirty: boolean;
  whyNot: string | null;
  onRestored: (team: TeamDetail) => void;
  onClose: () => void;
};

/** A published version, to read and to bring back into the draft. */
export function TeamVersionDialog({ team, number, isDirty, whyNot, onRestored, onClose }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const version = useQuery(trpc.teams.version.queryOptions({ teamId: team.id, number }));
  const restore = useMutation(
    trpc.teams.restoreVersion.mutationOptions({
      onSuccess: (now) => {
        queryClient.setQueryData(trpc.teams.get.queryKey({ teamId: now.id }), now);
        onRestored(now);
        void queryClient.invalidateQueries({ queryKey: trpc.teams.all.pathKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.teams.names.pathKey() });
        notifications.show({ message: `The draft holds v${number} again.` });
        onClose();
      },
    }),
  );
  return (
    <Modal opened onClose={onClose} title={`${team.name} v${number}`} size={560}>
      {version.isPending && <SkeletonRows rows={5} label="Loading the version" columns={["1fr", "3fr"]} />}
      {version.error && (
        <ErrorState title="The version could not be loaded" onRetry={() => void version.refetch()}>
          {errorWords(version.error).sentence}
        </ErrorState>
      )}
      {version.data && <Version version={version.data} />}
      {restore.error && (
        <Note tone="bad" role="alert">
          {errorWords(restore.error).sentence}
        </Note>
      )}
      <div className="dialog-actions">
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
            onClick={() => restore.mutate({ teamId: team.id, number, draftRevision: team.draftRevision })}
          >
            Restore into the draft
          </Button>
        )}
      </div>
    </Modal>
  );
}

function Version({ version: { draft, agents } }: { version: TeamVersionDetail }) {
  const agentOf = (id: string) => agents.find((agent) => agent.id === id);
  return (
    <dl className="kept-version">
      <div>
        <dt>Description</dt>
        <dd>{draft.description || "None"}</dd>
      </div>
      <div>
        <dt>Pattern</dt>
        <dd>{patternWords(draft)}</dd>
      </div>
      <div>
        <dt>Example request</dt>
        <dd>{draft.example || "None"}</dd>
      </div>
      <div>
        <dt>Limits of a run</dt>
        <dd>At most {limitsWords(draft.limits)}</dd>
      </div>
      <div>
        <dt>Tree</dt>
        <dd>
          <ul>
            {toRows(draft.root).map(({ path, place, depth }) => (
              <li key={path} style={{ paddingLeft: depth * 20 }}>
                <span className="b">{agentOf(place.agentId)?.name}</span>{" "}
                <span className="t3 fs12">v{agentOf(place.agentId)?.version}</span>
                {place.purpose && <span className="t2 fs12 block">{place.purpose}</span>}
              </li>
            ))}
          </ul>
        </dd>
      </div>
      <div>
        <dt>Supervisors may also start</dt>
        <dd>
          {draft.alsoAllowed.map((id) => `${agentOf(id)?.name} v${agentOf(id)?.version}`).join(", ") || "Nobody else"}
        </dd>
      </div>
    </dl>
  );
}
