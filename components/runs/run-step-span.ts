import type { StepPart } from "@/components/runs/run-index";
import type { Segment, SegmentKind } from "@/components/runs/run-segments";
import type { AgentRow, StepRow } from "@/server/engine/events";
import type { RunStatus } from "@/server/engine/state";

/** How a step stands, and from when to when it went on. */
export type StepSpan = {
  kind: StepRow["kind"];
  status: RunStatus;
  /** A person is asked. */
  waiting: boolean;
  /** The agents above are asked. */
  escalated: boolean;
  segment: Segment;
};

/** `stillMs`: since when the agent run stands still. */
export function spanOf({ step, open, request }: StepPart, agent: AgentRow, stillMs: number | null): StepSpan {
  const kind = step?.kind ?? open?.kind ?? (request?.kind === "question" ? "human" : "tool");
  const begun = step?.startedAt ?? open?.startedAt ?? request?.createdAt ?? agent.createdAt;
  const ended = step?.finishedAt ?? (open ? null : (request?.answeredAt ?? null));
  const waiting = request?.status === "open" && !step;
  const escalated = request?.status === "escalated" && !step;
  const status = step?.status ?? statusOfOpen(waiting, ended !== null, agent);
  const startMs = Date.parse(begun);
  const heldMs = stillMs === null ? null : Math.max(startMs, stillMs);
  const endMs = ended === null ? heldMs : Date.parse(ended);
  return {
    kind,
    status,
    waiting,
    escalated,
    segment: { kind: segmentKind({ kind, name: step?.name ?? open?.name, status }), startMs, endMs },
  };
}

function statusOfOpen(waiting: boolean, ended: boolean, agent: AgentRow): RunStatus {
  if (waiting) return "waiting";
  if (ended) return "completed";
  // The step stays open while its agent run is held: it shows that, not a spinner.
  return agent.status === "waiting" || agent.status === "queued" ? "running" : agent.status;
}

/** Waiting for agents it started is no work of its own: neither for those it collects, nor for those the engine led in its place. */
function waitsForChildren(name = ""): boolean {
  return name === "agent__collect" || name.startsWith("pattern__");
}

function segmentKind({ kind, name, status }: { kind: StepRow["kind"]; name?: string; status: RunStatus }): SegmentKind {
  if (status === "failed") return "failed";
  if (kind === "human" || status === "waiting") return "waiting";
  if (kind === "summary") return "model";
  return waitsForChildren(name) ? "children" : kind;
}
