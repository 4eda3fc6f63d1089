import { pool } from "@/server/db";
import { ENGINE_TOOLS } from "@/server/engine/tools/engine-tools";
import { AppError } from "@/server/errors";
import { describeConfiguredModel, REHEARSAL } from "@/server/models/configured-model";
import { redactionOf } from "@/server/secrets/redaction";
import { TOOLS } from "@/server/tools/catalog";
import type { Scope } from "@/server/workspaces/scope";
import { effectsAfter } from "../queries/effects-after";
import { findNamed } from "../queries/find-closure";
import { findPinned } from "../queries/find-pinned";
import { USAGE_JOIN } from "../queries/row-json";
import { whyNotRun } from "../rules";
import type { RetryFromInput, RetryPlan, StepInput, WhatIfInput } from "../step-schema";
import { findEdited } from "./find-edited";
import { findSource, storeFork } from "./store-fork";

const MOST_PROBLEMS_TOLD = 5;

/**
 * What a retry from a step would keep, and what the run did after it that stays done. Throws NOT_FOUND for a step that was never begun and
 * INVALID for a run that is still at work, or holds too much to be copied.
 */
export async function planRetry({ scope, input }: { scope: Scope; input: StepInput }): Promise<RetryPlan> {
  const { cut } = await findSource(pool(), scope, input);
  const { workspaceId } = scope;
  const [effects, { rows }] = await Promise.all([
    effectsAfter(pool(), workspaceId, { runId: input.runId, seq: cut.seq }),
    pool().query<{ steps: number; cost: number }>(
      `SELECT count(*)::int AS steps, coalesce(sum(coalesce(c.cost_nano_usd, (s.reused ->> 'costNanoUsd')::bigint)), 0)::float8 AS cost
       FROM events e JOIN steps s ON s.agent_run_id = e.agent_run_id AND s.position = (e.body -> 'position')::int ${USAGE_JOIN}
       WHERE e.workspace_id = $1 AND e.run_id = $2 AND e.seq <= $3 AND e.kind = 'step.finished'`,
      [workspaceId, input.runId, cut.seq],
    ),
  ]);
  const [kept] = rows;
  return {
    ...{ agentName: cut.agentName, stepName: cut.stepName },
    ...{ keptSteps: kept?.steps ?? 0, reusedCostNanoUsd: kept?.cost ?? 0 },
    ...{ effects: effects.shown, effectsTotal: effects.total, tools: effects.tools },
  };
}

/**
 * Stores a fork of a run (`storeFork`) where it may run. Throws as `planRetry` does, INVALID when something its agents name is gone, when
 * files were attached to its conversation or everything is paused, and TOO_MANY_REQUESTS at a limit of the workspace; then nothing was stored.
 */
export async function retryFrom({ scope, input }: { scope: Scope; input: RetryFromInput }): Promise<{ runId: string }> {
  const { source } = await findSource(pool(), scope, input);
  await assertWhole(scope, input.runId, source.model);
  await assertNothingAttached(scope, input.runId);
  return { runId: await storeFork({ scope, input }) };
}

/**
 * Stores a fork in which something is otherwise at the step (`findEdited`). Throws as `retryFrom` and `findEdited` do, and INVALID for a model
 * that is not there.
 */
export async function whatIf({ scope, input }: { scope: Scope; input: WhatIfInput }): Promise<{ runId: string }> {
  const { edit: asked, ...place } = input;
  // A model is named, not told anything.
  const edit = asked.kind === "model" ? asked : (await redactionOf(scope.workspaceId))(asked);
  const { source } = await findSource(pool(), scope, place);
  await assertWhole(scope, input.runId, edit.kind === "model" ? edit.model : source.model);
  await assertNothingAttached(scope, input.runId);
  return { runId: await storeFork({ scope, input: place, edited: await findEdited({ scope, place, edit }) }) };
}

/** Throws INVALID and says what is missing of that which the run's own versions name (promise 9). */
async function assertWhole({ workspaceId }: Scope, runId: string, model: string): Promise<void> {
  const [pinned, named] = await Promise.all([findPinned(workspaceId, runId), findNamed(workspaceId)]);
  const problems = whyNotRun(
    { kind: pinned.kind, places: pinned.places, model: { ref: model, isChosen: true } },
    {
      tools: new Set([...TOOLS.keys(), ...ENGINE_TOOLS.keys()]),
      toolServers: named.tool_servers,
      knowledgeBases: new Set(named.bases),
      models: new Set([REHEARSAL.ref, describeConfiguredModel().ref, ...named.models]),
    },
  );
  if (problems.length === 0) return;
  const words = problems.slice(0, MOST_PROBLEMS_TOLD).join(" ");
  throw new AppError(
    "INVALID",
    `A retry uses the versions the run was made with. ${words} Or run it again as a new run.`,
  );
}

/** A fork belongs to no conversation, so its agents could not search what is attached to one. Throws INVALID and names it. */
async function assertNothingAttached({ workspaceId }: Scope, runId: string): Promise<void> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT d.name FROM runs r JOIN knowledge_bases b ON b.workspace_id = r.workspace_id AND b.conversation_id = r.conversation_id
     JOIN documents d ON d.workspace_id = b.workspace_id AND d.base_id = b.id
     WHERE r.workspace_id = $1 AND r.id = $2 AND d.created_at <= coalesce(r.finished_at, now()) ORDER BY d.created_at, d.id`,
    [workspaceId, runId],
  );
  if (rows.length === 0) return;
  const shown = rows.slice(0, MOST_PROBLEMS_TOLD).map(({ name }) => `“${name}”`);
  const more = rows.length > shown.length ? ` and ${rows.length - shown.length} more` : "";
  throw new AppError(
    "INVALID",
    `The agents of this run may search files that are attached to its conversation: ${shown.join(", ")}${more}. A retry is a run outside the conversation and could not search them. Ask again in the conversation instead.`,
  );
}
