import { JsonView } from "@/components/runs/inspector/json-view";
import { Part } from "@/components/runs/inspector/part";
import type { RunNode } from "@/components/runs/run-nodes";

/** The row's record as it is kept. */
export function RawTab({ node }: { node: RunNode }) {
  const value = rawOf(node);
  return (
    <Part title="Record" copy={JSON.stringify(value, null, 2)} what="record as JSON">
      <JsonView value={value} />
    </Part>
  );
}

function rawOf({ item }: RunNode): unknown {
  if (item.type === "agent") return item.agent;
  if (item.type === "decision") return item.decision;
  const { step, open, request } = item;
  return request ? { step: step ?? open, request } : (step ?? open);
}
