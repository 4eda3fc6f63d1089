import type pg from "pg";
import { agentConfig } from "@/server/agents/schema";
import { isInTheirWords, type StoredEventBody } from "@/server/engine/events";
import { compactionAtCut } from "@/server/engine/fork/compaction-at-cut";
import { forkIds, withIds } from "@/server/engine/fork/fork-ids";
import { messagesAtCut } from "@/server/engine/fork/messages-at-cut";
import { StateAtCut } from "@/server/engine/fork/state-at-cut";
import type { Overrides } from "@/server/engine/overrides";
import { isHeld } from "@/server/engine/state";
import { storedJson } from "@/server/engine/stored-json";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { type CopiedAgent, type ReadRecord, readRecord } from "../queries/read-record";
import { CALL_JSON, USAGE_JOIN } from "../queries/row-json";

/** Rows and events that go in one statement: none may take long on the embedded database. */
const ROWS_A_STATEMENT = 2_000;
/** Why agent runs and the run itself stood still, for the moment between the copy and its resumption. */
const HELD_REASON = "retried from a step";

/** Ordinals of decisions a call takes before its step is recorded, which it takes again when it is made anew. */
const ON_THE_WAY = { from: 50, to: 1_000 };

export type CopyRun = {
  workspaceId: WorkspaceId;
  /** Of the new run. */
  runId: string;
  userId: string | null;
  userName: string;
  source: { runId: string; agentRunId: string; position: number };
  /** The newest event that is kept. */
  seq: number;
  /** A question that stands open at the cut and is about to be answered in the copy, whatever it is about. */
  toAnswer?: string;
  overrides: Overrides;
};

/**
 * Stores a run that is another one as it was at an event: agent runs, messages, steps, decisions, effects, requests, tasks, letters and
 * events up to it, under ids of its own. It is paused, and goes on as any paused run by resume_run(). Inside a transaction of the caller,
 * who looked whether it may run; nobody else knows the new rows before it ends, so no lock order is to be kept, and the source is only read:
 * what was recorded up to the event never changes. Returns ids of the copies by those of the originals.
 */
export async function copyRun(client: pg.ClientBase, copy: CopyRun): Promise<Map<string, string>> {
  const record = await readRecord(client, copy.workspaceId, { runId: copy.source.runId, seq: copy.seq });
  const setAside = setAsideIn(record, copy.toAnswer);
  const lastPositions = new Map<string, number>();
  for (const { a, position } of record.steps) lastPositions.set(a, Math.max(position, lastPositions.get(a) ?? 0));
  const ids = forkIds(copy.runId, record, lastPositions, setAside).set(copy.source.runId, copy.runId);

  await insertRun(client, copy);
  const state = await copyEvents(client, copy, ids);
  const pairs = { old: record.agents.map(({ id }) => id), new: record.agents.map(({ id }) => newId(ids, id)) };
  await insertAgents(client, copy, { record, ids, state });
  await insertDecisions(client, copy, { record, ids, pairs });
  await insertSteps(client, copy, { record, pairs });
  await insertMessages(client, copy, { record, pairs });
  const withdrawn = await insertRequests(client, copy, { record, ids, state, setAside });
  await insertLittle(client, copy, { record, ids, state, pairs });
  await hold(client, copy, { record, ids, state, withdrawn });
  return ids;
}

type Pairs = { old: string[]; new: string[] };

function newId(ids: ReadonlyMap<string, string>, old: string): string {
  const id = ids.get(old);
  if (id === undefined) throw new Error(`the copy of ${old} has no id`);
  return id;
}

/**
 * Requests, with the decisions that led to them, about what is done anew: leave that was given for a call, what became of one, and a share of
 * a limit that begins anew. Found again they would answer for another call than people saw. Not the one that is answered anew.
 */
function setAsideIn({ requests, decisions, steps }: ReadRecord, toAnswer: string | undefined): Set<string> {
  const kept = new Set(steps.filter(({ isKept }) => isKept).map(({ a, position }) => `${a}:${position}`));
  const aside = requests.filter(
    ({ kind, agentRunId, position }) =>
      kind === "budget" ||
      ((kind === "approval" || kind === "uncertain_effect") && !kept.has(`${agentRunId}:${position}`)),
  );
  const places = new Set(aside.map(({ agentRunId, position }) => `${agentRunId}:${position}`));
  const led = decisions.filter(({ agentRunId, position, ordinal }) => {
    const place = `${agentRunId}:${position}`;
    return !kept.has(place) && (places.has(place) || (ordinal >= ON_THE_WAY.from && ordinal < ON_THE_WAY.to));
  });
  const ids = new Set([...aside, ...led].map(({ id }) => id));
  const answered = requests.find(({ id }) => id === toAnswer);
  for (const id of [answered?.id, answered?.decisionId]) if (id) ids.delete(id);
  return ids;
}

