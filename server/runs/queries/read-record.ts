import type { Compaction } from "@/server/engine/journal/opened";
import type { ModelMessage } from "@/server/models/model";
import { ofRun } from "@/server/runs/queries/of-run";
import type { Reader } from "@/server/transaction";
import type { WorkspaceId } from "@/server/workspaces/scope";

export type CopiedAgent = {
  id: string;
  parentId: string | null;
  spawnedById: string | null;
  /** As it is now, not as it was at the cut. */
  compaction: Compaction | null;
  config: unknown;
  /** Its result had been given to its parent. */
  isCollected: boolean;
};

/** What of a run was there at an event, by reference. Agent runs with each parent before its children. */
export type ReadRecord = {
  agents: CopiedAgent[];
  /** All of the run's; kept are those recorded by then. `sent`: how many messages were there; `reply`: the one that came back. */
  steps: {
    a: string;
    position: number;
    kind: string;
    sent: number | null;
    reply: number | null;
    isKept: boolean;
  }[];
  /** All of the run's, by agent run, in order. */
  messages: Map<string, { index: number; role: ModelMessage["role"] }[]>;
  decisions: {
    id: string;
    agentRunId: string;
    position: number;
    ordinal: number;
    /** `phase`: the engine gave out a phase, for a delegation that is not at a model call. `sent on`: an answer was not taken while items were open. */
    what: "phase" | "sent on" | null;
  }[];
  /** How many phases each root that the engine leads has given out by now. */
  phases: Map<string, number>;
  requests: {
    id: string;
    agentRunId: string;
    position: number;
    kind: string;
    decisionId: string | null;
    answeredByAgentId: string | null;
  }[];
  mails: { id: string; fromId: string; toId: string }[];
  steers: { id: string; isRead: boolean }[];
};

const UP_TO = "e.workspace_id = $1 AND e.run_id = $2 AND e.seq <= $3";

