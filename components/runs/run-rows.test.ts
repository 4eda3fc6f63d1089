import { describe, expect, it } from "vitest";
import type { AgentRow, DecisionRow } from "@/server/engine/events";
import type { RunTree } from "@/server/runs/schema";
import { agentKey, buildRunNodes, decisionKey, type RunNode, standIns } from "./run-nodes";
import {
  activeStretches,
  foldedAtFirst,
  indexNodes,
  type Lens,
  listRunRows,
  liveEdge,
  pathTo,
  runAxis,
  selectedAtFirst,
} from "./run-rows";
import { joinSegments } from "./run-segments";
import { fromSnapshot } from "./run-state";
import { agentRow, at, atMs, decisionRow, openStep, requestView, stepRow, treeOf, uuid } from "./run-test-log";

const ROOT = uuid(10);
const SEARCHER = uuid(11);
const CHECKER = uuid(12);
const DELEGATE = uuid(20);
const REQUEST = uuid(30);

const ended: Partial<AgentRow> = { status: "completed", startedAt: at(3), finishedAt: at(8) };
const delegate: Partial<DecisionRow> = {
  chosen: [
    { option: "agent:Searcher", label: "Searcher", position: 1, reason: null },
    { option: "agent:Checker", label: "Checker", position: 2, reason: null },
  ],
};

/** A lead that starts two agents at once, waits for them, and asks a person. */
function waitingRun(over: Partial<RunTree> = {}): RunTree {
  const tree = treeOf();
  return {
    ...tree,
    run: { ...tree.run, status: "waiting", startedAt: at(0) },
    agents: [
      agentRow(ROOT, {
        status: "waiting",
        startedAt: at(0),
        openSteps: [openStep(4, { kind: "human", name: "user__ask" })],
        inputTokens: 10,
        costNanoUsd: 1,
      }),
      agentRow(SEARCHER, {
        ...ended,
        parentId: ROOT,
        spawnedById: DELEGATE,
        name: "Searcher",
        inputTokens: 20,
        costNanoUsd: 4,
      }),
      agentRow(CHECKER, {
        ...ended,
        status: "failed",
        parentId: ROOT,
        spawnedById: DELEGATE,
        name: "Checker",
        outputTokens: 5,
      }),
    ],
    steps: [
      stepRow(ROOT, 0, { inputTokens: 10, costNanoUsd: 1 }),
      stepRow(ROOT, 1, { kind: "tool", name: "agent__spawn" }),
      stepRow(ROOT, 2, { kind: "tool", name: "agent__spawn" }),
      stepRow(ROOT, 3, { kind: "tool", name: "agent__collect", startedAt: at(3), finishedAt: at(8) }),
      stepRow(SEARCHER, 0, { startedAt: at(3), finishedAt: at(5), inputTokens: 20, costNanoUsd: 4 }),
      stepRow(CHECKER, 0, {
        startedAt: at(3),
        finishedAt: at(8),
        status: "failed",
        error: { code: "timeout", message: "No answer" },
        outputTokens: 5,
      }),
    ],
    decisions: [decisionRow(DELEGATE, ROOT, delegate)],
    requests: [requestView(REQUEST, ROOT, { position: 4, createdAt: at(8) })],
    ...over,
  };
}

const nodesOf = (tree: RunTree) => buildRunNodes(fromSnapshot(tree));
const labels = (nodes: readonly RunNode[], lens: Lens = "all", text = "", folded = new Set<string>()) =>
  listRunRows({ nodes, lens, text, folded }).map((row) => `${"· ".repeat(row.depth)}${row.node.name}`);

function findNode(nodes: readonly RunNode[], key: string): RunNode {
  const found = indexNodes(nodes).get(key)?.node;
  if (!found) throw new Error(`no row ${key}`);
  return found;
}