async function insertRun(client: pg.ClientBase, { workspaceId, runId, userId, source, seq, overrides }: CopyRun) {
  await client.query(
    `insert into runs (id, workspace_id, team_id, team_version_id, agent_version_id, title, input, model, limits, started_by_id, last_seq,
       forked_from_run_id, forked_at_seq, forked_at_agent_run_id, forked_at_position, overrides)
     select $3, workspace_id, team_id, team_version_id, agent_version_id, title, input, coalesce($9, model), limits, $4, $5, id, $5, $6, $7, $8
     from runs where workspace_id = $1 and id = $2`,
    [
      ...[workspaceId, source.runId, runId, userId, seq, source.agentRunId, source.position],
      ...[JSON.stringify(overrides), overrides.model],
    ],
  );
}

/** The events with the ids of the copies, and what they say was so at the cut. */
async function copyEvents(
  client: pg.ClientBase,
  { workspaceId, runId, source, seq: last }: CopyRun,
  ids: ReadonlyMap<string, string>,
): Promise<StateAtCut> {
  const state = new StateAtCut();
  for (let after = 0; after < last; after += ROWS_A_STATEMENT) {
    const { rows } = await client.query<{ seq: number; a: string | null; kind: string; body: string; at: string }>(
      `select seq, agent_run_id as a, kind, body::text as body, iso(at) as at from events
       where workspace_id = $1 and run_id = $2 and seq > $3 and seq <= $4 order by seq`,
      [workspaceId, source.runId, after, Math.min(last, after + ROWS_A_STATEMENT)],
    );
    const copies = rows.map((row) => {
      const a = row.a === null ? null : newId(ids, row.a);
      const body = isInTheirWords(row.kind) ? (JSON.parse(row.body) as object) : withIds(row.body, ids);
      state.apply(a, { ...body, kind: row.kind } as StoredEventBody);
      return { ...row, a, body };
    });
    await client.query(
      `insert into events (run_id, seq, workspace_id, agent_run_id, kind, body, at)
       select $1, e.seq, $2, e.a, e.kind, e.body, e.at
       from json_to_recordset($3::json) as e(seq int, a uuid, kind text, body jsonb, at timestamptz)`,
      [runId, workspaceId, storedJson(copies)],
    );
  }
  return state;
}

type At = { record: ReadRecord; ids: ReadonlyMap<string, string>; state: StateAtCut };

async function insertAgents(client: pg.ClientBase, { workspaceId, runId }: CopyRun, { record, ids, state }: At) {
  const rows = record.agents.map((agent) => {
    const id = newId(ids, agent.id);
    const at = state.agents.get(id);
    if (!at) throw new Error(`no event tells of agent run ${agent.id}`);
    const goesOn = state.goesOn(id, agent.parentId === null);
    const isHeldAlready = isHeld(at.status);
    return {
      ...{ old: agent.id, id, parent: agent.parentId === null ? null : newId(ids, agent.parentId) },
      status: goesOn && !isHeldAlready ? "paused" : at.status,
      reason: goesOn && !isHeldAlready ? HELD_REASON : at.reason,
      ...{
        ended: !goesOn,
        started: at.hasStarted,
        open: goesOn ? [] : at.openSteps,
        todo: at.todo,
        context: at.context,
      },
      ...{ compaction: compactionOf(record, agent), collected: agent.isCollected },
    };
  });
  await inPieces(rows, (piece) =>
    client.query(
      `insert into agent_runs (id, workspace_id, run_id, parent_id, handle, name, agent_version_id, team_node_id, executor, depth, task,
         status, status_reason, epoch, todo, context, compaction, result, handoff, collected_at, open_steps, created_at, started_at, finished_at)
       select x.id, o.workspace_id, $2, x.parent, o.handle, o.name, o.agent_version_id, o.team_node_id, o.executor, o.depth, o.task,
         x.status, x.reason, o.epoch, x.todo, x.context, x.compaction, case when x.ended then o.result end,
         case when x.ended then o.handoff end,
         case when x.collected then o.collected_at end, x.open, o.created_at, case when x.started then o.started_at end,
         case when x.ended then o.finished_at end
       from json_to_recordset($3::json) as x(old uuid, id uuid, parent uuid, status run_status, reason text, ended boolean,
         started boolean, open jsonb, todo jsonb, context jsonb, compaction jsonb, collected boolean)
       join agent_runs o on o.workspace_id = $1 and o.id = x.old`,
      [workspaceId, runId, storedJson(piece)],
    ),
  );
}

