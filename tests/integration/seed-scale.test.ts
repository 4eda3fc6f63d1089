import { beforeAll, describe, expect, test } from "vitest";
import { scale } from "@/prisma/seed/scenarios/scale";
import { db, pool } from "@/server/db";
import type { StepError } from "@/server/engine/events";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import { listEventsAfter } from "@/server/runs/queries/list-events";
import { runTree } from "@/server/runs/schema";
import { provenWorkspace, type WorkspaceId } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aWorkspace } from "@/tests/support/factories";
import { expectRowsToSay } from "@/tests/support/fold-events";
import { useDatabase } from "@/tests/support/use-database";

const SMALL = { steps: 120, agents: 9, documents: 6, runs: 40, teams: 3, conversations: 3 };

describe.each(DATABASE_KINDS)("the scale seed on the %s database", (kind) => {
  useDatabase(kind);
  let workspaceId: WorkspaceId;
  beforeAll(async () => {
    workspaceId = provenWorkspace(await aWorkspace(db()));
    await aMember(db(), workspaceId);
    await scale(SMALL);
  });
  const count = async (sql: string) =>
    (await pool().query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`)).rows[0]?.n;

  test("makes as much as it was asked for, and every document can be searched", async () => {
    expect(await count("agents")).toBe(SMALL.agents);
    expect(await count("teams")).toBe(SMALL.teams);
    expect(await count("conversations")).toBe(SMALL.conversations);
    expect(await count("runs WHERE conversation_id IS NULL")).toBe(SMALL.runs + 1);
    expect(await count("documents WHERE status = 'ready' AND chunk_count > 0")).toBe(SMALL.documents);
    expect(await count("documents WHERE entry_kind IS NOT NULL")).toBe(1);
    expect(await count("chunks c WHERE NOT EXISTS (SELECT FROM postings p WHERE p.chunk_id = c.id)")).toBe(0);
    const { rows } = await pool().query("SELECT count(*)::int AS n FROM steps GROUP BY run_id ORDER BY n DESC LIMIT 1");
    expect(rows[0]?.n).toBe(SMALL.steps);
    // Some are about a case, with all their agents.
    expect(await count("agent_runs WHERE context IS NOT NULL AND parent_id IS NULL")).toBe(Math.ceil(SMALL.runs / 3));
    expect(await count("agent_runs WHERE context IS NOT NULL AND parent_id IS NOT NULL")).toBeGreaterThan(0);
    const { rows: states } = await pool().query<{ status: string }>(
      "SELECT DISTINCT status::text FROM runs ORDER BY 1",
    );
    expect(states.map(({ status }) => status)).toEqual(["aborted", "completed", "failed", "interrupted", "waiting"]);
  });

  test("writes what the engine would: rows say what the events say, seq has no gaps, every answered call has a price", async () => {
    const runs = await db().run.findMany({ select: { id: true } });
    for (const { id } of runs) {
      const tree = runTree.parse(await getRunTree(workspaceId, id));
      const events = await listEventsAfter(workspaceId, { runId: id, seq: 0, limit: 2_000 });
      expectRowsToSay(tree, events);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
      expect(tree.run.openRequests).toBe(tree.requests.filter(({ status }) => status === "open").length);
      expect(tree.run.costNanoUsd).toBe(tree.steps.reduce((sum, step) => sum + (step.costNanoUsd ?? 0), 0));
    }
    expect(
      await count(`steps s LEFT JOIN usages u ON u.agent_run_id = s.agent_run_id AND u.position = s.position
        WHERE s.kind = 'model' AND s.status = 'completed' AND u.position IS NULL`),
    ).toBe(0);
    expect(await count("runs WHERE status = 'completed' AND active_ms = 0")).toBe(0);
    expect(await count("effects WHERE status = 'intended'")).toBe(0);
    const { rows: errors } = await pool().query<{ error: StepError }>(
      "SELECT error FROM steps WHERE status = 'failed'",
    );
    expect(new Set(errors.map(({ error }) => error.stableCode))).toEqual(
      new Set(["TROUPE-RATELIMIT", "TROUPE-ACTIONEXECUTION"]),
    );
    expect(await count("effects")).toBeGreaterThan(0);
    expect(await count("citations c LEFT JOIN chunks k ON k.id = c.chunk_id WHERE k.id IS NULL")).toBe(0);
    expect(
      await count(
        "agent_runs a JOIN runs r ON r.id = a.run_id WHERE is_terminal(r.status) AND NOT is_terminal(a.status)",
      ),
    ).toBe(0);
  });

  test("adds nothing when it is run again", async () => {
    const tables = [
      "agents",
      "agent_versions",
      "team_nodes",
      "runs",
      "events",
      "documents",
      "chunks",
      "conversations",
      "providers",
    ];
    const before = await Promise.all(tables.map(count));
    await scale(SMALL);
    expect(await Promise.all(tables.map(count))).toEqual(before);
  });

  test("makes the large run of exactly as many steps and agent runs as it is to have, also where they do not divide evenly", async () => {
    await scale({ ...SMALL, steps: 1_000 });
    const { rows } = await pool().query<{ steps: number; agents: number }>(
      `SELECT (SELECT count(*)::int FROM steps s WHERE s.run_id = r.id) AS steps,
         (SELECT count(*)::int FROM agent_runs a WHERE a.run_id = r.id) AS agents FROM runs r ORDER BY steps DESC LIMIT 2`,
    );
    expect(rows).toEqual([
      { steps: 1_000, agents: 50 },
      { steps: SMALL.steps, agents: 6 },
    ]);
  });
});
