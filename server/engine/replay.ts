import { isPassing } from "@/server/database-failure";
import { logger } from "@/server/logger";
import type { EngineResources } from "./resources";
import { resultText } from "./result-text";
import { callInTime } from "./run-tool";

type Asked = {
  id: string;
  workspace_id: string;
  run_id: string;
  agent_run_id: string;
  operation: string;
  arguments: string;
  call_key: string;
  config: { knowledge?: string[] };
};

/**
 * Makes calls of dead letters again that a person asked for (AGT-RES-14), under the key they were sent with. One at a time in each worker.
 * What a worker that died had begun is begun again, unless that might do it twice: then it is open again, and says so. While everything
 * in its workspace is paused nothing is made again.
 */
export class Replay {
  private looking = false;
  private again = false;

  constructor(private readonly resources: EngineResources) {}

  /** Never throws: what could not be done now is found at a later look. */
  async look(): Promise<void> {
    this.again = this.looking;
    if (this.looking) return;
    this.looking = true;
    try {
      for (let next = await this.claim(); next; next = await this.claim()) await this.carryOut(next);
    } catch (error) {
      if (!isPassing(error)) logger.warn({ err: error }, "a dead letter could not be made again; the next look tries");
    } finally {
      this.looking = false;
    }
    if (this.again) await this.look();
  }

  private async claim(): Promise<Asked | undefined> {
    const { pool, workerId, isLeaving } = this.resources;
    if (isLeaving()) return undefined;
    await pool.query(
      `update dead_letters set status = 'open', worker_id = null,
         note = 'The worker that made the call again stopped: nobody knows whether it took effect.'
       where status = 'replaying' and repeats = 'unkeyed' and worker_id not in (select id from workers)`,
    );
    const { rows } = await pool.query<Asked>(
      `update dead_letters d set status = 'replaying', worker_id = $1
       from agent_runs a join agent_versions v on v.id = a.agent_version_id
       where a.id = d.agent_run_id and d.id = (
         select l.id from dead_letters l join workspaces w on w.id = l.workspace_id and w.runs_paused_at is null
         where l.status = 'requested' or (l.status = 'replaying' and l.worker_id not in (select id from workers))
         order by l.at, l.id limit 1 for update of l skip locked)
       returning d.id, d.workspace_id, d.run_id, d.agent_run_id, d.operation, d.arguments, d.call_key, v.config`,
      [workerId],
    );
    return rows[0];
  }

  private async carryOut(asked: Asked): Promise<void> {
    const { pool, workerId } = this.resources;
    const end = await this.call(asked);
    await pool.query(
      `update dead_letters set status = $3, result = coalesce($4, result), note = coalesce($5, note), worker_id = null, changed_at = now()
       where id = $1 and worker_id = $2 and status = 'replaying'`,
      [asked.id, workerId, end.result === null ? "open" : "replayed", end.result, end.note],
    );
  }

  private async call(asked: Asked): Promise<{ result: string; note: null } | { result: null; note: string }> {
    const { workspace_id: workspaceId, run_id: runId, agent_run_id: agentRunId, operation, call_key: key } = asked;
    const knowledge = asked.config.knowledge ?? [];
    const request = { workspaceId, runId, conversationId: null, names: [operation], knowledge };
    try {
      const { tools, missing } = await this.resources.toolbox(request);
      const tool = tools.get(operation);
      if (!tool) return { result: null, note: missing[0] ?? `There is no tool “${operation}” any more.` };
      const context = { workspaceId, runId, agentRunId, key };
      const value = await callInTime(tool, JSON.parse(asked.arguments), context, new AbortController().signal);
      return { result: resultText(value).content, note: null };
    } catch (error) {
      return { result: null, note: `Made again, it failed: ${error instanceof Error ? error.message : String(error)}` };
    }
  }
}
