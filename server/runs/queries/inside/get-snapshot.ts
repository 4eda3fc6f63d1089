import { pool } from "@/server/db";
import type { RunEventBody, StoredEventBody, TaskRow } from "@/server/engine/events";
import type { RunContext } from "@/server/engine/run-context";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { toInstant, toInstantOrNull } from "../instant";
import { getLastSeq } from "../list-events";
import { pageOf } from "./page-of";
import {
  MOST_PREVIEW,
  type Moment,
  type MomentsInput,
  type Snapshot,
  type SnapshotInput,
  type SpentRow,
} from "./schema";
import { SPENT_SUMS } from "./spent-sql";

/** Whoever looks at one reads all of them: what came of a decision is told by the next. */
const PAGE = 1_000;

/** The decisions of an agent run, oldest first, each with the event it is: the moments its state can be looked at. Throws NOT_FOUND. */
export async function listMoments(
  workspaceId: WorkspaceId,
  { runId, agentRunId, cursor }: MomentsInput,
): Promise<{ items: Moment[]; nextCursor: number | null; total: number; firstSeq: number; lastSeq: number }> {
  const lastSeq = await getLastSeq(workspaceId, runId);
  await getAgent(workspaceId, { runId, agentRunId });
  const offset = cursor ?? 0;
  const [moments, first] = await Promise.all([
    pool().query<Omit<Moment, "at"> & { at: Date; total: number }>(
      `SELECT d.id AS "decisionId", e.seq, d.kind, d.chosen, d.at, (count(*) OVER ())::int AS total
       FROM events e JOIN decisions d ON d.workspace_id = e.workspace_id AND d.id = (e.body ->> 'id')::uuid
       WHERE e.workspace_id = $1 AND e.run_id = $2 AND e.kind = 'decision.made' AND d.agent_run_id = $3
       ORDER BY e.seq LIMIT $4 OFFSET $5`,
      [workspaceId, runId, agentRunId, PAGE + 1, offset],
    ),
    pool().query<{ seq: number }>(
      `SELECT e.seq FROM events e WHERE e.workspace_id = $1 AND e.run_id = $2 AND e.kind = 'agent.created'
         AND e.agent_run_id = $3 ORDER BY e.seq LIMIT 1`,
      [workspaceId, runId, agentRunId],
    ),
  ]);
  const page = pageOf(moments.rows, PAGE, offset);
  return {
    items: page.items.map(({ at, chosen, total: _, ...moment }) => ({
      ...moment,
      chosen: chosen.map(({ label }) => ({ label })),
      at: toInstant(at),
    })),
    total: moments.rows[0]?.total ?? 0,
    ...{ nextCursor: page.nextCursor, firstSeq: first.rows[0]?.seq ?? 0, lastSeq },
  };
}

type AgentRecord = { name: string; handle: string; version: number; task: string; model: string };

