import { describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { storeFork } from "@/server/runs/service/store-fork";
import { ToolError } from "@/server/tools/tool";
import { countErrors } from "@/server/usage/queries/count-errors";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { turns, useDesk } from "@/tests/support/engine-desk";
import { aTool, call } from "@/tests/support/engine-scripts";
import { aTeam, aWorkspace } from "@/tests/support/factories";

describe.each(DATABASE_KINDS)("failed steps by code, on the %s database", (kind) => {
  const desk = useDesk(kind);

  test("AGT-ERR-02: each stable code is counted, of its own workspace and of the last week", async () => {
    const { workspaceId } = desk().scope;
    desk().tools.set(
      "look",
      aTool("look", async () => {
        throw new ToolError("nobody answers", "NETWORK");
      }),
    );
    const team = await aTeam(db(), workspaceId, { supervisor: { canSpawnAgents: false, tools: ["look"] }, agents: [] });
    const script = turns(
      { calls: [call("look", { at: 1 }), call("look", { at: 2 })] },
      { fault: "status", status: 401 },
    );
    const runId = await desk().play(team, "fails in two ways", script);
    expect((await desk().ended(runId)).status).toBe("failed");
    const network = { stableCode: "TROUPE-ACTIONEXECUTION", code: "refused", category: "NETWORK", retryable: true };
    const key = { stableCode: "TROUPE-LLM", code: "unauthorized", category: "LLM", retryable: false };
    expect(await countErrors(workspaceId)).toEqual([
      { ...network, lastDay: 2, lastWeek: 2 },
      { ...key, lastDay: 1, lastWeek: 1 },
    ]);
    await db().step.updateMany({
      where: { runId, kind: "model" },
      data: { finishedAt: new Date(Date.now() - 3 * 86_400_000) },
    });
    await db().step.updateMany({
      where: { runId, kind: "tool", position: 1 },
      data: { finishedAt: new Date(Date.now() - 8 * 86_400_000) },
    });
    expect(await countErrors(workspaceId)).toEqual([
      { ...network, lastDay: 1, lastWeek: 1 },
      { ...key, lastDay: 0, lastWeek: 1 },
    ]);
    expect(await countErrors(await aWorkspace(db()))).toEqual([]);

    // What a retry keeps is counted where it was made.
    const { rows } = await pool().query<{ agentRunId: string; position: number }>(
      `select agent_run_id as "agentRunId", max(position) as position from steps where run_id = $1 and kind = 'model' group by 1`,
      [runId],
    );
    const place = { agentRunId: rows[0]?.agentRunId ?? "", position: rows[0]?.position ?? 0 };
    const forkId = await storeFork({ scope: desk().scope, input: { runId, ...place, askBeforeWrites: false } });
    await desk().ended(forkId);
    expect(await countErrors(workspaceId)).toEqual([
      { ...key, lastDay: 1, lastWeek: 2 },
      { ...network, lastDay: 1, lastWeek: 1 },
    ]);
  });
});
