import { afterAll, beforeAll, vi } from "vitest";
import { closeDb, db, pool } from "@/server/db";
import { type Executor, startExecutor } from "@/server/engine/executor";
import type { EngineResources } from "@/server/engine/resources";
import type { RunContext } from "@/server/engine/run-context";
import type { RunLimits } from "@/server/engine/run-limits";
import { ENGINE_TOOLS } from "@/server/engine/tools/engine-tools";
import type { Model } from "@/server/models/model";
import { openAiCompatible } from "@/server/models/openai-compatible";
import { redactingModels } from "@/server/models/redacting-models";
import { guardedFetchFor } from "@/server/outgoing/guarded-fetch";
import { storeRun } from "@/server/runs/store-run";
import { keptRedaction } from "@/server/secrets/redaction";
import { redactingToolbox } from "@/server/tools/redacting-toolbox";
import type { Tool, Toolbox } from "@/server/tools/tool";
import { toolbox } from "@/server/tools/toolbox";
import type { Scope } from "@/server/workspaces/scope";
import { onlyTools } from "@/tests/support/fixed-resources";
import type { DatabaseKind, FreshDatabase } from "./databases";
import { aTool } from "./engine-scripts";
import { aMember, aWorkspace, type TeamFixture } from "./factories";
import { type Script, type ScriptedModel, startScriptedModel } from "./scripted-model";
import { useDatabase } from "./use-database";

/** USD 1 and USD 3 for a million tokens. */
export const PRICE = { inputNanoUsd: 1_000_000_000, outputNanoUsd: 3_000_000_000 };

type Runnable = Pick<TeamFixture, "teamId" | "teamVersionId" | "root">;
type Turn = ReturnType<Script> | Script;

/** A script that gives its answers turn by turn; the last one stays. */
export function turns(...answers: Turn[]): Script {
  return (request, place) => {
    const answer = answers[Math.min(place.step, answers.length - 1)];
    if (!answer) throw new Error("a script needs at least one answer");
    return typeof answer === "function" ? answer(request, place) : answer;
  };
}

/** One real executor in this process, a model over HTTP that follows what each test says, and tools a test brings along. */
export class Desk {
  readonly tools = new Map<string, Tool>();
  readonly engineTools = new Map(ENGINE_TOOLS);
  readonly scripts = new Map<string, Script>();
  /** For words no test announced. */
  fallback: Script = () => ({ text: "Done." });
  /** What answers; a test may put another in its place. */
  model: Model;
  /** What answers to these names in its place. */
  readonly models = new Map<string, Model>();
  executor: Executor | undefined;
  /** Counts from the next `open` on; undefined: the product's own. */
  mostRuns: number | undefined;
  /** Called where an execution passes one of its fault points. */
  atFaultPoint: NonNullable<EngineResources["atFaultPoint"]> = async () => {};
  private inputs = 0;

  constructor(
    readonly database: FreshDatabase,
    readonly scope: Scope,
    readonly server: ScriptedModel,
  ) {
    this.model = this.scripted();
  }

  scripted(options: Partial<Parameters<typeof openAiCompatible>[0]> = {}): Model {
    return openAiCompatible({
      baseUrl: this.server.url,
      fetch: guardedFetchFor(this.server.url),
      name: "scripted",
      apiKey: "unused",
      price: PRICE,
      ...options,
    });
  }

  /** `url`: another way to the same database. */
  async open(url = this.database.url): Promise<void> {
    const desk = this;
    const model: Model = {
      get provider() {
        return desk.model.provider;
      },
      get name() {
        return desk.model.name;
      },
      get price() {
        return desk.model.price;
      },
      get contextTokens() {
        return desk.model.contextTokens;
      },
      get endpoint() {
        return desk.model.endpoint;
      },
      get limitedBy() {
        return desk.model.limitedBy;
      },
      get guard() {
        return desk.model.guard;
      },
      complete: (request) => desk.model.complete(request),
    } as Model;
    // Asked at each call: what a test turns on counts at once.
    const redaction = keptRedaction(pool(), 0);
    this.executor = await startExecutor({
      databaseUrl: url,
      models: redactingModels({ find: async (_workspaceId, ref) => this.models.get(ref) ?? model }, redaction),
      toolbox: redactingToolbox(withRealKnowledge(onlyTools(this.tools)), redaction),
      engineTools: this.engineTools,
      ...(this.mostRuns === undefined ? {} : { mostRuns: this.mostRuns }),
      atFaultPoint: (...at) => this.atFaultPoint(...at),
    });
  }

