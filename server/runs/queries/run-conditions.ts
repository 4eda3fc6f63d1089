import { ACTIVE_STATUSES, type RunStatus, TERMINAL_STATUSES } from "@/server/engine/state";
import { type RunFilters, type RunStateFilter, tagKey } from "../list-schema";
import { aboutValue, isAbout } from "./is-about";

/** Binds a value and returns its place in the statement: "$3". */
export type Bind = (value: unknown) => string;

/** What several states are called together. They overlap on purpose: a run that waits is active as well. */
const GROUPS: Record<Exclude<RunStateFilter, RunStatus> | "failed", readonly RunStatus[]> = {
  active: ACTIVE_STATUSES,
  failed: ["failed", "interrupted"],
  finished: TERMINAL_STATUSES,
};

function statusesOf(state: RunStateFilter): readonly RunStatus[] {
  return state === "active" || state === "failed" || state === "finished" ? GROUPS[state] : [state];
}

/** What is said of a run `r` of the workspace `$1` by these filters, to be joined by AND. A run on its way out never matches. */
export function runConditions(filters: RunFilters, bind: Bind): string[] {
  const { status, targets, startedBy, conversation, about, from, to, minCostNanoUsd, longerThanMs, tags, feedback } =
    filters;
  const { archived, search } = filters;
  const conditions = [
    "r.workspace_id = $1",
    "r.removing_at IS NULL",
    `r.archived_at IS ${archived ? "NOT NULL" : "NULL"}`,
  ];
  if (status.length > 0) conditions.push(stateCondition(status, bind));
  if (targets.length > 0) conditions.push(targetCondition(targets, bind));
  if (startedBy.length > 0) conditions.push(`r.started_by_id = ANY(${bind(startedBy)}::uuid[])`);
  if (conversation !== null) conditions.push(`r.conversation_id = ${bind(conversation)}`);
  if (about !== null) {
    conditions.push(
      `r.id IN (SELECT x.run_id FROM agent_runs x WHERE x.workspace_id = $1 AND ${isAbout("x", bind(aboutValue(about)))})`,
    );
  }
  if (from !== null) conditions.push(`r.created_at >= ${bind(startOfDay(from, 0))}`);
  if (to !== null) conditions.push(`r.created_at < ${bind(startOfDay(to, 1))}`);
  if (minCostNanoUsd !== null) conditions.push(`r.cost_nano_usd >= ${bind(minCostNanoUsd)}`);
  if (longerThanMs !== null) {
    // As the list shows it: one that is held has taken what it had when it was.
    const elapsed = "coalesce(r.finished_at, r.held_at, now()) - r.created_at";
    conditions.push(`${elapsed} > make_interval(secs => ${bind(longerThanMs)}::float8 / 1000)`);
  }
  for (const key of new Set(tags.map(tagKey))) {
    conditions.push(
      `EXISTS (SELECT FROM run_tags x WHERE x.workspace_id = $1 AND x.run_id = r.id AND x.key = ${bind(key)})`,
    );
  }
  if (feedback.length > 0) {
    conditions.push(
      `r.id IN (SELECT f.run_id FROM feedback f WHERE f.workspace_id = $1 AND f.type = ANY(${bind(feedback)}::text[]))`,
    );
  }
  if (search) conditions.push(searchCondition(search, bind));
  return conditions;
}

function stateCondition(states: readonly RunStateFilter[], bind: Bind): string {
  const statuses = states.flatMap(statusesOf);
  const isIn = `r.status = ANY(${bind([...new Set(statuses)])}::run_status[])`;
  // One agent may wait for a person while its siblings still work.
  return states.includes("waiting") ? `(${isIn} OR r.open_requests > 0)` : isIn;
}

function targetCondition(targets: readonly string[], bind: Bind): string {
  const idsOf = (kind: string) =>
    targets.flatMap((key) => (key.startsWith(`${kind}:`) ? [key.slice(kind.length + 1)] : []));
  return `(r.team_id = ANY(${bind(idsOf("team"))}::uuid[]) OR r.agent_version_id IN (
    SELECT v.id FROM agent_versions v WHERE v.workspace_id = $1 AND v.agent_id = ANY(${bind(idsOf("agent"))}::uuid[])))`;
}

const DAY_MS = 24 * 60 * 60_000;

function startOfDay(day: string, plusDays: number): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) + plusDays * DAY_MS);
}

/** The very characters typed, large or small. */
function searchCondition(search: string, bind: Bind): string {
  // The collation "C" knows large and small of plain letters only, and is several times as fast.
  const plain = plainPart(search);
  const parts: string[] = [];
  if (plain) parts.push(`ILIKE ${bind(likePattern(plain))} COLLATE "C"`);
  if (plain !== search) parts.push(`ILIKE ${bind(likePattern(search))}`);
  const matches = (column: string) => `(${parts.map((part) => `r.${column} ${part}`).join(" AND ")})`;
  return `(${["title", "input", "answer"].map(matches).join(" OR ")})`;
}

/** The longest part that is written in one way only, but for plain letters. */
function plainPart(search: string): string {
  const isPlain = (letter: string) => letter < "\x7f" || letter.toLowerCase() === letter.toUpperCase();
  let longest = "";
  let current = "";
  for (const letter of search) {
    current = isPlain(letter) ? current + letter : "";
    if (current.length > longest.length) longest = current;
  }
  return longest;
}

function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
