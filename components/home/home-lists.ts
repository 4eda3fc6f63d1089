import { type ListRunsInput, listRunsInput } from "@/server/runs/list-schema";

const runs = (status: ListRunsInput["status"], limit: number) => listRunsInput.parse({ status, limit });

/** What Home reads. Shared by the server, which reads ahead, and the page, so that both mean the same query. */
export const HOME_LISTS = {
  requests: { limit: 20, whose: "everybody" },
  active: runs(["active"], 12),
  finished: runs(["finished"], 8),
  failed: runs(["failed"], 4),
} as const;