/** Reads what `copyRun` copies, up to event `seq`. One statement a table, whatever the run's size. */
export async function readRecord(
  reader: Reader,
  workspaceId: WorkspaceId,
  { runId, seq }: { runId: string; seq: number },
): Promise<ReadRecord> {
  const upTo = [workspaceId, runId, seq];
  const whole = [workspaceId, runId];
  // Joined here: the database would look through all events anew for each of them, as it cannot know what is in their bodies.
  const { rows: finished } = await reader.query<{ a: string; position: number; at: string }>(
    `SELECT e.agent_run_id AS a, (e.body -> 'position')::int AS position, iso(e.at) AS at
     FROM events e WHERE ${UP_TO} AND e.kind = 'step.finished' ORDER BY e.seq`,
    upTo,
  );
  const kept = new Set(finished.map(({ a, position }) => `${a}:${position}`));
  const { rows: agents } = await reader.query<Omit<CopiedAgent, "isCollected"> & { collectedAt: string | null }>(
    `SELECT a.id, a.parent_id AS "parentId", a.spawned_by_id AS "spawnedById", a.compaction, v.config,
       iso(a.collected_at) AS "collectedAt"
     FROM events e JOIN agent_runs a ON a.workspace_id = e.workspace_id AND a.id = (e.body -> 'agent' ->> 'id')::uuid
     JOIN agent_versions v ON v.workspace_id = a.workspace_id AND v.id = a.agent_version_id
     WHERE ${UP_TO} AND e.kind = 'agent.created' ORDER BY e.seq`,
    upTo,
  );
  const { rows: steps } = await reader.query<Omit<ReadRecord["steps"][number], "isKept">>(
    `SELECT s.agent_run_id AS a, s.position, s.kind, s.request_messages AS sent, s.reply_message AS reply
     FROM steps s WHERE s.workspace_id = $1 AND ${ofRun("s", "$2")} ORDER BY s.agent_run_id, s.position`,
    whole,
  );
  const { rows: messages } = await reader.query<{ a: string; index: number; role: ModelMessage["role"] }>(
    `SELECT m.agent_run_id AS a, m.index, m.role FROM agent_runs a
     JOIN messages m ON m.workspace_id = a.workspace_id AND m.agent_run_id = a.id
     WHERE a.workspace_id = $1 AND a.run_id = $2 ORDER BY m.agent_run_id, m.index`,
    whole,
  );
  const { rows: decisions } = await reader.query<ReadRecord["decisions"][number] & { isKept: boolean; at: string }>(
    `SELECT d.id, d.agent_run_id AS "agentRunId", e.seq <= $3 AS "isKept", iso(e.at) AS at, d.position, d.ordinal,
       CASE WHEN d.kind = 'delegate' AND NOT EXISTS (SELECT FROM steps s
           WHERE s.agent_run_id = d.agent_run_id AND s.position = d.position AND s.kind = 'model') THEN 'phase'
         WHEN d.kind = 'continue' AND d.chosen -> 0 ->> 'option' = 'send_on' THEN 'sent on' END AS what
     FROM events e JOIN decisions d ON d.workspace_id = e.workspace_id AND d.id = (e.body ->> 'id')::uuid
     WHERE e.workspace_id = $1 AND e.run_id = $2 AND e.kind = 'decision.made' ORDER BY e.seq`,
    upTo,
  );
  const { rows: requests } = await reader.query<ReadRecord["requests"][number]>(
    `SELECT q.id, q.agent_run_id AS "agentRunId", q.position, q.kind, q.decision_id AS "decisionId",
       q.answered_by_agent_id AS "answeredByAgentId"
     FROM events e JOIN human_requests q ON q.workspace_id = e.workspace_id AND q.id = (e.body -> 'request' ->> 'id')::uuid
     WHERE ${UP_TO} AND e.kind = 'request.opened' ORDER BY e.seq`,
    upTo,
  );
  const { rows: mails } = await reader.query<ReadRecord["mails"][number]>(
    `SELECT e.body -> 'mail' ->> 'id' AS id, e.body -> 'mail' ->> 'fromId' AS "fromId", e.body -> 'mail' ->> 'toId' AS "toId"
     FROM events e WHERE ${UP_TO} AND e.kind = 'mail.sent' ORDER BY e.seq`,
    upTo,
  );
  // What a person said has a decision in its commit. It was read before the newest kept call over the whole conversation was recorded, or
  // with a phase that an engine-led root gave out; in doubt it is said again.
  const { rows: steers } = await reader.query<{ id: string; a: string; saidAt: string; readAt: string | null }>(
    `SELECT s.id, s.agent_run_id AS a, iso(s.created_at) AS "saidAt", iso(s.read_at) AS "readAt"
     FROM steers s WHERE s.workspace_id = $1 AND s.run_id = $2 ORDER BY s.created_at, s.id`,
    whole,
  );
  const said = new Set(decisions.filter(({ isKept }) => isKept).map(({ agentRunId, at }) => `${agentRunId} ${at}`));
  const calls = new Set(
    steps.filter(({ kind }) => kind === "model" || kind === "summary").map(({ a, position }) => `${a}:${position}`),
  );
  const lastCall = new Map(
    finished.flatMap(({ a, position, at }) => (calls.has(`${a}:${position}`) ? [[a, at] as const] : [])),
  );
  const lastPhase = new Map(
    decisions.flatMap(({ agentRunId, what, isKept, at }) =>
      what === "phase" && isKept ? [[agentRunId, at] as const] : [],
    ),
  );
  const isRead = (a: string, readAt: string) => readAt < (lastCall.get(a) ?? "") || readAt <= (lastPhase.get(a) ?? "");
  const talks: ReadRecord["messages"] = new Map();
  for (const { a, ...message } of messages) {
    const talk = talks.get(a) ?? [];
    talks.set(a, talk);
    talk.push(message);
  }
  const phases = new Map<string, number>();
  for (const { agentRunId, what } of decisions) {
    if (what === "phase") phases.set(agentRunId, (phases.get(agentRunId) ?? 0) + 1);
  }
  // A child is collected in the commit of its parent's step.
  const commits = new Set(finished.map(({ a, at }) => `${a} ${at}`));
  return {
    ...{ phases, requests, mails, messages: talks },
    agents: agents.map(({ collectedAt, ...agent }) => ({
      ...agent,
      isCollected: commits.has(`${agent.parentId} ${collectedAt}`),
    })),
    steps: steps.map((step) => ({ ...step, isKept: kept.has(`${step.a}:${step.position}`) })),
    steers: steers
      .filter(({ a, saidAt }) => said.has(`${a} ${saidAt}`))
      .map(({ id, a, readAt }) => ({ id, isRead: readAt !== null && isRead(a, readAt) })),
    decisions: decisions.filter(({ isKept }) => isKept),
  };
}
