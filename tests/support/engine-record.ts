import { expect } from "vitest";
import { pool } from "@/server/db";
import { REASON_SOURCES, type RunEvent, runEventBody } from "@/server/engine/events";
import { canFollow, isTerminal, type RunStatus } from "@/server/engine/state";
import { findBlobs } from "@/server/runs/queries/blobs";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import { getLastSeq, listEventsAfter } from "@/server/runs/queries/list-events";
import { listMessages } from "@/server/runs/queries/messages";
import type { RunTree } from "@/server/runs/schema";
import type { Scope } from "@/server/workspaces/scope";
import { expectRowsToSay } from "./fold-events";

type Options = { key: string; label: string }[];
export type Record = RunTree & {
  events: RunEvent[];
  /** Options as they were offered, by decision. */
  offered: Map<string, Options>;
  root: RunTree["agents"][number];
  /** The agent run of that name; of several the first. */
  agent(name: string): RunTree["agents"][number];
};

/** Times a run that goes on meanwhile is read. */
const MOST_READINGS = 20;

/** All that is stored about a run, after checking that it holds together. Read again while something is recorded meanwhile. */
export async function soundRecord(scope: Scope, runId: string): Promise<Record> {
  for (let reading = 1; ; reading++) {
    const tree = await getRunTree(scope.workspaceId, runId);
    try {
      return await judge(scope, runId, tree);
    } catch (error) {
      const isStill = (await getLastSeq(scope.workspaceId, runId)) === tree.lastSeq;
      if (isStill || reading === MOST_READINGS) throw error;
    }
  }
}

async function judge(scope: Scope, runId: string, tree: RunTree): Promise<Record> {
  const events = await listEventsAfter(scope.workspaceId, { runId, seq: 0, limit: 10_000 });
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: tree.lastSeq }, (_, i) => i + 1));
  for (const { body } of events) runEventBody.parse(body);
  // An event tells the beginning of a task, the row has all of it.
  const agents = tree.agents.map((one) => ({ ...one, task: one.task.slice(0, 200) }));
  expectRowsToSay({ ...tree, agents }, withTimesOfRows(tree, events));
  expectMoneyToAddUp(tree, await usagesOf(runId));
  await expectCompactionsToBeWhole(tree);
  const offered = await offeredIn(scope, runId);
  expectDecisionsToBeWhole(tree, offered);
  expectTreeToHang(tree);
  expectMovesToBeAllowed(events);
  if (isTerminal(tree.run.status)) {
    expectNothingLeft(tree, events);
    await expectNothingReserved(runId);
  }
  const [root] = tree.agents.filter(({ parentId }) => parentId === null);
  if (!root) throw new Error("a run without a root");
  const agent = (name: string) => {
    const found = tree.agents.find((one) => one.name === name);
    if (!found) throw new Error(`no agent run is named ${name}`);
    return found;
  };
  return { ...tree, events, offered, root, agent };
}

/** What the tools answered an agent, in order, parsed. */
export async function toolResults(scope: Scope, agentRunId: string): Promise<{ [key: string]: unknown }[]> {
  const messages = await listMessages(scope.workspaceId, { agentRunId, from: 0, to: 10_000 });
  return messages.filter(({ role }) => role === "tool").map(({ content }) => JSON.parse(content ?? "null"));
}

/**
 * A row's times come from the database and its event's from the worker, which follows the database's clock to a few
 * milliseconds: close is enough, and then they count as the same.
 */
