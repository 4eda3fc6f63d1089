import { pool } from "@/server/db";
import { inParts } from "@/server/in-parts";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { type AlignedPair, alignRuns } from "../compare/align-runs";
import { type Difference, listDifferences } from "../compare/list-differences";
import { pairsToSend } from "../compare/pairs-to-send";
import type { DivergingSide, RunComparison, RunFacts } from "../compare/schema";
import { tellFacts } from "../compare/tell-facts";
import { whatEachDid } from "../compare/what-each-did";
import type { RunTree } from "../schema";
import { findStartContext } from "./find-start-context";
import { getDecision } from "./get-decision";
import { getRunTree } from "./get-run-tree";

/** More rows than anybody reads; above it a page is sent those that differ. */
const MOST_ENTRIES = 3_000;

/** Two runs side by side, and where they first part. Throws NOT_FOUND. */
export async function compareRuns(
  workspaceId: WorkspaceId,
  { leftRunId, rightRunId }: { leftRunId: string; rightRunId: string },
): Promise<RunComparison> {
  const left = await getRunTree(workspaceId, leftRunId);
  const right = leftRunId === rightRunId ? left : await getRunTree(workspaceId, rightRunId);
  const tell = await tellerOf(workspaceId, [leftRunId, rightRunId]);
  const { pairs, differences, sent } = await inParts(comparisonOf(left, right));
  const [first] = differences;
  return {
    left: tell(left),
    right: tell(right),
    pairs: sent.pairs,
    divergence: first
      ? {
          ...(await describe(workspaceId, { pairs, first, left, right })),
          pair: first.pair,
          entry: first.entry === null ? null : sent.placeOf(first.pair, first.entry),
        }
      : null,
    same: pairs.reduce((sum, { entries }) => sum + entries.filter(({ state }) => state === "same").length, 0),
    different: differences.length,
    leftOut: sent.leftOut,
  };
}

function* comparisonOf(left: RunTree, right: RunTree) {
  const pairs = yield* alignRuns(left, right);
  const differences = listDifferences(pairs);
  yield;
  const sent = pairsToSend(pairs, differences, MOST_ENTRIES);
  yield;
  return { pairs, differences, sent };
}

/** One of two runs to compare, until the other is chosen. Throws NOT_FOUND. */
export async function getRunFacts(workspaceId: WorkspaceId, runId: string): Promise<RunFacts> {
  const tree = await getRunTree(workspaceId, runId);
  return (await tellerOf(workspaceId, [runId]))(tree);
}

/** Says of these runs what they are and took. */
async function tellerOf(workspaceId: WorkspaceId, runIds: readonly string[]): Promise<(tree: RunTree) => RunFacts> {
  const activeMs = await activeMsOf(workspaceId, runIds);
  const about = new Map<string, RunFacts["about"]>();
  for (const runId of runIds) about.set(runId, await findStartContext(workspaceId, runId));
  return (tree) => tellFacts(tree, { activeMs: activeMs(tree.run.id), about: about.get(tree.run.id) ?? null });
}

/** How long runs were at work, waits and holds left out. */
async function activeMsOf(workspaceId: WorkspaceId, runIds: readonly string[]): Promise<(runId: string) => number> {
  const { rows } = await pool().query<{ id: string; ms: string }>(
    `SELECT id, active_ms + coalesce(greatest(0, extract(epoch FROM now() - active_since) * 1000), 0)::bigint AS ms
     FROM runs WHERE workspace_id = $1 AND id = ANY($2)`,
    [workspaceId, runIds],
  );
  const found = new Map(rows.map(({ id, ms }) => [id, Number(ms)]));
  return (runId) => found.get(runId) ?? 0;
}

type Compared = { pairs: readonly AlignedPair[]; first: Difference; left: RunTree; right: RunTree };

async function describe(workspaceId: WorkspaceId, { pairs, first, left, right }: Compared) {
  const pair = pairs[first.pair];
  const did = whatEachDid(pairs, first);
  const sideOf = async (side: "left" | "right", tree: RunTree): Promise<DivergingSide | null> => {
    const agent = pair?.[side];
    if (!agent) return null;
    const { entry, isNext } = did[side];
    const place = entry?.place ?? null;
    const decision =
      place?.type === "decision" ? await getDecision(workspaceId, { runId: tree.run.id, decisionId: place.id }) : null;
    return { agentName: agent.name, agentRunId: agent.id, place, isNext, decision };
  };
  const entry = first.entry === null ? undefined : pair?.entries[first.entry];
  return {
    state: (entry ?? pair)?.state ?? "same",
    left: await sideOf("left", left),
    right: await sideOf("right", right),
  };
}
