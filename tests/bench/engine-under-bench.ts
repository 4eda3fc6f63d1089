import { closeDb, db, pool } from "@/server/db";
import { turnDecisionId } from "@/server/engine/decide";
import type { Execution } from "@/server/engine/execution";
import { startExecutor } from "@/server/engine/executor";
import { deriveId } from "@/server/engine/ids";
import type { PlannedCall } from "@/server/engine/next-step";
import { startOfChild } from "@/server/engine/start-child";
import { ended } from "@/server/engine/tools/children";
import type { EngineTool } from "@/server/engine/tools/engine-tool";
import { argumentsOf } from "@/server/engine/turn-decision";
import { openAiCompatible } from "@/server/models/openai-compatible";
import { guardedFetchFor } from "@/server/outgoing/guarded-fetch";
import { storeRun } from "@/server/runs/store-run";
import type { Tool } from "@/server/tools/tool";
import { aMember, aTeam, aWorkspace, type TeamFixture } from "@/tests/support/factories";
import { onlyModel, onlyTools } from "@/tests/support/fixed-resources";

/** Of a result of the baselines. */
const RESULT_BYTES = 180;

const stepOf = (resultBytes: number): Tool => ({
  name: "step",
  description: "step",
  parameters: { type: "object", properties: { i: { type: "number" } }, required: ["i"], additionalProperties: false },
  sideEffect: "none",
  idempotency: "none",
  timeoutMs: 10_000,
  run: async (args) => `ok ${(args as { i: number }).i} `.padEnd(resultBytes, "result "),
});

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
    const decision = turnDecisionId(execution, planned.position);
    const { unit, launch } = startOfChild(execution, { id, target, task, decision });
    await execution.journal.append(unit);
    execution.resources.launch(launch);
    const child = await ended(execution, id);
    return { value: child.result, unit: { agent: { collected: [id] } } };
  },
};

type Options = {
  baseURL: string;
  databaseUrl: string;
  stream: boolean;
  resultBytes?: number;
  /** Beside `step`; may be added to later. */
  tools?: Map<string, Tool>;
};

/** Our engine as in the product, with the benchmark's model and tools. */
export async function engineUnderBench({
  baseURL,
  databaseUrl,
  stream,
  resultBytes = RESULT_BYTES,
  tools = new Map(),
}: Options) {
  process.env.DATABASE_URL = databaseUrl;
  tools.set("step", stepOf(resultBytes));
  const executor = await startExecutor({
    databaseUrl,
    models: onlyModel(
      openAiCompatible({ baseUrl: baseURL, fetch: guardedFetchFor(baseURL), name: "mock", apiKey: "x" }),
    ),
    toolbox: onlyTools(tools),
    engineTools: new Map([["delegate", delegate]]),
    stream,
  });
  const workspaceId = await aWorkspace(db());
  const scope = await aMember(db(), workspaceId);
  const worker = { tools: ["step"], maxToolRounds: 250 };
  const solo = await aTeam(db(), workspaceId, { supervisor: { ...worker, canSpawnAgents: false }, agents: [] });
  const team = await aTeam(db(), workspaceId, { supervisor: { maxConcurrentAgents: 8 }, agents: [worker] });

  const start = (prompt: string, fixture: TeamFixture = solo) =>
    storeRun({
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
  const answerOf = (runId: string) =>
    executor.resources.hub.waitFor("ended", deriveId(runId, "root"), new AbortController().signal, async () => {
      const { rows } = await pool().query<{ answer: string | null; over: boolean }>({
        name: "bench_answer",
        text: "select answer, is_terminal(status) as over from runs where id = $1",
        values: [runId],
      });
      return rows[0]?.over ? (rows[0].answer ?? "no answer") : undefined;
    });
  const close = async () => {
    await executor.close();
    await closeDb();
  };
  return { scope, team, start, answerOf, close };
}

/** Behind the same interface as the baselines; streaming off, everything else as in the product. */
export async function troupe(at: { baseURL: string; databaseUrl: string; resultBytes?: number }) {
  const engine = await engineUnderBench({ ...at, stream: false });
  return {
    single: async (prompt: string) => engine.answerOf(await engine.start(prompt)),
    supervisor: async (prompt: string) => engine.answerOf(await engine.start(prompt, engine.team)),
    close: engine.close,
  };
}
