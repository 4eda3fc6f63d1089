/** What Home reads. Shared by the server, which reads ahead, and the page, so that both mean the same query. */
export const HOME_LISTS = {
  requests: { limit: 20 },
  active: { status: "active", search: "", limit: 12 },
  finished: { status: "finished", search: "", limit: 8 },
  failed: { status: "failed", search: "", limit: 4 },
} as const;