function withTimesOfRows({ agents, requests, mails }: RunTree, events: readonly RunEvent[]): RunEvent[] {
  const same = (told: string, row: string | null | undefined) => {
    expect(Math.abs(Date.parse(told) - Date.parse(row ?? ""))).toBeLessThan(5_000);
    return row ?? told;
  };
  const started = new Set<string | null>();
  return events.map((event) => {
    const { body } = event;
    const agent = agents.find(({ id }) => id === event.agentRunId);
    if (body.kind === "agent.created") {
      return {
        ...event,
        body: { ...body, agent: { ...body.agent, createdAt: same(body.agent.createdAt, agent?.createdAt) } },
      };
    }
    if (body.kind === "agent.status" && body.status === "running" && !started.has(event.agentRunId)) {
      started.add(event.agentRunId);
      return { ...event, body: { ...body, at: same(body.at, agent?.startedAt) } };
    }
    if (body.kind === "agent.status" && isTerminal(body.status)) {
      return { ...event, body: { ...body, at: same(body.at, agent?.finishedAt) } };
    }
    if (body.kind === "request.closed") {
      const row = requests.find(({ id }) => id === body.requestId);
      return { ...event, body: { ...body, at: same(body.at, row?.answeredAt) } };
    }
    if (body.kind === "mail.read") {
      return { ...event, body: { ...body, at: same(body.at, mails.find(({ id }) => id === body.mailIds[0])?.readAt) } };
    }
    if (body.kind === "request.opened") {
      const row = requests.find(({ id }) => id === body.request.id);
      return {
        ...event,
        body: { ...body, request: { ...body.request, createdAt: same(body.request.createdAt, row?.createdAt) } },
      };
    }
    return event;
  });
}

type UsageRow = { agent_run_id: string; position: number; input: number; output: number; cost: string | null };

async function usagesOf(runId: string): Promise<UsageRow[]> {
  const { rows } = await pool().query<UsageRow>(
    "select agent_run_id, position, input_tokens as input, output_tokens as output, cost_nano_usd as cost from usages where run_id = $1",
    [runId],
  );
  return rows;
}

/**
 * Totals are the sums of the calls: of the run, and of each agent run; and each call is counted at one step, which says the same. A step
 * has a usage when a model answered in it: an agent's, or one of the engine's own, which leaves a decision.
 */
function expectMoneyToAddUp({ run, agents, steps, decisions }: RunTree, usages: readonly UsageRow[]): void {
  const sums = (rows: readonly UsageRow[]) => ({
    inputTokens: rows.reduce((sum, { input }) => sum + input, 0),
    outputTokens: rows.reduce((sum, { output }) => sum + output, 0),
    costNanoUsd: rows.reduce((sum, { cost }) => sum + Number(cost ?? 0), 0),
  });
  expect(run).toMatchObject({ ...sums(usages), unpricedCalls: usages.filter(({ cost }) => cost === null).length });
  for (const agent of agents) {
    expect(agent).toMatchObject(sums(usages.filter(({ agent_run_id }) => agent_run_id === agent.id)));
  }
  const placeOf = (row: { agentRunId: string; position: number }) => `${row.agentRunId}:${row.position}`;
  const condensed = new Set(decisions.filter(({ kind }) => kind === "summary" || kind === "compaction").map(placeOf));
  const used = new Map(usages.map((usage) => [placeOf({ ...usage, agentRunId: usage.agent_run_id }), usage]));
  for (const step of steps) {
    const usage = used.get(placeOf(step));
    const told = [step.inputTokens, step.outputTokens, step.costNanoUsd];
    expect(told).toEqual([usage?.input ?? 0, usage?.output ?? 0, usage?.cost == null ? null : Number(usage.cost)]);
    const isModels = step.kind === "model" || step.kind === "summary";
    // What a copied step used was counted in the run it was made in.
    if (step.reused) expect(usage, `usage of the copied step ${placeOf(step)}`).toBeUndefined();
    else if (isModels && step.status === "completed") expect(usage, `usage of step ${placeOf(step)}`).toBeDefined();
    else if (usage) expect(condensed).toContain(placeOf(step));
    used.delete(placeOf(step));
  }
  expect([...used.keys()]).toEqual([]);
}

/** Each summary of a conversation has a step, and the newest is the one in force. */
async function expectCompactionsToBeWhole({ run, steps }: RunTree): Promise<void> {
  const { rows } = await pool().query<{
    id: string;
    compaction: { summary: number; from: number } | null;
    found: number[];
  }>(
    `select id, compaction,
       array(select index from messages m where m.agent_run_id = ar.id and role = 'system' and index > 0 order by index) as found
     from agent_runs ar where run_id = $1`,
    [run.id],
  );
  for (const { id, compaction, found } of rows) {
    const made = steps.filter(
      (step) => step.agentRunId === id && step.kind === "summary" && step.status === "completed",
    );
    expect(found).toHaveLength(made.length);
    expect(compaction?.summary).toBe(found.at(-1));
    if (compaction) expect(compaction.from).toBeLessThan(compaction.summary);
  }
}

