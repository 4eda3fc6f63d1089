import { storedJson } from "../stored-json";
import type { JournalOwner, JournalUnit } from "./unit";

export type OwnedUnit = { owner: JournalOwner; unit: JournalUnit };

type Row = Record<string, unknown>;
type Agent = NonNullable<JournalUnit["agent"]> & { a: string };
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

  for (const { owner, unit } of units) {
    const a = owner.agentRunId;
    const r = owner.runId;
    const w = owner.workspaceId;
    const e = owner.epoch;
    owners.set(a, { a, e, u: owner.unit });
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
      const { kind, ...rest } = body;
      events.push({ r, a: agentRunId === undefined ? a : agentRunId, kind, body: rest });
    }
    if (unit.agent) agents.set(a, mergeAgent(agents.get(a) ?? { a }, unit.agent));
    if (unit.head) heads.set(r, mergeHead(heads.get(r) ?? { r }, unit.head));
  }
  // A head row is only touched together with an event; every unit that changes one carries an event.
  return [
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
  ].map(json);
}

function mergeAgent(into: Agent, from: NonNullable<JournalUnit["agent"]>): Agent {
  return {
    ...into,
    ...from,
    input: (into.input ?? 0) + (from.input ?? 0),
    output: (into.output ?? 0) + (from.output ?? 0),
    cost: (into.cost ?? 0) + (from.cost ?? 0),
    ...(into.collected || from.collected ? { collected: [...(into.collected ?? []), ...(from.collected ?? [])] } : {}),
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