function compactionOf(record: ReadRecord, { id, compaction, config }: CopiedAgent) {
  const summaries = record.steps.flatMap(({ a, kind, isKept, reply }) =>
    a === id && kind === "summary" && isKept && reply !== null ? [reply] : [],
  );
  if (summaries.length === 0) return null;
  const roles = (record.messages.get(id) ?? []).map(({ role }) => role);
  return compactionAtCut(roles, summaries, compaction, agentConfig.parse(config).compaction.preserveLastN);
}

type Rows = { record: ReadRecord; pairs: Pairs };

async function insertDecisions(
  client: pg.ClientBase,
  { workspaceId, runId }: CopyRun,
  { record, ids, pairs }: Rows & { ids: ReadonlyMap<string, string> },
) {
  await inPieces(record.decisions, (piece) =>
    client.query(
      `insert into decisions (id, workspace_id, run_id, agent_run_id, position, ordinal, kind, options_hash, chosen, reason, source,
         cost_so_far_nano_usd, at)
       select x.id, d.workspace_id, $2, a.new, d.position, d.ordinal, d.kind, d.options_hash, d.chosen, d.reason, d.source,
         d.cost_so_far_nano_usd, d.at
       from unnest($3::uuid[], $4::uuid[]) as x(old, id) join decisions d on d.workspace_id = $1 and d.id = x.old
       join unnest($5::uuid[], $6::uuid[]) as a(old, new) on a.old = d.agent_run_id`,
      [
        ...[workspaceId, runId, piece.map(({ id }) => id), piece.map(({ id }) => newId(ids, id))],
        ...[pairs.old, pairs.new],
      ],
    ),
  );
  const spawned = record.agents.filter(({ spawnedById }) => spawnedById !== null);
  await client.query(
    `update agent_runs set spawned_by_id = x.decision from unnest($2::uuid[], $3::uuid[]) as x(id, decision)
     where agent_runs.workspace_id = $1 and agent_runs.id = x.id`,
    [
      ...[workspaceId, spawned.map(({ id }) => newId(ids, id))],
      spawned.map(({ spawnedById }) => newId(ids, spawnedById ?? "")),
    ],
  );
}

