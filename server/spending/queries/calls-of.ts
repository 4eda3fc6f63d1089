import { IS_MODEL_CALL } from "@/server/runs/queries/model-call-sql";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { daysOf, instantsOf } from "../rules";
import { type CallEnd, type Dimension, NARROWING, NONE, type SpendingFilters } from "../schema";
import { findSurfaces, type Surfaces } from "./find-surfaces";

/** Calls of a filter, as parts of a statement on runs `r`, agent runs `k`, agent versions `v`, steps `s`, usages `u`; $1 is the workspace. */
export type CallsOf = {
  from: string;
  /** Joined by AND. */
  conditions: string[];
  values: unknown[];
  /** Adds a value and says how it is named in the SQL. */
  bind: (value: unknown) => string;
  /** The key of what a call belongs to, never null. */
  key: (dimension: Dimension) => string;
  surfaces: Surfaces;
  days: { from: string; to: string };
};

/**
 * What was asked of models in the period: run by run, so that the steps of days past are not read, and each agent run's by their index
 * (see `readCalls`). IS TRUE: of two indexes for a run's agent runs Postgres would take both without statistics, and so read all of the workspace for
 * each run. What a fork kept of another run was asked there, and what imported runs asked elsewhere.
 */
const FROM = `runs r
  JOIN agent_runs k ON (k.workspace_id = r.workspace_id) IS TRUE AND k.run_id = r.id
  JOIN agent_versions v ON v.workspace_id = k.workspace_id AND v.id = k.agent_version_id
  JOIN steps s ON s.workspace_id = k.workspace_id AND s.agent_run_id = k.id
  LEFT JOIN usages u ON u.agent_run_id = s.agent_run_id AND u.position = s.position`;

/** What the endpoint told beside its reply; a message is read for it, so only where somebody asks. */
export const TOLD =
  "LEFT JOIN messages m ON m.agent_run_id = s.agent_run_id AND m.index = s.reply_message AND m.role = 'assistant'";

export const IS_OWN_STEP = "s.kind IN ('model', 'summary')";
export const HAS_FAILED = `(${IS_OWN_STEP} AND s.status = 'failed')`;
const WAS_STOPPED = `(${IS_OWN_STEP} AND s.status NOT IN ('completed', 'failed'))`;

/**
 * Of a call without an answer a step has the model's own name alone: whose it was tells an answer of that model in the same agent run, else
 * what the agent or the run was to use.
 */
const PROVIDER = `coalesce(u.provider,
  (SELECT o.provider FROM usages o WHERE o.agent_run_id = s.agent_run_id AND o.model = s.name LIMIT 1),
  (SELECT split_part(x.ref, '/', 1) FROM (VALUES (r.overrides ->> 'model'), (v.config ->> 'model'), (r.model)) AS x (ref)
   WHERE substr(x.ref, strpos(x.ref, '/') + 1) = s.name AND strpos(x.ref, '/') > 0 LIMIT 1))`;
const MODEL = `coalesce(u.model, CASE WHEN ${IS_OWN_STEP} THEN s.name END, '${NONE}')`;

const KEYS: Record<Exclude<Dimension, "tools">, string> = {
  agent: "v.agent_id::text",
  team: `coalesce(r.team_id::text, '${NONE}')`,
  conversation: `coalesce(r.conversation_id::text, '${NONE}')`,
  run: "r.id::text",
  provider: `coalesce(${PROVIDER}, '${NONE}')`,
  model: `(coalesce(${PROVIDER}, '${NONE}') || '/' || ${MODEL})`,
  day: "to_char(s.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
};

/** Columns of one call that lists show of its model. */
export const CALLED = `${PROVIDER} AS provider, ${MODEL} AS model`;

/** `sums`: for more than a list of calls, so what was told beside replies is read in any case. */
export async function callsOf(
  workspaceId: WorkspaceId,
  filters: SpendingFilters,
  { sums }: { sums: boolean },
): Promise<CallsOf> {
  const values: unknown[] = [workspaceId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const days = daysOf(filters, new Date());
  const period = instantsOf(days);
  const [begin, end] = [bind(period.from), bind(period.before)];
  const conditions = [
    "r.workspace_id = $1",
    "r.removing_at IS NULL",
    `r.created_at < ${end}`,
    `(r.finished_at IS NULL OR r.finished_at >= ${begin})`,
    "NOT EXISTS (SELECT FROM run_imports i WHERE i.run_id = r.id)",
    `s.finished_at >= ${begin}`,
    `s.finished_at < ${end}`,
    "s.reused IS NULL",
    IS_MODEL_CALL,
  ];
  const surfaces: Surfaces =
    filters.by === "tools" || filters.tools
      ? await findSurfaces(workspaceId, { from: FROM, conditions, values })
      : new Map();
  // Bound once it is asked for: a statement must use each of its values.
  let surfacePlace: string | undefined;
  const surfaceOf = () => {
    surfacePlace ??= bind(
      JSON.stringify(Object.fromEntries([...surfaces].map(([request, { hash }]) => [request, hash]))),
    );
    return `coalesce(${surfacePlace}::jsonb ->> s.request_hash, '${NONE}')`;
  };
  const key = (dimension: Dimension) => (dimension === "tools" ? surfaceOf() : KEYS[dimension]);
  for (const dimension of NARROWING) {
    if (filters[dimension]) conditions.push(`${key(dimension)} = ${bind(filters[dimension])}`);
  }
  if (filters.dearer) conditions.push(`u.cost_nano_usd >= ${bind(filters.dearer)}::numeric * 1e9`);
  if (filters.slower) {
    conditions.push(
      IS_OWN_STEP,
      `s.finished_at - s.started_at >= make_interval(secs => ${bind(filters.slower)}::float8)`,
    );
  }
  if (filters.end) conditions.push(endedWith(filters.end, bind));
  const needsTold = sums || (filters.end !== "" && filters.end !== "failed" && filters.end !== "stopped");
  return { from: needsTold ? `${FROM} ${TOLD}` : FROM, conditions, values, bind, key, surfaces, days };
}

function endedWith(end: CallEnd, bind: CallsOf["bind"]): string {
  if (end === "failed") return HAS_FAILED;
  if (end === "stopped") return WAS_STOPPED;
  return `m.content -> 'told' ->> 'finishReason' = ${bind(end)}`;
}