async function getAgent(
  workspaceId: WorkspaceId,
  { runId, agentRunId }: { runId: string; agentRunId: string },
): Promise<AgentRecord> {
  const { rows } = await pool().query<AgentRecord>(
    `SELECT a.name, a.handle, v.number AS version, a.task, coalesce(r.overrides ->> 'model', v.config ->> 'model', r.model) AS model
     FROM agent_runs a JOIN runs r ON r.workspace_id = a.workspace_id AND r.id = a.run_id
     JOIN agent_versions v ON v.workspace_id = a.workspace_id AND v.id = a.agent_version_id
     WHERE a.workspace_id = $1 AND a.run_id = $2 AND a.id = $3`,
    [workspaceId, runId, agentRunId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "This agent is not part of the run, or it is in another workspace.");
  return rows[0];
}

/** Agent runs it has to do with. */
type Known = { id: string; name: string; isChild: boolean };
type Past = { seq: number; at: Date; agentRunId: string | null; kind: string; body: StoredEventBody };
type Counts = SpentRow & {
  steps: number;
  turns: number;
  failedSteps: number;
  messages: number;
  reportedTokens: number | null;
};

/**
 * The state of an agent run after event `seq`: what it wanted, what it knew and what it had under way (INT-CTX-06, LOK-OBS-02). Nothing of it is
 * stored as such: events say what was there, and messages, steps and usages are only ever appended. Costs in nano-USD. Throws NOT_FOUND.
 */
export async function getSnapshot(workspaceId: WorkspaceId, input: SnapshotInput): Promise<Snapshot> {
  await getLastSeq(workspaceId, input.runId);
  const agent = await getAgent(workspaceId, input);
  const place = [workspaceId, input.runId, input.agentRunId, input.seq];
  const [{ rows: past }, { rows: counted }, { rows: names }] = await Promise.all([
    pool().query<Past>(
      `SELECT e.seq, e.at, e.agent_run_id AS "agentRunId", e.kind, e.body FROM events e
       WHERE e.workspace_id = $1 AND e.run_id = $2 AND e.seq <= $4 AND (
         (e.agent_run_id = $3::uuid AND e.kind IN ('agent.status', 'agent.todo', 'agent.context', 'task.changed', 'request.opened', 'request.closed', 'request.passed_on'))
         OR (e.kind IN ('agent.created', 'agent.status') AND (e.agent_run_id = $3::uuid OR e.agent_run_id IN (
           SELECT k.id FROM agent_runs k WHERE k.workspace_id = $1 AND k.run_id = $2 AND k.parent_id = $3::uuid)))
         OR (e.kind = 'mail.sent' AND $3::uuid IN ((e.body -> 'mail' ->> 'toId')::uuid, (e.body -> 'mail' ->> 'fromId')::uuid))
         OR e.kind = 'mail.read' OR e.seq = $4)
       ORDER BY e.seq`,
      place,
    ),
    pool().query<Counts>(
      `WITH done AS MATERIALIZED (
         SELECT (e.body -> 'position')::int AS position FROM events e
         WHERE e.workspace_id = $1 AND e.run_id = $2 AND e.agent_run_id = $3::uuid AND e.kind = 'step.finished' AND e.seq <= $4)
       SELECT count(s.position)::int AS steps, (count(DISTINCT s.turn) FILTER (WHERE s.kind = 'model'))::int AS turns,
         count(*) FILTER (WHERE s.status = 'failed')::int AS "failedSteps",
         coalesce(greatest(max(s.reply_message) + 1, max(s.request_messages)), 0)::int AS messages,
         (array_agg(u.input_tokens ORDER BY s.position DESC) FILTER (WHERE s.kind = 'model' AND u.input_tokens > 0))[1] AS "reportedTokens",
         ${SPENT_SUMS}
       FROM done JOIN steps s ON s.workspace_id = $1 AND s.agent_run_id = $3::uuid AND s.position = done.position
       LEFT JOIN usages u ON u.agent_run_id = s.agent_run_id AND u.position = s.position`,
      place,
    ),
    pool().query<Known>(
      `SELECT a.id, a.name, a.parent_id IS NOT DISTINCT FROM $3::uuid AS "isChild" FROM agent_runs a
       WHERE a.workspace_id = $1 AND a.run_id = $2 AND (a.parent_id = $3 OR a.id = $3 OR a.id IN (SELECT m.from_id FROM mails m WHERE m.workspace_id = $1 AND m.to_id = $3 UNION SELECT m.to_id FROM mails m WHERE m.workspace_id = $1 AND m.from_id = $3))`,
      [workspaceId, input.runId, input.agentRunId],
    ),
  ]);
  const counts = counted[0] as Counts;
  const { steps, turns, failedSteps, messages, reportedTokens, ...spent } = counts;
  return {
    ...{ seq: input.seq, at: toInstantOrNull(past.findLast(({ seq }) => seq === input.seq)?.at ?? null) },
    agent: { name: agent.name, handle: agent.handle, version: agent.version },
    ...{ task: agent.task, model: agent.model, steps, turns, failedSteps },
    spent: numbers(spent),
    context: { ...(await countMessages(workspaceId, input.agentRunId, messages)), reportedTokens },
    ...foldPast(past, input.agentRunId, new Map(names.map((each) => [each.id, each]))),
  };
}

/** Sums leave the database as text where they may be large. */
function numbers(spent: SpentRow): SpentRow {
  return Object.fromEntries(Object.entries(spent).map(([name, value]) => [name, Number(value)])) as SpentRow;
}

type Counted = Omit<Snapshot["context"], "reportedTokens">;

/** How many of the first `messages` there are of each role, and their size: of one kept in parts, that of all of it. */
async function countMessages(workspaceId: WorkspaceId, agentRunId: string, messages: number): Promise<Counted> {
  const { rows } = await pool().query<{ role: keyof Counted; messages: number; bytes: number }>(
    `SELECT m.role, count(*)::int AS messages, coalesce(sum(CASE WHEN m.content ? 'blob' THEN (m.content ->> 'bytes')::int
       ELSE octet_length(coalesce(m.content ->> 'content', '')) + octet_length(coalesce(m.content ->> 'calls', '')) END), 0)::int AS bytes
     FROM messages m WHERE m.workspace_id = $1 AND m.agent_run_id = $2 AND m.index < $3 GROUP BY m.role`,
    [workspaceId, agentRunId, messages],
  );
  const of = (role: keyof Counted) => {
    const row = rows.find((each) => each.role === role);
    return { messages: row?.messages ?? 0, bytes: row?.bytes ?? 0 };
  };
  return { system: of("system"), user: of("user"), assistant: of("assistant"), tool: of("tool") };
}

type Folded = Pick<
  Snapshot,
  "status" | "statusReason" | "todo" | "variables" | "entities" | "children" | "tasks" | "mails" | "requests"
>;

function foldPast(past: readonly Past[], own: string, names: ReadonlyMap<string, Known>): Folded {
  let [status, statusReason, todo]: [Folded["status"], string | null, Folded["todo"]] = [null, null, null];
  let context: RunContext | null = null;
  const children = new Map<string, Folded["children"][number]>();
  const tasks = new Map<number, TaskRow>();
  const mails = new Map<string, Folded["mails"][number]>();
  const requests = new Map<string, Folded["requests"][number]>();
  for (const { agentRunId, kind, body: stored } of past) {
    const body = { ...stored, kind } as RunEventBody;
    const about = agentRunId === null ? undefined : names.get(agentRunId);
    switch (body.kind) {
      case "agent.created":
        // What it is lies in its row. The last event may be of an agent run that has nothing to do with this one.
        if (agentRunId === own) status = "queued";
        else if (about?.isChild)
          children.set(about.id, { id: about.id, name: about.name, status: "queued", reason: null });
        break;
      case "agent.status": {
        if (agentRunId === own) [status, statusReason] = [body.status, body.reason];
        const child = agentRunId === null ? undefined : children.get(agentRunId);
        if (child) children.set(child.id, { ...child, status: body.status, reason: body.reason });
        break;
      }
      case "agent.todo":
        if (agentRunId === own) todo = body.todo;
        break;
      case "agent.context":
        if (agentRunId === own) context = body.context;
        break;
      case "task.changed":
        if (agentRunId === own) tasks.set(body.task.number, body.task);
        break;
      case "mail.sent": {
        const isSent = body.mail.fromId === own;
        if (!isSent && body.mail.toId !== own) break;
        const other = isSent ? body.mail.toId : body.mail.fromId;
        const text = body.mail.text.slice(0, MOST_PREVIEW);
        mails.set(body.mail.id, {
          id: body.mail.id,
          isSent,
          with: names.get(other)?.name ?? "An agent",
          text,
          isRead: false,
        });
        break;
      }
      case "mail.read":
        for (const id of body.mailIds) {
          const mail = mails.get(id);
          if (mail) mails.set(id, { ...mail, isRead: true });
        }
        break;
      case "request.opened":
        if (body.request.agentRunId === own) {
          const { id, prompt, status: stands } = body.request;
          requests.set(id, { id, prompt: prompt.slice(0, MOST_PREVIEW), status: stands, answer: null });
        }
        break;
      case "request.closed": {
        const request = requests.get(body.requestId);
        const answer = Array.isArray(body.answer) ? body.answer.join(", ") : body.answer;
        if (request) requests.set(request.id, { ...request, status: body.status, answer });
        break;
      }
      case "request.passed_on": {
        const request = requests.get(body.requestId);
        if (request) requests.set(request.id, { ...request, status: "open" });
        break;
      }
    }
  }
  return {
    ...{ variables: context?.variables ?? [], entities: context?.entities ?? [] },
    ...{ status, statusReason, todo, children: [...children.values()], mails: [...mails.values()] },
    tasks: [...tasks.values()].map(({ number, subject, status: stands, agent }) => ({
      number,
      subject,
      status: stands,
      agent,
    })),
    requests: [...requests.values()],
  };
}
