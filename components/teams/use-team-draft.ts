"use client";

import { schemaResolver } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useDraft } from "@/components/editor/use-draft";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import type { TeamDetail } from "@/server/teams/schema";
import { type TeamValues, teamValues, toTeamInput, toTeamValues } from "./team-values";

const validate = schemaResolver(teamValues, { sync: true });

/** The draft of a team, or of one that does not exist yet. */
export function useTeamDraft(stored: TeamDetail | null) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const reread = (teamId: string) => queryClient.fetchQuery(trpc.teams.get.queryOptions({ teamId }, { staleTime: 0 }));

  return useDraft<TeamValues, TeamDetail>({
    key: `team ${stored?.id ?? "new"}`,
    stored,
    toValues: toTeamValues,
    validate,
    write: async (values, draftRevision) => {
      const input = toTeamInput(values);
      const now =
        stored && draftRevision !== null
          ? await client.teams.saveDraft.mutate({ teamId: stored.id, draftRevision, ...input })
          : await reread((await client.teams.create.mutate(input)).teamId);
      queryClient.setQueryData(trpc.teams.get.queryKey({ teamId: now.id }), now);
      void queryClient.invalidateQueries({ queryKey: trpc.teams.all.pathKey() });
      void queryClient.invalidateQueries({ queryKey: trpc.teams.names.pathKey() });
      return now;
    },
    reread: async () => (stored ? reread(stored.id) : null),
  });
}
export type TeamDraftForm = ReturnType<typeof useTeamDraft>;
