import type { RunEvent } from "@/server/engine/events";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { listEventBatch } from "./list-events";

type After = Parameters<typeof listEventBatch>[1];
type Batch = { events: RunEvent[]; more: boolean };

/** Reads that are about to begin, by what they ask for. */
const due = new Map<string, Promise<Batch>>();

/**
 * Events after `seq`, as `listEventBatch`: whoever asks for the same in one turn of the event loop shares one read. All who watch a run are
 * told of an event at once, and would each read it. A read that has begun is not shared: it may have missed what its asker was told of.
 */
export function listEventsTogether(workspaceId: WorkspaceId, after: After): Promise<Batch> {
  const key = `${workspaceId} ${after.runId} ${after.seq} ${after.limit} ${after.mostBytes}`;
  const shared = due.get(key);
  if (shared) return shared;
  const read = new Promise((begin) => setImmediate(begin)).then(() => {
    due.delete(key);
    return listEventBatch(workspaceId, after);
  });
  due.set(key, read);
  return read;
}