async function insertSteps(client: pg.ClientBase, { workspaceId, runId }: CopyRun, { record, pairs }: Rows) {
  const kept = record.steps.filter(({ isKept }) => isKept);
  await inPieces(kept, (piece) =>
    client.query(
      `insert into steps (agent_run_id, position, workspace_id, run_id, turn, kind, name, status, error, call_id, request_messages,
         reply_message, request_hash, input_bytes, output_bytes, epoch, started_at, finished_at, reused)
       select a.new, s.position, s.workspace_id, $2, s.turn, s.kind, s.name, s.status, s.error, s.call_id, s.request_messages,
         s.reply_message, s.request_hash, s.input_bytes, s.output_bytes, s.epoch, s.started_at, s.finished_at,
         coalesce(s.reused, jsonb_build_object('inputTokens', coalesce(c.input_tokens, 0), 'outputTokens',
           coalesce(c.output_tokens, 0), 'costNanoUsd', c.cost_nano_usd)
           || CASE WHEN c.agent_run_id IS NULL THEN '{}' ELSE jsonb_build_object('call', ${CALL_JSON}) END)
       from unnest($3::uuid[], $4::int[]) as x(a, position)
       join steps s on s.workspace_id = $1 and s.agent_run_id = x.a and s.position = x.position
       join unnest($5::uuid[], $6::uuid[]) as a(old, new) on a.old = s.agent_run_id
       ${USAGE_JOIN}`,
      [workspaceId, runId, piece.map(({ a }) => a), piece.map(({ position }) => position), pairs.old, pairs.new],
    ),
  );
  // What lies beside a step in a row of its own.
  for (const [table, column] of [
    ["retrievals", "passages"],
    ["reasonings", "text"],
  ]) {
    await inPieces(kept, (piece) =>
      client.query(
        `insert into ${table} (agent_run_id, position, workspace_id, ${column})
         select a.new, t.position, t.workspace_id, t.${column} from unnest($2::uuid[], $3::int[]) as x(a, position)
         join ${table} t on t.workspace_id = $1 and t.agent_run_id = x.a and t.position = x.position
         join unnest($4::uuid[], $5::uuid[]) as a(old, new) on a.old = t.agent_run_id`,
        [workspaceId, piece.map(({ a }) => a), piece.map(({ position }) => position), pairs.old, pairs.new],
      ),
    );
  }
  // Their outcome is that of the step: what a step in flight began is begun anew, under a key of its own. What was sent went under the old one.
  await inPieces(kept, (piece) =>
    client.query(
      `insert into effects (key, workspace_id, run_id, agent_run_id, position, tool, arguments_hash, honours_key, status, epoch,
         intended_at, settled_at, call_key, strategy, sent_key, repeats_agent_run_id, repeats_position)
       select a.new || substr(f.key, 37), f.workspace_id, $2, a.new, f.position, f.tool, f.arguments_hash, f.honours_key, f.status,
         f.epoch, f.intended_at, f.settled_at, f.call_key, f.strategy,
         case when f.status in ('repeated', 'refused') then f.sent_key else coalesce(f.sent_key, f.key) end,
         coalesce(b.new, f.repeats_agent_run_id), f.repeats_position
       from unnest($3::uuid[], $4::int[]) as x(a, position)
       join effects f on f.workspace_id = $1 and f.agent_run_id = x.a and f.position = x.position
       join unnest($5::uuid[], $6::uuid[]) as a(old, new) on a.old = f.agent_run_id
       left join unnest($5::uuid[], $6::uuid[]) as b(old, new) on b.old = f.repeats_agent_run_id`,
      [workspaceId, runId, piece.map(({ a }) => a), piece.map(({ position }) => position), pairs.old, pairs.new],
    ),
  );
}

async function insertMessages(client: pg.ClientBase, { workspaceId }: CopyRun, { record, pairs }: Rows) {
  const kept = record.agents.flatMap(({ id: a }) => {
    const steps = record.steps.filter((step) => step.a === a);
    const of = (kind: string) =>
      record.decisions.filter((decision) => decision.agentRunId === a && decision.what === kind);
    const indexes = messagesAtCut({
      messages: record.messages.get(a) ?? [],
      steps,
      phases: { all: record.phases.get(a) ?? 0, kept: of("phase").length },
      sentOn: of("sent on").map(({ position }) => position),
    });
    return indexes.map((index) => ({ a, index }));
  });
  await inPieces(kept, (piece) =>
    client.query(
      `insert into messages (agent_run_id, index, workspace_id, role, content)
       select a.new, m.index, m.workspace_id, m.role, m.content from unnest($2::uuid[], $3::int[]) as x(a, index)
       join messages m on m.workspace_id = $1 and m.agent_run_id = x.a and m.index = x.index
       join unnest($4::uuid[], $5::uuid[]) as a(old, new) on a.old = m.agent_run_id`,
      [workspaceId, piece.map(({ a }) => a), piece.map(({ index }) => index), pairs.old, pairs.new],
    ),
  );
}

