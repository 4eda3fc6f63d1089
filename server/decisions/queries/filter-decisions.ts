import { aboutValue, isAbout } from "@/server/runs/queries/is-about";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { DecisionFilters } from "../schema";
import { KEPT_OF_ANOTHER_RUN, OUTCOME } from "./outcome";

type Filtered = {
  /** Of rows `d` of decisions, joined by AND. */
  conditions: string[];
  values: unknown[];
  /** Adds a value and says how it is named in the SQL. */
  bind: (value: unknown) => string;
};

const DAY_MS = 24 * 60 * 60_000;

/**
 * The conditions of a list of decisions, as SQL on rows `d`; $1 is the workspace. What a fork kept of another run is left out: it was
 * decided there. What costs least to look at comes first.
 */
export function filterDecisions(workspaceId: WorkspaceId, filters: DecisionFilters): Filtered {
  const values: unknown[] = [workspaceId];
  const conditions = ["d.workspace_id = $1"];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const { kind, source, agent, version, team, conversation, about, option, from, to, search, label, outcome } = filters;
  if (kind) conditions.push(`d.kind = ${bind(kind)}`);
  if (source) conditions.push(`d.source = ${bind(source)}`);
  if (from) conditions.push(`d.at >= ${bind(new Date(from))}`);
  if (to) conditions.push(`d.at < ${bind(new Date(Date.parse(to) + DAY_MS))}`);
  if (option) conditions.push(`d.chosen @> jsonb_build_array(jsonb_build_object('option', ${bind(option)}::text))`);
  conditions.push(`NOT ${KEPT_OF_ANOTHER_RUN}`);
  if (team) {
    conditions.push(`d.run_id IN (SELECT t.id FROM runs t WHERE t.workspace_id = $1 AND t.team_id = ${bind(team)})`);
  }
  if (conversation) {
    conditions.push(
      `d.run_id IN (SELECT t.id FROM runs t WHERE t.workspace_id = $1 AND t.conversation_id = ${bind(conversation)})`,
    );
  }
  if (about) {
    conditions.push(
      `d.agent_run_id IN (SELECT n.id FROM agent_runs n WHERE n.workspace_id = $1 AND ${isAbout("n", bind(aboutValue(about)))})`,
    );
  }
  if (agent || version) {
    const of = ["n.workspace_id = $1"];
    if (agent) of.push(`n.name = ${bind(agent)}`);
    if (version) {
      of.push(
        `n.agent_version_id IN (SELECT e.id FROM agent_versions e WHERE e.workspace_id = $1 AND e.number = ${bind(Number(version))})`,
      );
    }
    conditions.push(`d.agent_run_id IN (SELECT n.id FROM agent_runs n WHERE ${of.join(" AND ")})`);
  }
  if (search) {
    const pattern = bind(`%${search.replace(/[\\%_]/g, "\\$&")}%`);
    conditions.push(`(d.reason ILIKE ${pattern}
      OR EXISTS (SELECT 1 FROM jsonb_array_elements(d.chosen) c WHERE c ->> 'label' ILIKE ${pattern})
      OR d.run_id IN (SELECT t.id FROM runs t WHERE t.workspace_id = $1 AND t.title ILIKE ${pattern}))`);
  }
  if (label === "unlabelled") conditions.push(`NOT EXISTS (${STANDING_LABEL})`);
  else if (label) conditions.push(`EXISTS (${STANDING_LABEL} AND l.verdict = ${bind(label)})`);
  const candidates = CANDIDATES[outcome];
  if (candidates) conditions.push(candidates);
  if (outcome) conditions.push(`${OUTCOME} = ${bind(outcome)}`);
  return { conditions, values, bind };
}

const STANDING_LABEL = "SELECT 1 FROM decision_labels l WHERE l.decision_id = d.id AND l.ended_at IS NULL";

/** Rare outcomes: what can have one at all is found at once, so that the rest need not be judged one by one. */
const CANDIDATES: Record<DecisionFilters["outcome"], string | null> = {
  "": null,
  completed: null,
  nothing: null,
  failed: `(d.id IN (SELECT k.spawned_by_id FROM agent_runs k WHERE k.workspace_id = $1 AND k.spawned_by_id IS NOT NULL
        AND k.status IN ('failed', 'aborted', 'interrupted'))
      OR d.agent_run_id IN (SELECT s.agent_run_id FROM steps s WHERE s.workspace_id = $1 AND s.status <> 'completed'))`,
  open: `(d.id IN (SELECT k.spawned_by_id FROM agent_runs k WHERE k.workspace_id = $1 AND k.spawned_by_id IS NOT NULL
        AND k.status NOT IN ('completed', 'failed', 'aborted'))
      OR d.agent_run_id IN (SELECT k.id FROM agent_runs k WHERE k.workspace_id = $1 AND k.status NOT IN ('completed', 'failed', 'aborted')))`,
};
