import { z } from "zod";
import { runFilters } from "./list-schema";

const id = z.uuid();

const viewName = z.string().trim().min(1, "Give it a name.").max(60, "At most 60 characters.");
/** Filters that somebody kept under a name. */
export const runView = z.object({
  id,
  name: z.string(),
  filters: runFilters,
  isShared: z.boolean(),
  isMine: z.boolean(),
  /** Whose it is. */
  by: z.string(),
});
export type RunView = z.infer<typeof runView>;
export const saveViewInput = z.strictObject({
  name: viewName,
  filters: runFilters,
  isShared: z.boolean().default(false),
});
export const viewIdInput = z.strictObject({ viewId: id });
/** What is left out stays as it is. */
export const changeViewInput = z.strictObject({
  viewId: id,
  name: viewName.optional(),
  filters: runFilters.optional(),
  isShared: z.boolean().optional(),
});
export type SaveViewInput = z.infer<typeof saveViewInput>;
export type ChangeViewInput = z.infer<typeof changeViewInput>;
export const viewSaved = z.object({ viewId: id });