  /** Ends this process's work as a restart of the worker would, so that `open` goes on from the rows. */
  async shut(): Promise<void> {
    await this.executor?.close();
    this.executor = undefined;
  }

  /** Words nobody said before, and how the agent that is told them behaves. Scripts are found by these words. */
  words(text: string, script?: Script): string {
    const unique = `${text} (${++this.inputs})`;
    if (script) this.scripts.set(unique, script);
    return unique;
  }

  /** Offers a tool whose calls end when the gate is opened. */
  gate(name: string, also: Partial<Tool> = {}): { calls: number; open: () => void } {
    const gate = { calls: 0, open: () => {} };
    const opened = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    const run = async () => {
      gate.calls += 1;
      await opened;
      return { passed: gate.calls };
    };
    this.tools.set(name, aTool(name, run, also));
    return gate;
  }

  start(team: Runnable, input: string, of: { limits?: RunLimits; context?: RunContext } = {}): Promise<string> {
    return storeRun({
      ...of,
      workspaceId: this.scope.workspaceId,
      userId: this.scope.userId,
      teamId: team.teamId,
      teamVersionId: team.teamVersionId,
      root: { nodeId: team.root.teamNodeId, agentVersionId: team.root.agentVersionId, name: team.root.name },
      input,
      model: "scripted",
    });
  }

  /** Starts a run whose root follows the script. */
  play(team: Runnable, words: string, script: Script): Promise<string> {
    return this.start(team, this.words(words, script));
  }

  async statusOf(runId: string): Promise<{ status: string; reason: string | null; answer: string | null }> {
    const { rows } = await pool().query("select status, status_reason as reason, answer from runs where id = $1", [
      runId,
    ]);
    return rows[0];
  }

  async ended(runId: string): Promise<{ status: string; reason: string | null; answer: string | null }> {
    return eventually(async () => {
      const run = await this.statusOf(runId);
      if (!["completed", "failed", "aborted"].includes(run.status)) throw new Error(`the run is still ${run.status}`);
      return run;
    });
  }

  /** Requests of the conversation that began with these words, as the model's end saw them; one that hangs ends when its socket closes. */
  callsOf(words: string): { requested: number; ended: number } {
    const found = Object.values(this.server.stats().conversations).find(({ label }) => label === words.slice(0, 120));
    const steps = Object.values(found?.steps ?? {});
    const ended = steps.reduce((sum, step) => sum + step.answered + step.failed + step.closed, 0);
    return { requested: found?.requested ?? 0, ended };
  }

  /** The open request of a run, once there is one. */
  async openRequest(
    runId: string,
  ): Promise<{ id: string; prompt: string; options: { value: string }[]; agent: string }> {
    return eventually(async () => {
      const { rows } = await pool().query(
        "select id, prompt, options, agent_run_id as agent from human_requests where run_id = $1 and status = 'open'",
        [runId],
      );
      if (!rows[0])
        throw new Error(`nothing was asked in run ${runId}, which is ${(await this.statusOf(runId)).status}`);
      return rows[0];
    });
  }
}

/** Search over an agent's knowledge as in the product; its other tools are the test's. */
function withRealKnowledge(tools: Toolbox): Toolbox {
  return async (request) => {
    const [own, found] = await Promise.all([tools(request), toolbox(pool())({ ...request, names: [] })]);
    return { ...found, tools: new Map([...own.tools, ...found.tools]), missing: [...own.missing, ...found.missing] };
  };
}

/** Repeats until it no longer throws. */
export function eventually<T>(look: () => T | Promise<T>, timeout = 20_000): Promise<T> {
  return vi.waitFor(look, { timeout, interval: 20 });
}

/** A database of its own with one executor at work on it, for the tests of this block. */
export function useDesk(kind: DatabaseKind): () => Desk {
  const database = useDatabase(kind);
  let desk: Desk | undefined;
  beforeAll(async () => {
    const scope = await aMember(db(), await aWorkspace(db()));
    const server = await startScriptedModel((request, place) => {
      const said = request.messages.find(({ role }) => role === "user")?.content ?? "";
      const script = desk?.scripts.get(said) ?? desk?.fallback;
      if (!script) throw new Error("nobody is at the desk");
      return script(request, place);
    });
    desk = new Desk(database(), scope, server);
    await desk.open();
  });
  afterAll(async () => {
    await desk?.shut();
    await desk?.server.close();
    await closeDb();
  });
  return () => {
    if (!desk) throw new Error("The desk is not ready yet.");
    return desk;
  };
}
