import { beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { sealEndedRuns } from "@/server/ledger/jobs/seal-runs";
import { checkChain } from "@/server/ledger/queries/check-chain";
import { checkLedger } from "@/server/system/queries/check-ledger";
import { carryOutCleanup } from "@/server/usage/jobs/carry-out-cleanup";
import { claimCleanup } from "@/server/usage/jobs/cleanup-rows";
import type { Scope } from "@/server/workspaces/scope";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aMember, aWorkspace, type TeamFixture } from "@/tests/support/factories";
import { aSampleTeam, insertSampleRun } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

const SIGNAL = new AbortController().signal;

describe.each(DATABASE_KINDS)("the ledger of runs (%s)", (kind) => {
  useDatabase(kind);
  let owner: Scope;
  let team: TeamFixture;
  beforeAll(async () => {
    owner = await aMember(db(), await aWorkspace(db()));
    team = await aSampleTeam(db(), owner.workspaceId);
  });
  const aRun = (state: "finished" | "failed" | "waiting" = "finished") =>
    insertSampleRun(db(), { workspaceId: owner.workspaceId, team, startedById: owner.userId, state });
  const seal = () => sealEndedRuns(null, SIGNAL);
  const sealOf = (runId: string) => callerOf(owner).ledger.run({ runId });
  const entriesOf = async (runId: string) => {
    const { rows } = await pool().query<{ kind: string; by: string | null }>(
      "SELECT kind, by_id AS by FROM ledger_entries WHERE workspace_id = $1 AND subject_id = $2 ORDER BY seq",
      [owner.workspaceId, runId],
    );
    return rows;
  };
  const chain = () => checkChain(pool(), owner.workspaceId);
  const doctor = () => checkLedger({ pool: pool() } as Parameters<typeof checkLedger>[0]);
  /** Does it, looks, and puts back what it kept. */
  async function tampering(sql: string, values: unknown[], back: string, look: () => Promise<void>) {
    const { rowCount } = await pool().query(sql, values);
    expect(rowCount).toBeGreaterThan(0);
    await look();
    await pool().query(back, values);
  }

  test("a run is sealed once it has ended, once and for all", async () => {
    const waiting = await aRun("waiting");
    const runId = await aRun();
    expect(await sealOf(runId)).toEqual({ state: "pending", sealedAt: null, digest: null });
    expect((await sealOf(waiting)).state).toBe("open");
    await seal();
    const sealed = await sealOf(runId);
    expect(sealed).toMatchObject({ state: "unchanged", digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect((await sealOf(waiting)).state).toBe("open");
    await Promise.all([seal(), seal()]);
    expect(await entriesOf(runId)).toEqual([{ kind: "run.sealed", by: null }]);
    expect(await entriesOf(waiting)).toEqual([]);
    expect(await chain()).toEqual({ entries: 1, problems: [] });
    expect((await doctor()).state).toBe("ok");
  });

  test("what people may change of a run leaves its seal whole", async () => {
    const runId = await aRun("failed");
    await seal();
    const runs = callerOf(owner).runs;
    await runs.rename({ runId, title: "Another name" });
    await runs.setTags({ runId, tags: ["checked"] });
    await runs.archive({ runIds: [runId], archived: true });
    const decision = await db().decision.findFirstOrThrow({ where: { runId } });
    await callerOf(owner).decisions.label({
      decisionId: decision.id,
      verdict: "wrong",
      option: null,
      words: null,
      note: "No.",
    });
    expect((await sealOf(runId)).state).toBe("unchanged");
  });

  test("a row that is altered, added or deleted without the product is told (A52)", async () => {
    const runId = await aRun();
    await seal();
    const step = await db().step.findFirstOrThrow({ where: { runId, kind: "tool" } });
    const [blob] = (
      await pool().query(
        "SELECT hash FROM blobs b WHERE workspace_id = $1 AND EXISTS (SELECT FROM decisions d WHERE d.run_id = $2 AND d.options_hash = b.hash) LIMIT 1",
        [owner.workspaceId, runId],
      )
    ).rows;
    const changes: [sql: string, back: string][] = [
      [
        "UPDATE decisions SET reason = coalesce(reason, '') || ' and so' WHERE run_id = $1 AND kind = 'delegate'",
        "UPDATE decisions SET reason = replace(reason, ' and so', '') WHERE run_id = $1 AND kind = 'delegate'",
      ],
      [
        "UPDATE events SET at = at + interval '1 second' WHERE run_id = $1 AND seq = 3",
        "UPDATE events SET at = at - interval '1 second' WHERE run_id = $1 AND seq = 3",
      ],
      [
        `UPDATE steps SET name = name || 'x' WHERE run_id = $1 AND agent_run_id = '${step.agentRunId}' AND position = ${step.position}`,
        `UPDATE steps SET name = left(name, -1) WHERE run_id = $1 AND agent_run_id = '${step.agentRunId}' AND position = ${step.position}`,
      ],
      [
        "UPDATE usages SET cost_nano_usd = cost_nano_usd + 1 WHERE run_id = $1",
        "UPDATE usages SET cost_nano_usd = cost_nano_usd - 1 WHERE run_id = $1",
      ],
      [
        "INSERT INTO reasonings (agent_run_id, position, workspace_id, text) SELECT id, 0, workspace_id, 'Hm.' FROM agent_runs WHERE run_id = $1 AND parent_id IS NULL",
        "DELETE FROM reasonings WHERE agent_run_id IN (SELECT id FROM agent_runs WHERE run_id = $1)",
      ],
      ["UPDATE usages SET cached_rate = 1 WHERE run_id = $1", "UPDATE usages SET cached_rate = NULL WHERE run_id = $1"],
      [
        "UPDATE runs SET answer = answer || '!' WHERE id = $1",
        "UPDATE runs SET answer = left(answer, -1) WHERE id = $1",
      ],
      [
        "UPDATE runs SET last_seq = last_seq + 1 WHERE id = $1",
        "UPDATE runs SET last_seq = last_seq - 1 WHERE id = $1",
      ],
      [
        `UPDATE blobs SET content = content || ' ' WHERE hash = '${blob.hash}' AND part = 0 AND $1::uuid IS NOT NULL`,
        `UPDATE blobs SET content = left(content, -1) WHERE hash = '${blob.hash}' AND part = 0 AND $1::uuid IS NOT NULL`,
      ],
      [
        "UPDATE messages SET content = jsonb_set(content, '{said}', '1') WHERE agent_run_id IN (SELECT id FROM agent_runs WHERE run_id = $1) AND index = 1",
        "UPDATE messages SET content = content - 'said' WHERE agent_run_id IN (SELECT id FROM agent_runs WHERE run_id = $1) AND index = 1",
      ],
    ];
    for (const [sql, back] of changes) {
      await tampering(sql, [runId], back, async () =>
        expect({ sql, state: (await sealOf(runId)).state }).toEqual({ sql, state: "changed" }),
      );
      expect({ back, state: (await sealOf(runId)).state }).toEqual({ back, state: "unchanged" });
    }
    await pool().query("DELETE FROM events WHERE run_id = $1 AND seq = 4", [runId]);
    expect((await sealOf(runId)).state).toBe("changed");
  });

  test("an entry that is rewritten, also with a hash that fits it, breaks the chain", async () => {
    const runId = await aRun();
    await aRun();
    await seal();
    const before = await chain();
    expect(before.problems).toEqual([]);
    const digest = (await sealOf(runId)).digest;
    await pool().query("UPDATE ledger_entries SET digest = $2 WHERE subject_id = $1", [runId, "f".repeat(64)]);
    expect((await sealOf(runId)).state).toBe("broken");
    expect((await chain()).problems).toEqual([expect.stringMatching(/^Entry \d+ was changed\.$/)]);
    expect(await doctor()).toMatchObject({
      state: "problem",
      says: expect.stringContaining("changed without the product"),
    });
    await pool().query("UPDATE ledger_entries SET digest = $2 WHERE subject_id = $1", [runId, digest]);
    expect(await chain()).toEqual(before);
    // Cut off at its end.
    const { rows } = await pool().query(
      "DELETE FROM ledger_entries WHERE workspace_id = $1 AND seq = (SELECT max(seq) FROM ledger_entries WHERE workspace_id = $1) RETURNING *",
      [owner.workspaceId],
    );
    expect((await chain()).problems).toEqual([expect.stringMatching(/^Entry \d+ is missing\.$/)]);
    await pool().query("INSERT INTO ledger_entries SELECT * FROM json_populate_record(null::ledger_entries, $1)", [
      JSON.stringify(rows[0]),
    ]);
    expect(await chain()).toEqual(before);
  });

  test("who removes a run is written down, a run that vanishes otherwise is told", async () => {
    const [removed, expired, vanished] = [await aRun(), await aRun(), await aRun()];
    await seal();
    const before = await chain();
    await callerOf(owner).runs.remove({ runIds: [removed] });
    expect(await entriesOf(removed)).toEqual([
      { kind: "run.sealed", by: null },
      { kind: "run.removed", by: owner.userId },
    ]);
    // Kept for a day only.
    await pool().query("UPDATE runs SET finished_at = now() - interval '400 days' WHERE id = $1", [expired]);
    await pool().query(
      "INSERT INTO cleanups (id, workspace_id, cutoffs) VALUES (gen_random_uuid(), $1, jsonb_build_object('runs', iso(now() - interval '300 days')))",
      [owner.workspaceId],
    );
    const job = await claimCleanup("a-worker");
    if (!job) throw new Error("There is a cleanup to do.");
    await carryOutCleanup(job, SIGNAL);
    expect((await entriesOf(expired)).map((entry) => entry.kind)).toEqual(["run.sealed", "run.expired"]);
    expect(await chain()).toEqual({ entries: before.entries + 2, problems: [] });
    await pool().query("DELETE FROM runs WHERE id = $1", [vanished]);
    expect((await chain()).problems).toEqual([`Deleted without the product: run ${vanished}.`]);
  });

  test("of another workspace nobody learns whether a run is sealed", async () => {
    const runId = await aRun();
    await seal();
    const stranger = callerOf(await aMember(db(), await aWorkspace(db())));
    await expect(stranger.ledger.run({ runId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await checkChain(pool(), (await aMember(db(), await aWorkspace(db()))).workspaceId)).toEqual({
      entries: 0,
      problems: [],
    });
  });
});
