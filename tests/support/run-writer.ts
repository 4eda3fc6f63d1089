import pg from "pg";
import type { StepRow } from "@/server/engine/events";

type Target = { workspaceId: string; runId: string; agentRunId: string };

/** Writes steps and their events as a worker would: rows, events and totals in one transaction, on connections of its own. */
export class RunWriter {
  private readonly pool: pg.Pool;

  constructor(
    url: string,
    private readonly target: Target,
  ) {
    this.pool = new pg.Pool({ connectionString: url, max: 2 });
    this.pool.on("error", () => {});
  }

  /** A model call that cost something, from start to end. */
  async writeStep(position: number): Promise<void> {
    const { workspaceId, runId, agentRunId } = this.target;
    const at = new Date().toISOString();
    const step: StepRow = {
      agentRunId,
      position,
      turn: position,
      kind: "model",
      name: "general-1",
      status: "completed",
      error: null,
      startedAt: at,
      finishedAt: at,
      inputTokens: 10,
      outputTokens: 2,
      costNanoUsd: 7,
      inputBytes: 40,
      outputBytes: 8,
    };
    await this.inTransaction(async (client) => {
      await client.query(
        `INSERT INTO steps (agent_run_id, position, workspace_id, run_id, turn, kind, name, status, input_bytes,
           output_bytes, epoch, started_at, finished_at)
         VALUES ($1, $2, $3, $4, $2, 'model', $5, 'completed', 40, 8, 1, $6, $6)`,
        [agentRunId, position, workspaceId, runId, step.name, at],
      );
      await client.query(
        `INSERT INTO usages (agent_run_id, position, workspace_id, run_id, provider, model, input_tokens,
           output_tokens, cost_nano_usd) VALUES ($1, $2, $3, $4, 'api.example.com', $5, 10, 2, 7)`,
        [agentRunId, position, workspaceId, runId, step.name],
      );
      await client.query(
        `UPDATE agent_runs SET input_tokens = input_tokens + 10, output_tokens = output_tokens + 2,
           cost_nano_usd = cost_nano_usd + 7 WHERE id = $1`,
        [agentRunId],
      );
      await this.append(client, { kind: "step.finished", body: { position } }, { input: 10, output: 2, cost: 7 });
    });
  }

  /** An event without a row behind it; cheap, for counting. */
  async appendStatus(reason: string | null = null): Promise<void> {
    const body = { status: "running", reason, at: new Date().toISOString() };
    await this.append(this.pool, { kind: "agent.status", body });
  }

  /** As `appendStatus`, of which nobody is notified: what a notification that never came leaves behind. */
  async appendUnheard(reason: string | null = null): Promise<void> {
    const { runId, agentRunId } = this.target;
    await this.pool.query(
      `WITH head AS (UPDATE runs SET last_seq = last_seq + 1 WHERE id = $1 RETURNING id, workspace_id, last_seq)
       INSERT INTO events (run_id, seq, workspace_id, agent_run_id, kind, body)
       SELECT id, last_seq, workspace_id, $2, 'agent.status', $3 FROM head`,
      [runId, agentRunId, { status: "running", reason, at: new Date().toISOString() }],
    );
  }

  async stream(piece: { position: number; offset: number; text: string }): Promise<void> {
    const { workspaceId, runId, agentRunId } = this.target;
    const payload = { w: workspaceId, r: runId, a: agentRunId, p: piece.position, o: piece.offset, t: piece.text };
    await this.pool.query("SELECT pg_notify('troupe_delta', $1)", [JSON.stringify(payload)]);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async append(
    client: Pick<pg.Pool, "query">,
    event: { kind: string; body: object },
    head?: { input: number; output: number; cost: number },
  ): Promise<void> {
    const { runId, agentRunId } = this.target;
    await client.query("SELECT append_events($1, $2)", [
      JSON.stringify([{ r: runId, a: agentRunId, ...event }]),
      head ? JSON.stringify([{ r: runId, ...head }]) : null,
    ]);
  }

  private async inTransaction(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query("BEGIN");
      await work(client);
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK");
      throw error;
    } finally {
      client.release();
    }
  }
}
