import { describe, expect, it } from "vitest";
import type { AgentRow, DecisionRow } from "@/server/engine/events";
import type { RunTree } from "@/server/runs/schema";
import { type Lens, NO_FILTER, type RunFilter } from "./run-filter";
import { indexRun } from "./run-index";
import { agentKey, buildRunNodes, decisionKey, type RunNode } from "./run-nodes";
import { pathTo, placesOf } from "./run-places";
import {
  activeStretches,
  countRows,
  deepestFailure,
  foldedAtFirst,
  listRunRows,
  liveEdge,
  newestMs,
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

const indexOf = (tree: RunTree) => indexRun(fromSnapshot(tree));
const nodesOf = (tree: RunTree) => buildRunNodes(indexOf(tree));
const opensOn = (tree: RunTree) => selectedAtFirst(nodesOf(tree), indexOf(tree));
const labels = (nodes: readonly RunNode[], lens: Lens = "all", text = "", folded = new Set<string>()) =>
  listRunRows({ nodes, filter: { ...NO_FILTER, lens, text }, folded }).map(
    (row) => `${"· ".repeat(row.depth)}${row.node.name}`,
  );

const found = (nodes: readonly RunNode[], filter: Partial<RunFilter>) =>
  listRunRows({ nodes, filter: { ...NO_FILTER, ...filter }, folded: new Set() }).map(
    (row) => `${"· ".repeat(row.depth)}${row.node.name}`,
  );

function everyNode(nodes: readonly RunNode[]): RunNode[] {
  return nodes.flatMap((node) => [node, ...everyNode(node.children)]);
}

function findNode(nodes: readonly RunNode[], key: string): RunNode {
  const found = everyNode(nodes).find((node) => node.key === key);
  if (!found) throw new Error(`no row ${key}`);
  return found;
}

/** As `waitingRun`, paused while it asks; beside the question a call is still under way. */
function pausedRun(over: Partial<RunTree> = {}): RunTree {
  const tree = waitingRun();
  const [lead, ...others] = tree.agents;
  if (!lead) throw new Error("no lead");
  const openSteps = [...lead.openSteps, openStep(5, { kind: "tool", name: "files__read", startedAt: at(9) })];
  return {
    ...tree,
    run: { ...tree.run, status: "paused" },
    agents: [{ ...lead, status: "paused", openSteps }, ...others],
    decisions: [...tree.decisions, decisionRow(uuid(21), ROOT, { kind: "pause", source: "human", at: at(20) })],
    ...over,
  };
}

describe("rows of a run that is held", () => {
  it("stand still from the moment it was paused, whatever is still open", () => {
    const nodes = nodesOf(pausedRun());
    expect(findNode(nodes, agentKey(ROOT))).toMatchObject({ status: "paused", endMs: atMs(20) });
    expect(findNode(nodes, `${ROOT}.4`)).toMatchObject({ status: "waiting", word: "Waiting for you", endMs: atMs(20) });
    expect(findNode(nodes, `${ROOT}.5`)).toMatchObject({ status: "paused", word: "On hold", endMs: atMs(20) });
    expect(liveEdge(nodes)).toBeNull();
    expect(opensOn(pausedRun())).toBe(`${ROOT}.4`);
  });

  it("do not move when somebody does something to it meanwhile", () => {
    const run = pausedRun();
    const said = decisionRow(uuid(22), ROOT, { kind: "steer", reason: "Mara: Be brief.", source: "human", at: at(60) });
    const nodes = nodesOf({ ...run, decisions: [...run.decisions, said] });
    expect(findNode(nodes, agentKey(ROOT)).endMs).toBe(atMs(20));
    expect(findNode(nodes, decisionKey(said.id)).context).toBe("Mara: Be brief.");
  });

  it("show a call that was under way and ended after the pause as it ended", () => {
    const late = stepRow(ROOT, 5, { kind: "tool", name: "files__read", startedAt: at(9), finishedAt: at(24) });
    const run = pausedRun();
    const nodes = nodesOf({ ...run, steps: [...run.steps, late] });
    expect(findNode(nodes, `${ROOT}.5`)).toMatchObject({ status: "completed", word: null, endMs: atMs(24) });
  });

  it("stand still in an interrupted child while the run around it moves", () => {
    const run = waitingRun();
    const [lead, searcher, checker] = run.agents;
    if (!lead || !searcher || !checker) throw new Error("no agents");
    const open = { openSteps: [openStep(1, { startedAt: at(6) })], finishedAt: null };
    const nodes = nodesOf({ ...run, agents: [lead, { ...searcher, ...open, status: "interrupted" }, checker] });
    expect(findNode(nodes, agentKey(SEARCHER))).toMatchObject({ status: "interrupted", endMs: atMs(6) });
    expect(findNode(nodes, `${SEARCHER}.1`)).toMatchObject({ status: "interrupted", word: "On hold", endMs: atMs(6) });
    expect(findNode(nodes, agentKey(ROOT)).endMs).toBeNull();
  });

  it("go on where they were when it is resumed", () => {
    const run = pausedRun();
    const agents = run.agents.map((agent) => (agent.id === ROOT ? { ...agent, status: "running" as const } : agent));
    const nodes = nodesOf({ ...run, agents });
    expect(findNode(nodes, agentKey(ROOT)).endMs).toBeNull();
    expect(findNode(nodes, `${ROOT}.5`)).toMatchObject({ status: "running", word: null, endMs: null });
  });
});

describe("rows of a question that the agents above are asked", () => {
  const asks = (over: Partial<RunTree["requests"][number]>) => {
    const tree = waitingRun();
    const [lead, ...others] = tree.agents;
    if (!lead) throw new Error("no lead");
    const child = { ...lead, parentId: ROOT, id: SEARCHER, name: "Searcher", inputTokens: 0, costNanoUsd: 0 };
    return {
      ...tree,
      agents: [
        { ...lead, status: "running" as const, openSteps: [] },
        child,
        ...others.filter(({ id }) => id === CHECKER),
      ],
      requests: [requestView(REQUEST, SEARCHER, { position: 4, status: "escalated", createdAt: at(8), ...over })],
    };
  };

  it("say so, and wait for no person", () => {
    const nodes = nodesOf(asks({}));
    expect(findNode(nodes, `${SEARCHER}.4`)).toMatchObject({
      ...{ name: "Short or detailed?", context: "asked of the agents above", word: "Asked above" },
      ...{ status: "running", endMs: null, segments: [{ kind: "waiting" }] },
    });
    // The same look, or one of the two seems to wait for a person.
    expect(findNode(nodes, agentKey(SEARCHER))).toMatchObject({ status: "running", word: "Asked above" });
    expect(labels(nodes, "waiting")).not.toContain("Short or detailed?");
  });

  it("wait for a person once it was passed on", () => {
    const tree = asks({ status: "open" });
    const nodes = nodesOf(tree);
    expect(findNode(nodes, `${SEARCHER}.4`)).toMatchObject({ status: "waiting", word: "Waiting for you" });
    expect(findNode(nodes, agentKey(SEARCHER)).word).toBeNull();
    expect(opensOn(tree)).toBe(`${SEARCHER}.4`);
  });

  it("name the agent that answered", () => {
    const answer = { answer: "short", answeredBy: "Lead", answeredByAgentId: ROOT, answeredAt: at(9) };
    expect(findNode(nodesOf(asks({ status: "answered", ...answer })), `${SEARCHER}.4`).context).toBe("Lead: Short");
  });
});

describe("rows of what the engine does by itself", () => {
  const DISPATCH = uuid(21);
  const tree = waitingRun();
  const nodes = nodesOf({
    ...tree,
    agents: tree.agents.map((agent) => (agent.id === CHECKER ? { ...agent, spawnedById: DISPATCH } : agent)),
    steps: [
      ...tree.steps.filter(({ position, agentRunId }) => agentRunId !== ROOT || position < 2),
      stepRow(ROOT, 2, { kind: "tool", name: "agent__task_create" }),
      stepRow(ROOT, 3, { ...{ kind: "tool", name: "agent__collect" }, ...{ inputTokens: 30, costNanoUsd: 7 } }),
      stepRow(ROOT, 5, { kind: "summary", name: "small", inputTokens: 40, outputTokens: 4 }),
    ],
    decisions: [
      decisionRow(DELEGATE, ROOT, { ...delegate, chosen: delegate.chosen?.slice(0, 1) }),
      decisionRow(DISPATCH, ROOT, {
        ...{
          kind: "dispatch",
          position: 2,
          ordinal: 60,
          source: "runtime-rule",
          reason: "Task 2 has no dependencies.",
        },
        chosen: [{ option: "agent:Checker", label: "Checker", position: null, reason: null }],
      }),
    ],
  });

  it("hang an agent the queue started under its dispatch, beside the call that made the task", () => {
    expect(labels(nodes).slice(4, 8)).toEqual(["· · · Turn 1", "· agent__task_create", "· Dispatch", "· · Checker"]);
  });

  it("name a condensed conversation with its model and what it cost", () => {
    expect(findNode(nodes, `${ROOT}.5`)).toMatchObject({
      ...{ name: "Condense the conversation", context: "small", segments: [{ kind: "model" }] },
      own: { inputTokens: 40, outputTokens: 4, costNanoUsd: 0, unpricedCalls: 1 },
    });
  });

  it("count what a tool call cost whose result was condensed", () => {
    expect(findNode(nodes, `${ROOT}.3`).own).toMatchObject({ inputTokens: 30, costNanoUsd: 7, unpricedCalls: 0 });
    expect(findNode(nodes, `${ROOT}.2`).own).toBeNull();
  });
});

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
    const ofRoot = new Map([
      [1, SEARCHER],
      [2, CHECKER],
    ]);
    expect(indexOf(waitingRun()).carried).toEqual(new Map([[ROOT, ofRoot]]));
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

  it("draw a round that the engine leads as waiting for the agents in it", () => {
    const round = stepRow(ROOT, 0, { kind: "tool", name: "pattern__debate" });
    const root = findNode(nodesOf(waitingRun({ steps: [round], requests: [] })), agentKey(ROOT));
    expect(root.segments.map((segment) => segment.kind)).not.toContain("tool");
    expect(root.segments.map((segment) => segment.kind)).toContain("children");
  });

  it("leave out what is folded, and count it", () => {
    const nodes = nodesOf(waitingRun());
    const folded = new Set([agentKey(SEARCHER)]);
    expect(labels(nodes, "all", "", folded).filter((label) => label === "· · · Turn 1")).toHaveLength(1);
    const row = listRunRows({ nodes, filter: NO_FILTER, folded }).find(({ node }) => node.key === agentKey(SEARCHER));
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

  it("find a decision by the words of its reason, and of what it chose for", () => {
    const [searcher, checker] = delegate.chosen ?? [];
    const chosen = [{ ...searcher, reason: "It reads the handbook." }, checker] as DecisionRow["chosen"];
    const decided = { ...delegate, chosen, reason: "Both are needed." };
    const nodes = nodesOf(waitingRun({ decisions: [decisionRow(DELEGATE, ROOT, decided)] }));
    expect(labels(nodes, "all", "both are")).toEqual(["Lead", "· Delegate"]);
    expect(labels(nodes, "all", "HANDBOOK")).toEqual(["Lead", "· Delegate"]);
    expect(labels(nodes, "all", "carrier")).toEqual([]);
  });

  it("show whose, of what kind, how dear and how slow: all conditions hold together", () => {
    const nodes = nodesOf(waitingRun());
    expect(found(nodes, { agent: "Checker", only: true })).toEqual(["Checker", "Turn 1"]);
    expect(found(nodes, { kind: "model", only: true })).toEqual(["Turn 1", "Turn 1", "Turn 1"]);
    const alone = listRunRows({ nodes, filter: { ...NO_FILTER, kind: "model", only: true }, folded: new Set() });
    expect(alone.map(({ agent }) => agent)).toEqual(["Lead", "Searcher", "Checker"]);
    expect(found(nodes, { kind: "agent", only: true })).toEqual(["Lead", "Searcher", "Checker"]);
    expect(found(nodes, { kind: "model", minCostNanoUsd: 2 })).toEqual([
      "Lead",
      "· Delegate",
      "· · Searcher",
      "· · · Turn 1",
    ]);
    // The lead and its question still go on.
    expect(found(nodes, { minMs: 5_000, only: true })).toEqual([
      "Lead",
      "Searcher",
      "Checker",
      "Turn 1",
      "agent__collect",
      "Short or detailed?",
    ]);
    expect(found(nodes, { agent: "Nobody" })).toEqual([]);
    // By itself it asks for nothing.
    expect(found(nodes, { only: true })).toEqual(labels(nodes));
  });

  it("know the way down to a row", () => {
    const places = placesOf(nodesOf(waitingRun()), indexOf(waitingRun()));
    expect(pathTo(places, `${SEARCHER}.0`).map((node) => node.key)).toEqual([
      agentKey(ROOT),
      decisionKey(DELEGATE),
      agentKey(SEARCHER),
    ]);
  });
});

describe("a row", () => {
  const tree = waitingRun();
  const nodes = nodesOf(tree);

  it("is found by its key wherever it hangs, with the one above it", () => {
    const above = (node: RunNode): [string, string | null][] =>
      node.children.flatMap((child) => [[child.key, node.key], ...above(child)]);
    const all: [string, string | null][] = nodes.flatMap((node) => [[node.key, null], ...above(node)]);
    expect(all).toHaveLength(countRows(indexOf(tree)));
    for (const [key, parent] of [...all].reverse()) {
      // Anew for each: none may depend on what was looked for before.
      const place = placesOf(nodes, indexOf(tree)).get(key);
      expect([place?.node.key, place?.parent?.key ?? null]).toEqual([key, parent]);
    }
  });

  it("that is not there is not found", () => {
    const places = placesOf(nodes, indexOf(tree));
    const odd = [`${ROOT}.1`, `${ROOT}.99`, `${ROOT}.`, agentKey(uuid(99)), decisionKey(uuid(99)), "agent:", "", "."];
    expect(odd.filter((key) => places.has(key))).toEqual([]);
  });

  it("of an agent run says how many hang under it before they are made", () => {
    for (const node of everyNode(nodes)) expect(node.childCount, node.key).toBe(node.children.length);
  });
});

describe("the newest instant", () => {
  it("is that of whatever came last, also of what still goes on", () => {
    const tree = waitingRun();
    expect(newestMs(indexOf(tree))).toBe(atMs(8));
    const later = decisionRow(uuid(22), ROOT, { kind: "steer", at: at(60) });
    expect(newestMs(indexOf({ ...tree, decisions: [...tree.decisions, later] }))).toBe(atMs(60));
    const [lead, ...others] = tree.agents;
    if (!lead) throw new Error("no lead");
    const open = { ...lead, openSteps: [openStep(4, { startedAt: at(70) })] };
    expect(newestMs(indexOf({ ...tree, agents: [open, ...others] }))).toBe(atMs(70));
    expect(newestMs(indexOf({ ...tree, agents: [], steps: [], decisions: [], requests: [] }))).toBe(0);
  });
});

describe("what a run page opens on", () => {
  it("is the first in the tree of the failures that lie equally deep", () => {
    const tree = waitingRun({ requests: [] });
    const agents = tree.agents.map((agent) => ({
      ...agent,
      ...(agent.id === SEARCHER && { status: "failed" as const }),
    }));
    const steps = tree.steps.map((step) => ({
      ...step,
      ...(step.agentRunId === SEARCHER && { status: "failed" as const }),
    }));
    const run = { ...tree, agents: [...agents].reverse(), steps: [...steps].reverse() };
    expect(deepestFailure(nodesOf(run), indexOf(run))).toBe(`${SEARCHER}.0`);
  });

  it("is what waits for a person", () => {
    expect(opensOn(waitingRun())).toBe(`${ROOT}.4`);
  });

  it("is the deepest failure when nothing waits", () => {
    expect(opensOn(waitingRun({ requests: [] }))).toBe(`${CHECKER}.0`);
  });

  it("is the root when nothing waits and nothing failed", () => {
    const run = waitingRun({ requests: [] });
    const agents = run.agents.map((agent) => ({ ...agent, status: "completed" as const }));
    const steps = run.steps.map((step) => ({ ...step, status: "completed" as const }));
    expect(opensOn({ ...run, agents, steps })).toBe(agentKey(ROOT));
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
    return runAxis({ run: state.run, active: activeStretches(indexRun(state)), nowMs: atMs(seconds) });
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
