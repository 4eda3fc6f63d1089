import type { StoredEventBody } from "../events";
import { storedJson } from "../stored-json";
import type { JournalOwner, JournalUnit } from "./unit";

export type OwnedUnit = { owner: JournalOwner; unit: JournalUnit; isFollowed?: boolean };

type Row = Record<string, unknown>;
/** What becomes columns of the agent run's own row. */
type AgentColumns = Omit<
  NonNullable<JournalUnit["agent"]>,
  "collected" | "read" | "told" | "inbox" | "todo" | "context" | "compaction" | "handoff"
>;
type Agent = AgentColumns & { a: string };
type Head = NonNullable<JournalUnit["head"]> & { r: string };

const json = (rows: readonly unknown[]) => (rows.length ? storedJson(rows) : null);

/** The parameters of one journal_write(): rows of many units by table, sums and last values where units share a row. */
export function batchParameters(units: readonly OwnedUnit[]): (string | null)[] {
  const owners = new Map<string, Row>();
  const agents = new Map<string, Agent>();
  const heads = new Map<string, Head>();
  const blobs: Row[] = [];
  const decisions: Row[] = [];
  const children: Row[] = [];
  const steps: Row[] = [];
  const messages: Row[] = [];
  const usages: Row[] = [];
  const effects: Row[] = [];
  const requests: Row[] = [];
  const aborts: Row[] = [];
  const events: Row[] = [];
  const rest: Record<string, Row[]> = {};
  const add = (name: string, rows: readonly Row[] | undefined) => {
    if (!rows?.length) return;
    rest[name] ??= [];
    rest[name].push(...rows);
  };

  const ended = endedIn(units);
  for (const { owner, unit } of units) {
    const a = owner.agentRunId;
    const r = owner.runId;
    const w = owner.workspaceId;
    const e = owner.epoch;
    owners.set(a, {
      a,
      e,
      u: owner.unit,
      ...(owners.get(a)?.m || movesOn(unit) ? { m: true } : {}),
      ...(unit.agent?.status === "completed" ? { f: true } : {}),
    });
    for (const row of unit.blobs ?? []) blobs.push({ w, ...row });
    for (const row of unit.decisions ?? []) decisions.push({ a, r, w, ...row });
    for (const row of unit.children ?? []) children.push({ a, r, w, ...row });
    for (const row of unit.steps ?? []) steps.push({ a, r, w, e, ...row });
    for (const row of unit.messages ?? []) messages.push({ a, w, ...row });
    for (const row of unit.usages ?? []) usages.push({ a, r, w, ...row });
    for (const row of unit.effects ?? []) effects.push({ a, r, w, e, ...row });
    for (const row of unit.requests ?? []) requests.push({ a, r, w, ...row });
    for (const row of unit.aborts ?? []) aborts.push(row);
    for (const { agentRunId, body } of unit.events ?? []) {
      if (isOverAlready(body, ended.get(a))) continue;
      const { kind, ...rest } = body;
      events.push({ r, a: agentRunId === undefined ? a : agentRunId, kind, body: rest });
    }
    if (unit.agent) {
      const { collected, read, told, inbox, todo, context, compaction, handoff, ...agent } = unit.agent;
      agents.set(a, mergeAgent(agents.get(a) ?? { a }, agent));
      add("collected", collected?.map(toId));
      add("read", read?.map(toId));
      add("inbox", inbox?.map(toId));
      add(
        "told",
        told?.map((id) => ({ id, a })),
      );
      // The last of a batch is the newest.
      if (context !== undefined)
        rest.contexts = [...(rest.contexts ?? []).filter((row) => row.a !== a), { a, context }];
      if (todo !== undefined) rest.todos = [...(rest.todos ?? []).filter((row) => row.a !== a), { a, todo }];
      if (compaction) add("compactions", [{ a, compaction }]);
      if (handoff) add("handoffs", [{ a, handoff }]);
    }
    for (const row of unit.tasks ?? []) {
      const others = (rest.tasks ?? []).filter((known) => known.a !== a || known.number !== row.number);
      rest.tasks = [...others, { a, r, w, ...row }];
    }
    add(
      "reasonings",
      unit.reasonings?.map((row) => ({ a, w, ...row })),
    );
    add(
      "mails",
      unit.mails?.map((row) => ({ a, r, w, ...row })),
    );
    add(
      "retrievals",
      unit.retrievals?.map((row) => ({ a, w, ...row })),
    );
    add(
      "deadLetters",
      unit.deadLetters?.map((row) => ({ a, r, w, ...row })),
    );
    if (unit.head) heads.set(r, mergeHead(heads.get(r) ?? { r }, unit.head));
  }
  // A head row is only touched together with an event; every unit that changes one carries an event.
  const tables = [
    [...owners.values()],
    blobs,
    decisions,
    children,
    steps,
    messages,
    usages,
    effects,
    requests,
    [...agents.values()],
    aborts,
    events,
    [...heads.values()],
  ];
  return [...tables.map(json), Object.keys(rest).length ? storedJson(rest) : null];
}

const toId = (id: string) => ({ id });

/** Positions of the steps that end in these units, by agent run. A call that led to a decision of its own is told of from its beginning. */
function endedIn(units: readonly OwnedUnit[]): Map<string, Set<number>> {
  const ended = new Map<string, Set<number>>();
  for (const { owner, unit } of units) {
    if (!unit.steps) continue;
    const positions = ended.get(owner.agentRunId) ?? new Set();
    ended.set(owner.agentRunId, positions);
    for (const { position } of unit.steps) positions.add(position);
  }
  for (const { owner, unit } of units) {
    for (const { position } of unit.decisions ?? []) ended.get(owner.agentRunId)?.delete(position);
  }
  return ended;
}

/**
 * Nobody is told that a step began whose end is told in the same commit. Of several that began together everybody is: a fork from one of
 * them begins all of them anew.
 */
function isOverAlready(body: StoredEventBody, ended: ReadonlySet<number> | undefined): boolean {
  if (body.kind !== "steps.started") return false;
  const [first, ...others] = body.steps;
  return first !== undefined && others.length === 0 && ended?.has(first.position) === true;
}

/** What an agent run that is held may not do: all but recording what was under way. */
export function movesOn({ agent, children, requests, effects }: JournalUnit): boolean {
  return Boolean(agent?.status || children?.length || requests?.length || effects?.some(isIntent));
}

const isIntent = ({ status }: { status: string }) => status === "intended";

function mergeAgent(into: Agent, from: AgentColumns): Agent {
  return {
    ...into,
    ...from,
    input: (into.input ?? 0) + (from.input ?? 0),
    output: (into.output ?? 0) + (from.output ?? 0),
    cost: (into.cost ?? 0) + (from.cost ?? 0),
  };
}

function mergeHead(into: Head, from: NonNullable<JournalUnit["head"]>): Head {
  return {
    ...into,
    ...from,
    input: (into.input ?? 0) + (from.input ?? 0),
    output: (into.output ?? 0) + (from.output ?? 0),
    cost: (into.cost ?? 0) + (from.cost ?? 0),
    unpriced: (into.unpriced ?? 0) + (from.unpriced ?? 0),
    requests: (into.requests ?? 0) + (from.requests ?? 0),
  };
}