describe("rows of the run tree", () => {
  it("hang each child under the decision that started it, in place of the step that only started it", () => {
    expect(labels(nodesOf(waitingRun()))).toEqual([
      "Lead",
      "· Turn 1",
      "· Delegate",
      "· · Searcher",
      "· · · Turn 1",
      "· · Checker",
      "· · · Turn 1",
      "· agent__collect",
      "· Short or detailed?",
    ]);
  });

  it("list children in the order they were chosen, however they arrived", () => {
    const run = waitingRun();
    const nodes = nodesOf({ ...run, agents: [...run.agents].reverse() });
    expect(labels(nodes).filter((label) => label.startsWith("· · ") && !label.startsWith("· · · "))).toEqual([
      "· · Searcher",
      "· · Checker",
    ]);
  });

  it("know which child stands for a step that only started it, so that a link to the step still leads somewhere", () => {
    expect(standIns(waitingRun())).toEqual(
      new Map([
        [`${ROOT}.1`, SEARCHER],
        [`${ROOT}.2`, CHECKER],
      ]),
    );
  });

  it("keep a delegation that never produced a child", () => {
    const run = waitingRun();
    const nodes = nodesOf({ ...run, agents: run.agents.filter((agent) => agent.id !== CHECKER) });
    expect(labels(nodes).filter((label) => label.includes("agent__spawn"))).toHaveLength(1);
  });

  it("show a child whose decision is unknown under its parent", () => {
    const nodes = nodesOf({ ...waitingRun(), decisions: [] });
    expect(labels(nodes)).toContain("· Searcher");
  });

  it("count own and subtree tokens and cost apart, and say which calls had no price", () => {
    const root = findNode(nodesOf(waitingRun()), agentKey(ROOT));
    expect(root.own).toEqual({ inputTokens: 10, outputTokens: 0, costNanoUsd: 1, unpricedCalls: 0 });
    expect(root.tree).toEqual({ inputTokens: 30, outputTokens: 5, costNanoUsd: 5, unpricedCalls: 1 });
  });

  it("say who is waited for", () => {
    const human = findNode(nodesOf(waitingRun()), `${ROOT}.4`);
    expect(human).toMatchObject({ status: "waiting", word: "Waiting for you", endMs: null });
    expect(human.segments).toEqual([{ kind: "waiting", startMs: atMs(4), endMs: null }]);
  });

  it("show an answered request with its answer", () => {
    const answered = requestView(REQUEST, ROOT, {
      position: 4,
      status: "answered",
      answer: "short",
      answeredBy: "Mara",
    });
    const steps = [...waitingRun().steps, stepRow(ROOT, 4, { kind: "human", name: "user__ask" })];
    const human = findNode(nodesOf(waitingRun({ requests: [answered], steps })), `${ROOT}.4`);
    expect(human).toMatchObject({ status: "completed", context: "Mara: Short", word: null });
  });

  it("do not show work as running in an agent run that is interrupted", () => {
    const run = waitingRun({ requests: [] });
    const agents = run.agents.map((agent) =>
      agent.id === ROOT ? { ...agent, status: "interrupted" as const, openSteps: [openStep(4)] } : agent,
    );
    expect(findNode(nodesOf({ ...run, agents }), `${ROOT}.4`).status).toBe("interrupted");
  });

  it("draw waiting for children apart from own work", () => {
    const root = findNode(nodesOf(waitingRun()), agentKey(ROOT));
    expect(root.segments.map((segment) => segment.kind)).toEqual(["children", "queued", "waiting", "tool", "model"]);
  });

  it("leave out what is folded, and count it", () => {
    const nodes = nodesOf(waitingRun());
    const folded = new Set([agentKey(SEARCHER)]);
    expect(labels(nodes, "all", "", folded).filter((label) => label === "· · · Turn 1")).toHaveLength(1);
    const row = listRunRows({ nodes, lens: "all", text: "", folded }).find(
      ({ node }) => node.key === agentKey(SEARCHER),
    );
    expect(row).toMatchObject({ childCount: 1, unfolded: false });
  });

  it("unfold for a filter and keep the rows above what matches", () => {
    const folded = new Set([agentKey(ROOT), agentKey(CHECKER)]);
    expect(labels(nodesOf(waitingRun()), "failed", "", folded)).toEqual([
      "Lead",
      "· Delegate",
      "· · Checker",
      "· · · Turn 1",
    ]);
    expect(labels(nodesOf(waitingRun()), "all", "SEARCH", folded)).toEqual(["Lead", "· Delegate", "· · Searcher"]);
    expect(labels(nodesOf(waitingRun()), "decisions", "", folded)).toEqual(["Lead", "· Delegate"]);
    expect(labels(nodesOf(waitingRun()), "waiting", "", folded)).toEqual(["Lead", "· Short or detailed?"]);
  });

  it("know the way down to a row", () => {
    const index = indexNodes(nodesOf(waitingRun()));
    expect(pathTo(index, `${SEARCHER}.0`).map((node) => node.key)).toEqual([
      agentKey(ROOT),
      decisionKey(DELEGATE),
      agentKey(SEARCHER),
    ]);
  });
});

