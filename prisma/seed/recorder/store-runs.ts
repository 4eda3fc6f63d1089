import type pg from "pg";
import { storedJson } from "@/server/engine/stored-json";
import { inTransaction } from "@/server/transaction";
import { type RecordedEvent, type Row, TABLES } from "./rows";
import type { RecordedAgent, RunRecorder } from "./run-recorder";

/** Some 100 ms a statement also on the embedded database. */
const ROWS_A_STATEMENT = 500;

/**
 * Stores recorded runs, all or nothing. Events are numbered by append_events(), in the order of their times; that a run has
 * ended, and its totals, are said with its last ones, as the engine says them.
 */
export async function storeRuns(runs: readonly RunRecorder[]): Promise<void> {
  const ordered = runs.map((run) => ({ run, events: inOrder(run) }));
  await inTransaction(async (client) => {
    const blobs = new Map(runs.flatMap((run) => [...run.rows.blobs]));
    await insert(client, "blobs", [...blobs.values()].flat(), "ON CONFLICT DO NOTHING");
    await insert(client, "runs", runs.map(headOf));
    const agents = runs.flatMap((run) => run.agents.map((agent) => agentRowOf(run, agent)));
    // Agent runs and decisions refer to each other: the edge from a decision to the agent run it spawned comes last.
    await insert(
      client,
      "agent_runs",
      agents.map((agent) => ({ ...agent, spawned_by_id: null })),
    );
    await insert(
      client,
      "decisions",
      runs.flatMap((run) => run.rows.of("decisions")),
    );
    await client.query(
      `UPDATE agent_runs a SET spawned_by_id = s.decision
       FROM unnest($1::uuid[], $2::uuid[]) AS s (id, decision) WHERE a.id = s.id`,
      [agents.map(({ id }) => id), agents.map(({ spawned_by_id }) => spawned_by_id)],
    );
    for (const table of TABLES) {
      await insert(
        client,
        table,
        runs.flatMap((run) => run.rows.of(table)),
      );
    }
    await appendEvents(client, ordered);
    for (const run of runs) {
      await client.query("UPDATE runs SET started_at = $2, finished_at = $3, active_ms = $4 WHERE id = $1", [
        ...[run.id, run.startedAt, run.finishedAt, run.activeMs],
      ]);
    }
  });
}

/** Sorted by time; what happened at one time keeps its order. Each decision learns what the run had cost by then. */
function inOrder(run: RunRecorder): RecordedEvent[] {
  const events = [...run.rows.events].sort((one, other) => one.at.getTime() - other.at.getTime());
  let costNanoUsd = 0;
  for (const event of events) {
    costNanoUsd += event.costNanoUsd ?? 0;
    if (event.decision) event.decision.cost_so_far_nano_usd = costNanoUsd;
  }
  return events;
}

async function appendEvents(client: pg.PoolClient, runs: { run: RunRecorder; events: RecordedEvent[] }[]) {
  const all = runs.flatMap(({ run, events }) =>
    events.map((event, i) => ({ run, event, seq: i + 1, isLast: i === events.length - 1 })),
  );
  // Nobody outside is told of what never happened.
  await client.query("SELECT set_config('troupe.untold', 'on', true)");
  for (const some of chunksOf(all)) {
    const heads = some.filter(({ isLast }) => isLast).map(({ run }) => closingHead(run));
    await client.query("SELECT append_events($1, $2)", [
      storedJson(some.map(({ run, event: { agentRunId, kind, body } }) => ({ r: run.id, a: agentRunId, kind, body }))),
      heads.length ? storedJson(heads) : null,
    ]);
    // It stamps them with now, and these are a story of the past.
    await client.query(
      `UPDATE events e SET at = t.at FROM unnest($1::uuid[], $2::int[], $3::timestamptz[]) AS t (run_id, seq, at)
       WHERE e.run_id = t.run_id AND e.seq = t.seq`,
      [some.map(({ run }) => run.id), some.map(({ seq }) => seq), some.map(({ event }) => event.at)],
    );
  }
}

function headOf(run: RunRecorder): Row {
  const { workspaceId, team, agentVersionId, conversationId, title, input, model, startedById, createdAt } = run.head;
  return {
    ...{ id: run.id, workspace_id: workspaceId, conversation_id: conversationId ?? null, title, input },
    ...{ team_id: team?.teamId ?? null, team_version_id: team?.teamVersionId ?? null },
    ...{ agent_version_id: agentVersionId, model: model.ref, started_by_id: startedById, created_at: createdAt },
    ...{ last_seq: 0, open_requests: 0, input_tokens: 0, output_tokens: 0, cost_nano_usd: 0, unpriced_calls: 0 },
    status: "queued",
  };
}

function closingHead(run: RunRecorder): Row {
  const sums = { input: run.total("inputTokens"), output: run.total("outputTokens"), cost: run.total("costNanoUsd") };
  return { r: run.id, ...sums, requests: run.openRequests, ...run.status };
}

function agentRowOf(run: RunRecorder, agent: RecordedAgent): Row {
  return {
    ...{ id: agent.id, workspace_id: run.head.workspaceId, run_id: run.id, parent_id: agent.parentId },
    ...{ spawned_by_id: agent.spawnedById, handle: agent.handle, name: agent.name, depth: agent.depth },
    ...{ agent_version_id: agent.place.agentVersionId, team_node_id: agent.place.teamNodeId, task: agent.task },
    ...{ executor: "prompt", status: agent.status, status_reason: agent.statusReason, epoch: 1, unit: 0 },
    context: agent.context,
    ...{ result: agent.result, open_steps: agent.openSteps, collected_at: agent.isCollected ? agent.finishedAt : null },
    ...{ input_tokens: agent.inputTokens, output_tokens: agent.outputTokens, cost_nano_usd: agent.costNanoUsd },
    ...{ created_at: agent.createdAt, started_at: agent.startedAt, finished_at: agent.finishedAt },
  };
}

/** Every row names the same columns; their types are the table's. */
async function insert(client: pg.PoolClient, table: string, rows: readonly Row[], after = ""): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).map((column) => `"${column}"`);
  for (const some of chunksOf(rows)) {
    await client.query(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1) ${after}`,
      [storedJson(some)],
    );
  }
}

function chunksOf<T>(rows: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT)
    chunks.push(rows.slice(from, from + ROWS_A_STATEMENT));
  return chunks;
}
