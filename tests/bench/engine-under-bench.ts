import { closeDb, db, pool } from "@/server/db";
import type { Execution } from "@/server/engine/execution";
import { startExecutor } from "@/server/engine/executor";
import { deriveId, handleOf } from "@/server/engine/ids";
import type { PlannedCall } from "@/server/engine/next-step";
import { ended } from "@/server/engine/tools/children";
import type { EngineTool } from "@/server/engine/tools/engine-tool";
import { startOfChild } from "@/server/engine/tools/spawn";
import { argumentsOf } from "@/server/engine/turn-decision";
import { openAiCompatible } from "@/server/models/openai-compatible";
import { storeRun } from "@/server/runs/store-run";
import type { Tool } from "@/server/tools/tool";
import { aMember, aTeam, aWorkspace, type TeamFixture } from "@/tests/support/factories";

const RESULT = "result ".repeat(25);

const step: Tool = {
  name: "step",
  description: "step",
  parameters: { type: "object", properties: { i: { type: "number" } }, required: ["i"], additionalProperties: false },
  sideEffect: "none",
  idempotency: "none",
  timeoutMs: 10_000,
  run: async (args) => `ok ${(args as { i: number }).i} ${RESULT}`,
};

/** The benchmark's model asks for `delegate`, which starts a child and waits for it in one call. */
const delegate: EngineTool = {
  kind: "tool",
  offer: ({ config }) =>
    config.canSpawnAgents
      ? {
          name: "delegate",
          description: "delegate",
          parameters: { type: "object", properties: { task: { type: "string" } }, required: ["task"] },
        }
      : null,
  async run(execution: Execution, planned: PlannedCall) {
    const target = execution.journal.opened.spawnable[0];
    if (!target) throw new Error("nobody to delegate to");
    const id = deriveId(execution.row.id, `child ${planned.position}`);
    const task = String(argumentsOf(planned.call).task);
    const { unit, launch } = startOfChild(execution, {
      id,
      handle: handleOf(id, target.name),
      target,
      task,
      position: planned.position,
    });
    await execution.journal.append(unit);
    execution.resources.launch(launch);
    const child = await ended(execution, id);
    return { value: child.result, unit: { agent: { collected: [id] } } };
  },
};

/** Our engine behind the same interface as the baselines; streaming off, everything else as in the product. */
export async function troupe({ baseURL, databaseUrl }: { baseURL: string; databaseUrl: string }) {
  process.env.DATABASE_URL = databaseUrl;
  const executor = await startExecutor({
    databaseUrl,
    model: openAiCompatible({ baseUrl: baseURL, name: "mock", apiKey: "x" }),
    tools: new Map([[step.name, step]]),
    engineTools: new Map([["delegate", delegate]]),
    stream: false,
  });
  const workspaceId = await aWorkspace(db());
  const scope = await aMember(db(), workspaceId);
  const worker = { tools: ["step"], maxToolRounds: 50 };
  const solo = await aTeam(db(), workspaceId, { supervisor: { ...worker, canSpawnAgents: false }, agents: [] });
  const team = await aTeam(db(), workspaceId, { supervisor: { maxConcurrentAgents: 8 }, agents: [worker] });

  async function run(fixture: TeamFixture, prompt: string): Promise<string> {
    const runId = await storeRun({
      workspaceId,
      userId: scope.userId,
      teamId: fixture.teamId,
      teamVersionId: fixture.teamVersionId,
      root: {
        nodeId: fixture.root.teamNodeId,
        agentVersionId: fixture.root.agentVersionId,
        name: fixture.root.name,
      },
      input: prompt,
      model: "mock",
    });
    return executor.resources.hub.waitFor("ended", deriveId(runId, "root"), new AbortController().signal, async () => {
      const { rows } = await pool().query<{ answer: string | null; over: boolean }>({
        name: "bench_answer",
        text: "select answer, is_terminal(status) as over from runs where id = $1",
        values: [runId],
      });
      return rows[0]?.over ? (rows[0].answer ?? "no answer") : undefined;
    });
  }
  return {
    single: (prompt: string) => run(solo, prompt),
    supervisor: (prompt: string) => run(team, prompt),
    close: async () => {
      await executor.close();
      await closeDb();
    },
  };
}
