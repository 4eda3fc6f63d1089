"use client";

import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { type TeamValues, teamValues, toTeamInput } from "./team-values";

const PREVIEW_AFTER_MS = 400;
const NAMELESS = "New team";

/** What each supervisor would be told, and what stands in the way of publishing: of what is in the form, saved or not. */
export function useTeamPreview(values: TeamValues) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [settled] = useDebouncedValue(values, PREVIEW_AFTER_MS);
  const named = teamValues.shape.name.safeParse(settled.name).success ? settled : { ...settled, name: NAMELESS };
  const input = toTeamInput(named);
  const query = useQuery({
    // It reads, but is sent by POST. Its key begins as those of all teams do, so that it is read again with them.
    queryKey: [...trpc.teams.pathKey(), "preview", input],
    queryFn: () => client.teams.preview.mutate(input),
    placeholderData: keepPreviousData,
    // What an agent is told changes in other tabs too: looked at again whenever somebody comes back to this one.
    staleTime: 0,
    enabled: teamValues.safeParse(named).success,
  });
  return { ...query, isSettling: settled !== values || query.isFetching };
}
export type TeamPreviewState = ReturnType<typeof useTeamPreview>;
