import type pg from "pg";
import { overrides } from "@/server/engine/overrides";
import type { RunContext } from "@/server/engine/run-context";
import { ENGINE_TOOLS } from "@/server/engine/tools/engine-tools";
import { AppError } from "@/server/errors";
import { describeConfiguredModel, REHEARSAL } from "@/server/models/configured-model";
import { describeModel } from "@/server/models/default-model";
import type { Redact } from "@/server/secrets/pii";
import { redactionOf } from "@/server/secrets/redaction";
import { TOOLS } from "@/server/tools/catalog";
import { inTransaction } from "@/server/transaction";
import { countRun } from "@/server/usage/service/count-against-limits";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import { findClosure, findNamed } from "../queries/find-closure";
import { findStartContext } from "../queries/find-start-context";
import { getLastSeq } from "../queries/list-events";
import { whyNotRun } from "../rules";
import type { StartRunInput } from "../schema";
import { type StoreRun, storeRunWith } from "../store-run";
import { keptContext } from "./start-context";

const MOST_PROBLEMS_TOLD = 5;

/**
 * Stores a run and its root agent run and tells the workers. Pins the newest version of the team or agent, or the one that is named,
 * and with it every agent version. Throws as `planRun` does, and TOO_MANY_REQUESTS at a limit of the workspace; then nothing was stored.
 */
export async function startRun({ scope, input }: { scope: Scope; input: StartRunInput }): Promise<{ runId: string }> {
  const plan = await planRun({ scope, input });
  return inTransaction(async (client) => {
    await countRun(client, scope.workspaceId);
    const runId = await storeRunWith(client, plan);
    if (input.askBeforeWrites) await askBeforeWrites(client, scope.workspaceId, runId);
    return { runId };
  });
}

/** No worker sees the run before the transaction ends. */
async function askBeforeWrites(client: pg.ClientBase, workspaceId: WorkspaceId, runId: string): Promise<void> {
  const otherwise = overrides.parse({ since: "start", askBeforeWrites: true });
  await client.query("UPDATE runs SET overrides = $3 WHERE workspace_id = $1 AND id = $2", [
    ...[workspaceId, runId, JSON.stringify(otherwise)],
  ]);
}

/**
 * Judges whether a run may start, without storing anything. Refuses by name what could not work (promise 9):
 * NOT_FOUND for the team, agent or repeated run, INVALID for what was never published, for a version there is not and for every missing tool,
 * knowledge base, model and deleted agent in it.
 */
export async function planRun({ scope, input }: { scope: Scope; input: StartRunInput }): Promise<StoreRun> {
  const { workspaceId } = scope;
  const target = targetOf(input);
  const [closure, named] = await Promise.all([findClosure(workspaceId, target, input.version), findNamed(workspaceId)]);
  if (!closure || closure.isDeleted) {
    throw new AppError("NOT_FOUND", `There is no such ${target.kind}. It may have been deleted.`);
  }
  if (closure.versionId === null && input.version !== undefined) {
    throw new AppError("INVALID", `There is no version ${input.version} of “${closure.name}”. Choose another.`);
  }
  if (closure.versionId === null) {
    throw new AppError("INVALID", `“${closure.name}” was never published. Publish the ${target.kind}, then run it.`);
  }
  const root = closure.places.find((place) => place.parentId === null);
  if (!root) throw new AppError("INVALID", `The team “${closure.name}” has no supervisor. Give it one and publish it.`);

  const model = input.model ?? describeModel(named.default_model).ref;
  const problems = whyNotRun(
    {
      kind: target.kind,
      places: [...closure.places, ...closure.allowed],
      model: { ref: model, isChosen: input.model !== undefined },
    },
    {
      tools: new Set([...TOOLS.keys(), ...ENGINE_TOOLS.keys()]),
      toolServers: named.tool_servers,
      knowledgeBases: new Set(named.bases),
      models: new Set([REHEARSAL.ref, describeConfiguredModel().ref, ...named.models]),
    },
  );
  if (problems.length) throw new AppError("INVALID", problems.slice(0, MOST_PROBLEMS_TOLD).join(" "));
  if (input.rerunOfId) await getLastSeq(workspaceId, input.rerunOfId);
  const redact = await redactionOf(workspaceId);
  const context = await contextOf(workspaceId, input, redact);

  return {
    workspaceId,
    userId: scope.userId,
    teamId: target.kind === "team" ? closure.id : null,
    teamVersionId: target.kind === "team" ? closure.versionId : null,
    root: { nodeId: root.nodeId, agentVersionId: root.agentVersionId, name: root.name },
    input: redact(input.input),
    model,
    limits: { ...closure.limits, ...input.limits },
    ...(input.rerunOfId ? { rerunOfId: input.rerunOfId } : {}),
    ...(context ? { context } : {}),
  };
}

/** What it is about: as it was given, or as the run began that is repeated. */
async function contextOf(
  workspaceId: WorkspaceId,
  { context, rerunOfId }: StartRunInput,
  redact: Redact,
): Promise<RunContext | null> {
  if (context) return keptContext(context, redact);
  return rerunOfId ? redact(await findStartContext(workspaceId, rerunOfId)) : null;
}

function targetOf({ teamId, agentId }: Pick<StartRunInput, "teamId" | "agentId">): {
  kind: "team" | "agent";
  id: string;
} {
  if (teamId && !agentId) return { kind: "team", id: teamId };
  if (agentId && !teamId) return { kind: "agent", id: agentId };
  throw new AppError("INVALID", "Name what to run: either a team or an agent.");
}
