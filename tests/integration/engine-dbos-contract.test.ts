import { describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { answerRequest } from "@/server/requests/service/answer";
import { pauseRun, resumeRun } from "@/server/runs/service/control-run";
import { storeRunWith } from "@/server/runs/store-run";
import { inTransaction } from "@/server/transaction";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { eventually, turns, useDesk } from "@/tests/support/engine-desk";
import { aTool, call } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";

/** What server/engine/workers.ts reads and writes of DBOS's own tables. A newer DBOS that says it otherwise fails here first. */
describe.each(DATABASE_KINDS)("the rows of DBOS on the %s database", (kind) => {
  const desk = useDesk(kind);
  const workflowsOf = async (agentRunId: string) =>
    (
      await pool().query<{ workflow_uuid: string; status: string; executor_id: string }>(
        "select workflow_uuid, status, executor_id from dbos.workflow_status where workflow_uuid like $1 || '%' order by 1",
        [agentRunId],
      )
    ).rows;
  const rootOf = async (runId: string): Promise<string> =>
    (await pool().query<{ id: string }>("select id from agent_runs where run_id = $1", [runId])).rows[0]?.id ?? "";

  test("name this worker for a workflow it never heard of: it takes it up all the same", async () => {
    const team = await aTeam(db(), desk().scope.workspaceId, { supervisor: { canSpawnAgents: false }, agents: [] });
    const known = await desk().play(team, "known", () => ({ text: "Known." }));
    await desk().ended(known);
    const pattern = await rootOf(known);
    const input = desk().words("never heard of", () => ({ text: "Taken up." }));
    const runId = await inTransaction(async (client) => {
      const { workspaceId, userId } = desk().scope;
      const root = { nodeId: team.root.teamNodeId, agentVersionId: team.root.agentVersionId, name: team.root.name };
      const { teamId, teamVersionId } = team;
      const id = await storeRunWith(client, {
        workspaceId,
        userId,
        teamId,
        teamVersionId,
        root,
        input,
        model: "scripted",
      });
      await client.query(
        `insert into dbos.workflow_status select (jsonb_populate_record(w, jsonb_build_object('workflow_uuid', ar.id,
           'status', 'PENDING', 'executor_id', $2::text, 'inputs', replace(i.inputs, w.workflow_uuid, ar.id::text)))).*
         from dbos.workflow_status w join dbos.workflow_input i using (workflow_uuid), agent_runs ar
         where ar.run_id = $1 and w.workflow_uuid = $3`,
        [id, desk().executor?.workerId, pattern],
      );
      return id;
    });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Taken up." });
  });

  test("say by whom a workflow is executed, that it was let go of, taken over and ended", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let calls = 0;
    desk().tools.set(
      "gate",
      aTool("gate", async () => {
        calls += 1;
        await gate;
        return { ok: true };
      }),
    );
    const team = await aTeam(db(), desk().scope.workspaceId, {
      supervisor: { canSpawnAgents: false, tools: ["gate", "user__ask"] },
      agents: [],
    });
    const script = turns(
      { calls: [call("user__ask", { question: "Go on?", options: [] })] },
      { calls: [call("gate")] },
      { text: "Done." },
    );
    const runId = await desk().play(team, "watched", script);
    const question = await desk().openRequest(runId);
    const id = await rootOf(runId);
    const first = desk().executor?.workerId ?? "";
    expect(await workflowsOf(id)).toEqual([{ workflow_uuid: id, status: "PENDING", executor_id: first }]);

    // It only waits: a worker that is told to end lets go of it at once.
    await desk().executor?.close({ drainMs: 10_000 });
    expect(await workflowsOf(id)).toEqual([{ workflow_uuid: id, status: "PENDING", executor_id: `${first} (left)` }]);
    await desk().open();
    const second = desk().executor?.workerId ?? "";
    expect(second).not.toBe(first);
    await answerRequest({ scope: desk().scope, input: { requestId: question.id, answer: "Yes." } });
    await eventually(() => expect(calls).toBe(1));
    expect(await workflowsOf(id)).toMatchObject([{ workflow_uuid: id, status: "PENDING", executor_id: second }]);

    // Held, its workflow ends; resumed, there is another.
    await pauseRun({ scope: desk().scope, runId });
    open();
    await eventually(async () => expect(await workflowsOf(id)).toMatchObject([{ status: "SUCCESS" }]));
    await resumeRun({ scope: desk().scope, runId });
    await desk().ended(runId);
    await eventually(async () =>
      expect(await workflowsOf(id)).toMatchObject([
        { workflow_uuid: id, status: "SUCCESS" },
        { workflow_uuid: `${id}.1`, status: "SUCCESS", executor_id: second },
      ]),
    );
  });
});