/** Returns the open ones nobody will wait for: they are withdrawn. */
async function insertRequests(
  client: pg.ClientBase,
  { workspaceId, runId }: CopyRun,
  { record, ids, state, setAside }: At & { setAside: ReadonlySet<string> },
): Promise<{ id: string; agentRunId: string }[]> {
  const withdrawn: { id: string; agentRunId: string }[] = [];
  const rows = record.requests.map((request) => {
    const id = newId(ids, request.id);
    const at = state.requests.get(id);
    const agentRunId = newId(ids, request.agentRunId);
    const isOpen = at?.status === "open" || at?.status === "escalated";
    if (isOpen && setAside.has(request.id)) withdrawn.push({ id, agentRunId });
    return {
      ...{ old: request.id, id, a: agentRunId, decision: request.decisionId && newId(ids, request.decisionId) },
      ...{ status: at?.status, isOpen, deadline: at?.deadlineAt ?? null, until: at?.escalatedUntil ?? null },
      assignee: at?.assigneeId ?? null,
      by: request.answeredByAgentId && (ids.get(request.answeredByAgentId) ?? null),
    };
  });
  // Agents above have not been told of the copies, whose short names are others.
  await inPieces(rows, (piece) =>
    client.query(
      `insert into human_requests (id, workspace_id, run_id, agent_run_id, position, decision_id, kind, prompt, options, schema, call,
         arguments_hash, assignee_id, deadline_at, default_answer, status, escalated_until, answer, answered_by_id,
         answered_by_agent_id, answered_at, created_at)
       select x.id, q.workspace_id, $2, x.a, q.position, x.decision, q.kind, q.prompt, q.options, q.schema, q.call, q.arguments_hash,
         x.assignee, x.deadline, q.default_answer, x.status, x.until, case when not x."isOpen" then q.answer end,
         case when not x."isOpen" then q.answered_by_id end, case when not x."isOpen" then x.by end,
         case when not x."isOpen" then q.answered_at end, q.created_at
       from json_to_recordset($3::json) as x(old uuid, id uuid, a uuid, decision uuid, status text, "isOpen" boolean,
         deadline timestamptz, until timestamptz, by uuid, assignee uuid)
       join human_requests q on q.workspace_id = $1 and q.id = x.old`,
      [workspaceId, runId, JSON.stringify(piece)],
    ),
  );
  return withdrawn;
}

/** Of what a run has few: tasks, letters, what people said to its agents, and the passages they were shown. */
async function insertLittle(
  client: pg.ClientBase,
  { workspaceId, runId, source, seq }: CopyRun,
  { record, ids, state, pairs }: At & { pairs: Pairs },
) {
  const tasks = [...state.tasks.values()];
  await inPieces(tasks, (piece) =>
    client.query(
      `insert into tasks (agent_run_id, number, workspace_id, run_id, subject, description, status, blocked_by, agent, prompt, child_id,
         is_automatic, created_at, finished_at)
       select x."agentRunId", x.number, $1, $2, x.subject, x.description, x.status, x."blockedBy", x.agent, x.prompt, x."childId",
         x."isAutomatic", x."createdAt", x."finishedAt"
       from json_to_recordset($3::json) as x("agentRunId" uuid, number int, subject text, description text, status text, "blockedBy" jsonb,
         agent text, prompt text, "childId" uuid, "isAutomatic" boolean, "createdAt" timestamptz, "finishedAt" timestamptz)`,
      [workspaceId, runId, storedJson(piece)],
    ),
  );
  const mails = record.mails.map(({ id: old, fromId, toId }) => {
    const id = newId(ids, old);
    return { old, id, from: newId(ids, fromId), to: newId(ids, toId), read: state.readMails.has(id) };
  });
  await inPieces(mails, (piece) =>
    client.query(
      `insert into mails (id, workspace_id, run_id, from_id, to_id, kind, text, sent_at, read_at)
       select x.id, m.workspace_id, $2, x.from, x.to, m.kind, m.text, m.sent_at, case when x.read then m.read_at end
       from json_to_recordset($3::json) as x(old uuid, id uuid, "from" uuid, "to" uuid, read boolean)
       join mails m on m.workspace_id = $1 and m.id = x.old`,
      [workspaceId, runId, JSON.stringify(piece)],
    ),
  );
  const steers = record.steers.map(({ id: old, isRead }) => ({ old, id: newId(ids, old), read: isRead }));
  await inPieces(steers, (piece) =>
    client.query(
      `insert into steers (id, workspace_id, run_id, agent_run_id, author, text, clears_todo, created_at, read_at)
       select x.id, s.workspace_id, $2, a.new, s.author, s.text, s.clears_todo, s.created_at, case when x.read then s.read_at end
       from json_to_recordset($3::json) as x(old uuid, id uuid, read boolean)
       join steers s on s.workspace_id = $1 and s.id = x.old
       join unnest($4::uuid[], $5::uuid[]) as a(old, new) on a.old = s.agent_run_id`,
      [workspaceId, runId, JSON.stringify(piece), pairs.old, pairs.new],
    ),
  );
  await client.query(
    `insert into citations (run_id, mark, workspace_id, agent_run_id, chunk_id, base_id, document_id, document_name, heading, page, text,
       scores, at)
     select $2, c.mark, c.workspace_id, a.new, c.chunk_id, c.base_id, c.document_id, c.document_name, c.heading, c.page, c.text,
       c.scores, c.at
     from citations c join unnest($5::uuid[], $6::uuid[]) as a(old, new) on a.old = c.agent_run_id
     where c.workspace_id = $1 and c.run_id = $3
       and c.at <= (select at from events where workspace_id = $1 and run_id = $3 and seq = $4)`,
    [workspaceId, runId, source.runId, seq, pairs.old, pairs.new],
  );
}

