import { unpackDecisions } from "@/components/runs/unpack-decisions";
import { unpackSteps } from "@/components/runs/unpack-steps";
import type { PackedRows, PackedRunTree, RunTree } from "@/server/runs/schema";

/** A run as pages draw it, from how it travels. Throws RangeError for columns that do not belong together. */
export function unpackRunTree({ packed, ...tree }: PackedRunTree): RunTree {
  const { steps, decisions } = JSON.parse(packed) as PackedRows;
  return { ...tree, steps: unpackSteps(steps), decisions: unpackDecisions(decisions) };
}
