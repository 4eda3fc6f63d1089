import type { RunEvent } from "@/server/engine/events";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { listEventsAfter } from "./list-events";

type After = { runId: string; seq: number; limit: number };

/** Reads that are about to begin, by what they ask for. */
const due = new Map<string, Promise<RunEvent[]>>();

/**
 * Events after `seq`, as `listEventsAfter`: whoever asks for the same in one turn of the event loop shares one read. All who watch a run are
 * told of an event at once, and would each read it. A read that has begun is not shared: it may have missed what its asker was told of.
 */
export function listEventsTogether(workspaceId: WorkspaceId, after: After): Promise<RunEvent[]> {
  const key = `${workspaceId} ${after.runId} ${after.seq} ${after.limit}`;
  const shared = due.get(key);
  if (shared) return shared;
  const read = new Promise((begin) => setImmediate(begin)).then(() => {
    due.delete(key);
    return listEventsAfter(workspaceId, after);
  });
  due.set(key, read);
  return read;
}
