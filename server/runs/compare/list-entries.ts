import type { DecisionKind, DecisionRow, RequestView, StepRow } from "@/server/engine/events";
import { eachInParts, type Parts } from "@/server/in-parts";
import type { RunTree } from "../schema";
import type { ComparedPlace } from "./schema";

/** What runs are aligned by: their shape, no contents. */
export type RunShape = Pick<RunTree, "agents" | "steps" | "decisions" | "requests"> & {
  run: Pick<RunTree["run"], "model"> & Partial<Pick<RunTree["run"], "id" | "forkOf">>;
};

/** A step or a decision, as it is compared. */
export type Entry = {
  place: ComparedPlace;
  /** What was done or chosen. */
  signature: string;
  /** What place it is, whatever was done or chosen there. */
  role: string;
  /** What came of it. */
  outcome: string;
  atMs: number;
};

/** What is done to a run as a whole, and says nothing about what it did. A fork begins with one of these. */
const FROM_OUTSIDE: ReadonlySet<DecisionKind> = new Set(["fork", "pause", "resume", "takeover"]);
/** What a model chooses with a reply: one of these each turn. */
const OF_A_TURN: ReadonlySet<DecisionKind> = new Set(["delegate", "handoff", "tool_choice", "finish"]);
const LONGEST_WORDS = 200;

/** Steps and decisions of a run by agent run, each list in order of position. */
export function* listEntries(shape: RunShape): Parts<Map<string, Entry[]>> {
  const requests = new Map(shape.requests.map((request) => [placeKey(request), request]));
  const entries = new Map<string, Entry[]>();
  const add = (agentRunId: string, entry: Entry) => {
    const list = entries.get(agentRunId);
    if (list) list.push(entry);
    else entries.set(agentRunId, [entry]);
  };
  yield* eachInParts(shape.steps, (step) =>
    add(step.agentRunId, stepEntry(step, requests.get(placeKey(step)) ?? null, shape.run.model)),
  );
  const ordinals = new Map<string, number>();
  yield* eachInParts(shape.decisions, (decision) => {
    if (FROM_OUTSIDE.has(decision.kind)) return;
    ordinals.set(decision.id, decision.ordinal);
    add(decision.agentRunId, decisionEntry(decision));
  });
  // What was chosen with a step comes after it.
  const ordinal = ({ place }: Entry) => (place.type === "step" ? -1 : (ordinals.get(place.id) ?? 0));
  for (const list of entries.values()) {
    list.sort((a, b) => a.place.position - b.place.position || ordinal(a) - ordinal(b) || a.atMs - b.atMs);
    yield;
  }
  return entries;
}

const placeKey = ({ agentRunId, position }: { agentRunId: string; position: number }) => `${agentRunId}.${position}`;

function stepEntry(step: StepRow, request: RequestView | null, runModel: string): Entry {
  const { position, turn, kind, name, status } = step;
  const answer = request?.answer ?? null;
  const asked = kind === "human" ? request?.prompt.trim().split("\n", 1)[0] : undefined;
  return {
    place: {
      type: "step",
      position,
      turn,
      kind,
      status,
      name: asked?.slice(0, LONGEST_WORDS) ?? name,
      note: noteOf(step, request)?.slice(0, LONGEST_WORDS) ?? null,
    },
    signature: JSON.stringify(["step", kind, isOwnModel(step, runModel) ? null : name]),
    role: `step:${kind}`,
    outcome: JSON.stringify([status, step.error?.code ?? null, answer]),
    atMs: Date.parse(step.startedAt),
  };
}

/** The model the run was started with. That two runs have different ones is told once, not at each call. */
function isOwnModel({ kind, name }: StepRow, runModel: string): boolean {
  return (kind === "model" || kind === "summary") && (name === runModel || runModel.endsWith(`/${name}`));
}

/** What went wrong, or what a person answered, in the words that person read. */
function noteOf({ error }: StepRow, request: RequestView | null): string | null {
  if (error) return error.message;
  if (!request || request.answer === null) return null;
  const answers = Array.isArray(request.answer) ? request.answer : [request.answer];
  return answers.map((answer) => request.options.find(({ value }) => value === answer)?.label ?? answer).join(", ");
}

function decisionEntry(decision: DecisionRow): Entry {
  const { id, position, kind, source } = decision;
  // The engine records the words themselves as the reason.
  const said = kind === "steer" ? decision.reason : null;
  const options = decision.chosen.map(({ option }) => option).sort();
  return {
    place: {
      type: "decision",
      id,
      position,
      kind,
      source,
      chosen: decision.chosen.map(({ label }) => ({ label })),
      reason: said?.slice(0, LONGEST_WORDS) ?? null,
    },
    signature: JSON.stringify(["decision", kind, options, said]),
    role: OF_A_TURN.has(kind) ? "decision:turn" : `decision:${kind}`,
    outcome: "",
    atMs: Date.parse(decision.at),
  };
}