/** Makes unanswered requests nobody's whose assignee may no longer answer; returns them. Whoever may stays so until the transaction ends. */
async function unassignStrangers(
  client: pg.ClientBase,
  { workspaceId, runId }: CopyRun,
): Promise<{ id: string; agentRunId: string }[]> {
  const { rows } = await client.query<{ id: string; agentRunId: string }>(
    `with able as (
       select user_id from members where workspace_id = $1 and role <> 'viewer' and user_id in (
         select assignee_id from human_requests where workspace_id = $1 and run_id = $2 and status in ('open', 'escalated'))
       for share)
     update human_requests set assignee_id = null
     where workspace_id = $1 and run_id = $2 and status in ('open', 'escalated') and assignee_id is not null
       and assignee_id not in (select user_id from able)
     returning id, agent_run_id as "agentRunId"`,
    [workspaceId, runId],
  );
  return rows;
}

/** Pauses the copy as of the cut, so that resume_run() takes it up: deadlines stood still since then. */
async function hold(
  client: pg.ClientBase,
  copy: CopyRun,
  { record, ids, state, withdrawn }: At & { withdrawn: readonly { id: string; agentRunId: string }[] },
) {
  const { workspaceId, runId, seq } = copy;
  const open = [...state.requests.values()].filter(({ status }) => status === "open").length;
  // What is recorded here belongs to the copying: webhooks are told of the fork alone.
  await client.query("select set_config('troupe.untold', 'on', true)");
  await client.query(
    `update runs set status = $3, status_reason = $4, open_requests = $5,
       held_at = coalesce($6::timestamptz, (select at from events where workspace_id = $1 and run_id = $2 and seq = $7))
     where workspace_id = $1 and id = $2`,
    [workspaceId, runId, state.status, state.reason, open, state.heldAt, seq],
  );
  const { rows } = await client.query<{ at: string }>(
    `with closed as (
       update human_requests set status = 'withdrawn', answered_at = now() where workspace_id = $1 and id = any($2::uuid[]))
     select iso(now()) as at`,
    [workspaceId, withdrawn.map(({ id }) => id)],
  );
  const at = rows[0]?.at ?? "";
  const unassigned = await unassignStrangers(client, copy);
  const wasOpen = withdrawn.filter(({ id }) => state.requests.get(id)?.status === "open").length;
  const moving = record.agents
    .map(({ id, parentId }) => ({ id: newId(ids, id), isRoot: parentId === null }))
    .filter(({ id, isRoot }) => state.goesOn(id, isRoot) && !isHeld(state.agents.get(id)?.status ?? "queued"));
  const held = { status: "paused", reason: HELD_REASON, at };
  const isHeldAlready = isHeld(state.status);
  const nothing = { answer: null, answeredBy: null, answeredByAgentId: null };
  const events = [
    ...withdrawn.map(({ id, agentRunId }) => ({
      ...{ r: runId, a: agentRunId, kind: "request.closed" },
      body: { requestId: id, status: "withdrawn", ...nothing, at },
    })),
    ...unassigned.map(({ id, agentRunId }) => ({
      ...{ r: runId, a: agentRunId, kind: "request.assigned" },
      body: { requestId: id, assignee: null, by: copy.userName, at },
    })),
    ...moving.map(({ id }) => ({ r: runId, a: id, kind: "agent.status", body: held })),
    ...(isHeldAlready ? [] : [{ r: runId, kind: "run.status", body: { ...held, answer: null } }]),
  ];
  if (events.length > 0) {
    const moved = isHeldAlready ? {} : { status: held.status, reason: held.reason };
    const heads = [{ ...{ r: runId, requests: -wasOpen }, ...moved }];
    await client.query("select append_events($1, $2)", [JSON.stringify(events), JSON.stringify(heads)]);
  }
  await client.query("select set_config('troupe.untold', 'off', true), tell_created($1)", [runId]);
}

async function inPieces<T>(rows: readonly T[], insert: (piece: T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    await insert(rows.slice(from, from + ROWS_A_STATEMENT));
  }
}
