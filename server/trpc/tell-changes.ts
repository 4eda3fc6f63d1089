import { pool } from "@/server/db";
import { logger } from "@/server/logger";
import { EDITED_NOUNS } from "@/server/runs/live-schema";
import type { WorkspaceId } from "@/server/workspaces/scope";

/**
 * Tells the workspace's other tabs that a person changed something, after a mutation of `path` ("agents.publish").
 * Runs, requests and documents are told by whoever writes them. A hint only: when it cannot be sent, what was done is
 * done all the same.
 */
export async function tellChange(workspaceId: WorkspaceId, path: string): Promise<void> {
  const noun = EDITED_NOUNS.find((known) => path.startsWith(`${known}.`));
  if (!noun) return;
  try {
    await pool().query("SELECT tell_changed($1, $2, NULL)", [workspaceId, noun]);
  } catch (error) {
    logger.warn({ err: error, path }, "Open pages were not told of a change");
  }
}
