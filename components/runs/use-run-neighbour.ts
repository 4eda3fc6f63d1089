"use client";

import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { RunFilters } from "@/server/runs/list-schema";
import { areSameFilters, NO_FILTERS, readRunFilters, runFiltersToQuery } from "./run-list-filters";

/** Of this tab: two tabs may look through two lists. */
const KEY = "troupe-runs-list";

/** Keeps how the list of runs was last filtered, for whoever goes from run to run. */
export const rememberRunList = (filters: RunFilters) => sessionStorage.setItem(KEY, runFiltersToQuery(filters));

/** Goes from a run to the one before or after it in the list as it was last filtered. */
export function useRunNeighbour(runId: string): (which: "older" | "newer") => Promise<void> {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  return async (which) => {
    const filters = readRunFilters(new URLSearchParams(sessionStorage.getItem(KEY) ?? ""));
    try {
      const found = await queryClient.fetchQuery(trpc.runs.neighbour.queryOptions({ ...filters, runId, which }));
      if (found.runId) return router.push(`/runs/${found.runId}`);
      const list = areSameFilters(filters, NO_FILTERS) ? "the list" : "the list as you filtered it";
      const end = which === "older" ? "oldest" : "newest";
      notifications.show({ message: `This is the ${end} run of ${list}.` });
    } catch (error) {
      notifications.show({ color: "red", title: "The next run was not found", message: errorWords(error).sentence });
    }
  };
}