async function offeredIn(scope: Scope, runId: string): Promise<Map<string, Options>> {
  const { rows } = await pool().query<{ id: string; hash: string | null }>(
    "select id, options_hash as hash from decisions where run_id = $1",
    [runId],
  );
  const blobs = await findBlobs(
    scope.workspaceId,
    rows.flatMap(({ hash }) => hash ?? []),
  );
  return new Map(rows.map(({ id, hash }) => [id, JSON.parse(blobs.get(hash ?? "") ?? "[]") as Options]));
}

/** Every decision has the options it was taken from, a source, and a reason exactly where one was stated. */
function expectDecisionsToBeWhole({ decisions }: RunTree, offered: Map<string, Options>): void {
  for (const decision of decisions) {
    expect(offered.get(decision.id)?.length, `options of ${decision.kind}`).toBeGreaterThan(0);
    expect(decision.chosen.length).toBeGreaterThan(0);
    expect(REASON_SOURCES).toContain(decision.source);
    if (decision.source === "not-stated") expect(decision.reason).toBeNull();
    else expect(decision.reason).toMatch(/\w/);
  }
}

/** A child's edge goes to the decision that started it, taken by its parent or by the queue of its tasks. */
function expectTreeToHang({ agents, decisions }: RunTree): void {
  for (const agent of agents) {
    if (agent.parentId === null) {
      expect(agent).toMatchObject({ depth: 0, spawnedById: null });
      continue;
    }
    const spawnedBy = decisions.find(({ id }) => id === agent.spawnedById);
    expect(["delegate", "dispatch"]).toContain(spawnedBy?.kind);
    expect(spawnedBy?.agentRunId).toBe(agent.parentId);
    expect(spawnedBy?.chosen.map(({ option }) => option)).toContain(`agent:${agent.name}`);
  }
}

/** The run and each agent run of it moved as state.ts allows. Whoever takes one over may say again what it is. */
function expectMovesToBeAllowed(events: readonly RunEvent[]): void {
  const statuses = new Map<string | null, RunStatus>([[null, "queued"]]);
  const refused: string[] = [];
  for (const { seq, agentRunId, body } of events) {
    if (body.kind === "agent.created") statuses.set(agentRunId, body.agent.status);
    if (body.kind !== "agent.status" && body.kind !== "run.status") continue;
    const whose = body.kind === "run.status" ? null : agentRunId;
    const from = statuses.get(whose);
    if (from && from !== body.status && !canFollow(from, body.status)) {
      refused.push(`${seq}: ${whose ?? "the run"} went from ${from} to ${body.status}`);
    }
    if (from === body.status && isTerminal(from)) refused.push(`${seq}: ${whose ?? "the run"} ended twice`);
    statuses.set(whose, body.status);
  }
  expect(refused).toEqual([]);
}

/** What has ended has nothing open, and the end is the last that was said of it. */
function expectNothingLeft({ run, agents, requests, liveTexts }: RunTree, events: readonly RunEvent[]): void {
  expect(agents.filter(({ status }) => !isTerminal(status))).toEqual([]);
  expect(agents.filter(({ openSteps }) => openSteps.length)).toEqual([]);
  expect(requests.filter(({ status }) => status === "open" || status === "escalated")).toEqual([]);
  expect(run.openRequests).toBe(0);
  expect(liveTexts).toEqual([]);
  expect(events.at(-1)?.body).toMatchObject({ kind: "run.status", status: run.status });
}

/** No call is under way any more, so nothing is kept aside for one. */
async function expectNothingReserved(runId: string): Promise<void> {
  const { rows } = await pool().query(
    "select agent_run_id, position from reservations where run_id = $1 and status = 'reserved'",
    [runId],
  );
  expect(rows).toEqual([]);
}
