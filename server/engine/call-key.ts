import { identifiesCalls, type ToolPolicy } from "@/server/tools/tool-policy";
import { canonicalJson, isRecord } from "./canonical-json";
import { hashOf } from "./ids";

type Keyed = {
  tool: string;
  policy: ToolPolicy["idempotency"];
  args: unknown;
  /** Where the call is made: ids of its run and agent run, and the position of the turn that asked for it. */
  runId: string;
  agentRunId: string;
  turnPosition: number;
};

/** `key`: equal for calls that are the same call; null where the policy says so of none. `missing`: arguments the key is made of. */
export type CallKey = { key: string } | { key: null; missing: string[] };

/**
 * What a call is known by within its workspace, `<tool>:<sha256>` (IDEM-02, GAP-32): of all its arguments, or of the fields that are
 * named (IDEM-14), and of the run or turn where the same arguments elsewhere are another call (IDEM-13).
 */
export function callKeyOf({ tool, policy, args, runId, agentRunId, turnPosition }: Keyed): CallKey {
  if (!identifiesCalls(policy.strategy)) return { key: null, missing: [] };
  const scope = { workspace: [], run: [runId], turn: [agentRunId, turnPosition] }[policy.scope];
  if (policy.strategy === "hash_input") return { key: `${tool}:${hashOf(canonicalJson([scope, args]))}` };
  const fields = policy.fields.map((path) => ({ path, value: valueAt(args, path) }));
  const missing = fields.filter(({ value }) => value === undefined || value === null || value === "");
  if (missing.length > 0) return { key: null, missing: missing.map(({ path }) => path) };
  return { key: `${tool}:${hashOf(canonicalJson([scope, fields]))}` };
}

function valueAt(args: unknown, path: string): unknown {
  let at = args;
  for (const name of path.split(".")) {
    if (Array.isArray(at)) at = at[Number(name)];
    else if (isRecord(at) && Object.hasOwn(at, name)) at = at[name];
    else return undefined;
  }
  return at;
}