describe("what a run page opens on", () => {
  it("is what waits for a person", () => {
    expect(selectedAtFirst(nodesOf(waitingRun()))).toBe(`${ROOT}.4`);
  });

  it("is the deepest failure when nothing waits", () => {
    expect(selectedAtFirst(nodesOf(waitingRun({ requests: [] })))).toBe(`${CHECKER}.0`);
  });

  it("is the root when nothing waits and nothing failed", () => {
    const run = waitingRun({ requests: [] });
    const agents = run.agents.map((agent) => ({ ...agent, status: "completed" as const }));
    const steps = run.steps.map((step) => ({ ...step, status: "completed" as const }));
    expect(selectedAtFirst(nodesOf({ ...run, agents, steps }))).toBe(agentKey(ROOT));
  });

  it("folds finished children and keeps failures open", () => {
    expect(foldedAtFirst(fromSnapshot(waitingRun()))).toEqual(new Set([agentKey(SEARCHER)]));
  });

  it("finds the newest moving row", () => {
    expect(liveEdge(nodesOf(waitingRun()))).toBe(`${ROOT}.4`);
  });
});

describe("time axis", () => {
  const axisAt = (seconds: number) => {
    const state = fromSnapshot(waitingRun());
    return runAxis({ run: state.run, active: activeStretches(buildRunNodes(state)), nowMs: atMs(seconds) });
  };

  it("folds a long wait for a person", () => {
    const axis = axisAt(600);
    expect(axis.gaps).toHaveLength(1);
    expect(axis.idleMs).toBeGreaterThan(580_000);
    expect(axis.share(atMs(4))).toBeGreaterThan(0.45);
  });

  it("keeps the true length of a short wait", () => {
    expect(axisAt(12).gaps).toEqual([]);
  });

  it("places instants in order, from 0 to 1, also inside a fold", () => {
    const axis = axisAt(600);
    const shares = [0, 1, 5, 8, 20, 300, 599, 600].map((second) => axis.share(atMs(second)));
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBeCloseTo(1, 6);
  });

  it("labels few enough ticks to read", () => {
    for (const seconds of [1, 9, 40, 300, 4000, 90_000]) {
      const { ticks } = axisAt(seconds);
      expect(ticks.length, `${seconds} s`).toBeGreaterThanOrEqual(1);
      expect(ticks.length, `${seconds} s`).toBeLessThanOrEqual(6);
    }
  });
});

describe("bar segments", () => {
  it("are few even when an agent run took thousands of steps", () => {
    const segments = Array.from({ length: 4000 }, (_, i) => ({
      kind: i % 2 ? ("tool" as const) : ("model" as const),
      startMs: i * 1000,
      endMs: i * 1000 + 900,
    }));
    const joined = joinSegments(segments);
    expect(joined.length).toBeLessThanOrEqual(120);
    expect(joined.at(-1)?.endMs).toBe(3_998_900);
  });
});
