import { expect, test } from "vitest";
import { requestView, uuid } from "@/components/runs/run-test-log";
import { atOnce } from "@/server/in-parts";
import { toldRun } from "@/tests/support/told-run";
import { type AlignedPair, alignRuns as alignInParts } from "./align-runs";
import { listDifferences } from "./list-differences";
import type { Entry } from "./list-entries";
import { whatEachDid } from "./what-each-did";

const alignRuns = (...runs: Parameters<typeof alignInParts>) => atOnce(alignInParts(...runs));

const words = (entry: Entry | null | undefined) => {
  if (!entry) return "–";
  const { place } = entry;
  return place.type === "step" ? `${place.kind} ${place.name}` : `→ ${place.chosen.map(({ label }) => label).join()}`;
};
/** "state: left | right", one line an entry. */
const told = (pair: AlignedPair | undefined) =>
  pair?.entries.map(({ state, ahead, left, right }) => {
    return `${state}${ahead ? ", ahead" : ""}: ${words(left)} | ${words(right)}`;
  });
const names = (pairs: readonly AlignedPair[]) =>
  pairs.map(({ state, left, right }) => `${state}: ${left?.name ?? "–"} | ${right?.name ?? "–"}`);
const first = (pairs: readonly AlignedPair[]) => {
  const [difference] = listDifferences(pairs);
  if (!difference) return null;
  const pair = pairs[difference.pair];
  const entry = difference.entry === null ? null : pair?.entries[difference.entry];
  return entry ? `${words(entry.left)} | ${words(entry.right)}` : names(pair ? [pair] : [])[0];
};

const delegating = (run: number, to: string, also: string[] = []) =>
  toldRun(run, [
    { name: "Lead", did: ["model", `→ agent:${to}`, "tool agent__spawn", "model", ...also, "→ answer"] },
    { name: to, by: { agent: 0, line: 1 }, from: 3, did: ["model", "→ search", "tool search", "model", "→ answer"] },
  ]);

test("a run is the same as itself", () => {
  const run = delegating(1, "Searcher");
  const pairs = alignRuns(run, run);
  expect(names(pairs)).toEqual(["same: Lead | Lead", "same: Searcher | Searcher"]);
  expect(pairs.flatMap(({ entries }) => entries).every(({ state }) => state === "same")).toBe(true);
  expect(pairs[1]).toMatchObject({ parent: 0, under: 1 });
  expect(listDifferences(pairs)).toEqual([]);
});

test("another choice at the same place is a change, and the first divergence", () => {
  const pairs = alignRuns(delegating(1, "Searcher"), delegating(2, "Writer"));
  expect(told(pairs[0])).toEqual([
    "same: model rehearsal | model rehearsal",
    "changed: → Searcher | → Writer",
    "same: tool agent__spawn | tool agent__spawn",
    "same: model rehearsal | model rehearsal",
    "same: → answer | → answer",
  ]);
  expect(names(pairs)).toEqual(["same: Lead | Lead", "only-left: Searcher | –", "only-right: – | Writer"]);
  expect(pairs.map(({ under }) => under)).toEqual([null, 1, 1]);
  expect(first(pairs)).toBe("→ Searcher | → Writer");
  // The choice, and each agent run that only one of them has.
  expect(listDifferences(pairs)).toHaveLength(3);
});

test("what a fork chose at the step it was retried from stands beside what its origin chose there, whatever came later", () => {
  const left = toldRun(1, [{ name: "Lead", did: ["model", "→ a", "tool a", "model", "→ b", "tool b"] }]);
  const right = toldRun(2, [{ name: "Lead", did: ["model", "→ b", "tool b", "model", "→ answer"] }]);
  const origin = { id: left.run.id, title: "", agentRunId: left.agents[0]?.id ?? "", agentName: "Lead", position: 0 };
  const fork = { ...right, run: { ...right.run, id: uuid(3), forkOf: { ...origin, edit: "reply" as const } } };
  expect(first(alignRuns(left, right))).toBe("→ a | –");
  expect(first(alignRuns(left, fork))).toBe("→ a | → b");
  expect(first(alignRuns(fork, left))).toBe("→ b | → a");
});

test("of a run that did nothing where the other one went on, what it did next is told", () => {
  const left = toldRun(1, [{ name: "Lead", did: ["model", "→ search", "tool search", "model", "→ answer"] }]);
  const right = toldRun(2, [{ name: "Lead", did: ["model", "→ answer"] }]);
  const pairs = alignRuns(left, right);
  expect(told(pairs[0])?.[0]).toBe("same: model rehearsal | model rehearsal");
  expect(first(pairs)).toBe("→ search | –");
  const [difference = { pair: 0, entry: null }] = listDifferences(pairs);
  const did = whatEachDid(pairs, difference);
  expect([words(did.left.entry), did.left.isNext]).toEqual(["→ search", false]);
  expect([words(did.right.entry), did.right.isNext]).toEqual(["→ answer", true]);
  const [back = difference] = listDifferences(alignRuns(right, left));
  expect(whatEachDid(alignRuns(right, left), back)).toMatchObject({ left: { isNext: true }, right: { isNext: false } });
  expect(whatEachDid(pairs, { pair: 0, entry: null }).left.entry).toBeNull();
});

test("what was done in between on one side does not move what comes after it", () => {
  const left = toldRun(1, [
    { name: "Lead", did: ["model", "→ a", "tool a", "model", "→ c", "tool c", "model", "→ answer"] },
  ]);
  const right = toldRun(2, [
    {
      name: "Lead",
      did: ["model", "→ a", "tool a", "model", "→ b", "tool b", "model", "→ c", "tool c", "model", "→ answer"],
    },
  ]);
  expect(told(alignRuns(left, right)[0])?.filter((line) => !line.startsWith("same"))).toEqual([
    "only-right: – | → b",
    "only-right: – | tool b",
    "only-right: – | model rehearsal",
  ]);
});

test("the same step that came out otherwise is a change: it failed, or a person answered something else", () => {
  const left = toldRun(1, [{ name: "Lead", did: ["model", "→ search", "tool search", "human user__ask"] }]);
  const right = toldRun(2, [{ name: "Lead", did: ["model", "→ search", "tool search failed", "human user__ask"] }]);
  for (const [tree, answer] of [
    [left, "short"],
    [right, "long"],
  ] as const)
    tree.requests.push(requestView(uuid(1), tree.agents[0]?.id ?? "", { position: 2, status: "answered", answer }));
  expect(told(alignRuns(left, right)[0])).toEqual([
    "same: model rehearsal | model rehearsal",
    "same: → search | → search",
    "changed: tool search | tool search",
    "changed: human Short or detailed? | human Short or detailed?",
  ]);
});

test("options chosen together are the same in any order", () => {
  const [left, right] = [delegating(1, "Searcher"), delegating(2, "Searcher")];
  const both = ["agent:Searcher", "agent:Checker"].map((option) => ({
    option,
    label: option,
    position: 1,
    reason: null,
  }));
  for (const [tree, chosen] of [
    [left, both],
    [right, [...both].reverse()],
  ] as const) {
    if (tree.decisions[0]) tree.decisions[0] = { ...tree.decisions[0], chosen: [...chosen] };
  }
  expect(first(alignRuns(left, right))).toBeNull();
});

test("another model for the whole run is no difference of each call; a stand-in is", () => {
  const did = ["model first", "→ search", "tool search", "model second", "→ answer"];
  const left = toldRun(1, [{ name: "Lead", did: did.map((line) => line.replace("second", "first")) }]);
  const right = toldRun(2, [
    { name: "Lead", did: did.map((line) => line.replace("first", "other").replace("second", "other")) },
  ]);
  left.run.model = "house/first";
  right.run.model = "house/other";
  expect(first(alignRuns(left, right))).toBeNull();
  const withStandIn = toldRun(2, [{ name: "Lead", did }]);
  withStandIn.run.model = "house/first";
  expect(first(alignRuns(left, withStandIn))).toBe("model first | model second");
});

test("that a run is a fork, or was paused, is nothing it did", () => {
  const left = delegating(1, "Searcher");
  const right = delegating(2, "Searcher", ["decides fork", "decides pause", "decides resume", "decides takeover"]);
  expect(first(alignRuns(left, right))).toBeNull();
});

test("agent runs are matched by what started them, then by task, then by name and order of start", () => {
  const lead = { name: "Lead", did: ["model", "→ agent:A", "model", "→ agent:A", "model", "→ agent:B"] };
  const child = (line: number, task: string, name = "A") => ({
    name,
    task,
    by: { agent: 0, line },
    from: line,
    did: [],
  });
  const left = toldRun(1, [lead, child(1, "one"), child(1, "two"), child(3, "three"), child(5, "b", "B")]);
  // Begun in another order, and two with words of their own.
  const right = toldRun(2, [lead, child(1, "two"), child(1, "uno"), child(3, "tres"), child(5, "b", "B")]);
  const tasks = alignRuns(left, right)
    .slice(1)
    .map(({ left: l, right: r }) => `${l?.task} | ${r?.task}`);
  expect(tasks).toEqual(["one | uno", "two | two", "three | tres", "b | b"]);
});

test("what differs first is told by the left run's clock, also among agents at work at once", () => {
  const run = (n: number, slow: string, quick: string) =>
    toldRun(n, [
      { name: "Lead", did: ["model", "→ agent:Slow"] },
      // Begins first and chooses last.
      { name: "Slow", by: { agent: 0, line: 1 }, from: 5, did: ["model", "tool a", "model", "tool b", `→ ${slow}`] },
      { name: "Quick", by: { agent: 0, line: 1 }, from: 6, did: ["model", `→ ${quick}`] },
    ]);
  expect(first(alignRuns(run(1, "a", "b"), run(2, "x", "y")))).toBe("→ b | → y");
  expect(first(alignRuns(run(1, "a", "b"), run(2, "x", "b")))).toBe("→ a | → x");
});

test("what only the right run has is placed by what follows it in the left one", () => {
  const run = (n: number, also: string[], quick: string) =>
    toldRun(n, [
      { name: "Lead", did: ["model", "→ agent:Slow"] },
      { name: "Slow", by: { agent: 0, line: 1 }, from: 5, did: ["model", "tool a", "model", ...also, "→ answer"] },
      { name: "Quick", by: { agent: 0, line: 1 }, from: 6, did: ["model", `→ ${quick}`] },
    ]);
  expect(first(alignRuns(run(1, [], "b"), run(2, ["tool c"], "y")))).toBe("→ b | → y");
  expect(first(alignRuns(run(1, [], "b"), run(2, ["tool c"], "b")))).toBe("– | tool c");
});

test("agent runs that ended otherwise differ, when nothing they did does", () => {
  const run = (n: number, status: "completed" | "failed") => toldRun(n, [{ name: "Lead", status, did: ["model"] }]);
  expect(first(alignRuns(run(1, "completed"), run(2, "failed")))).toBe("changed: Lead | Lead");
});

test("what a run at work has not come to yet is no difference", () => {
  const done = delegating(1, "Searcher");
  const atWork = toldRun(2, [{ name: "Lead", status: "running", did: ["model", "→ agent:Searcher"] }]);
  const pairs = alignRuns(done, atWork);
  expect(told(pairs[0])?.slice(2)).toEqual([
    "only-left, ahead: tool agent__spawn | –",
    "only-left, ahead: model rehearsal | –",
    "only-left, ahead: → answer | –",
  ]);
  expect(pairs[1]).toMatchObject({ state: "only-left", ahead: true });
  expect(listDifferences(pairs)).toEqual([]);
  expect(listDifferences(alignRuns(atWork, done))).toEqual([]);
  // What it did otherwise until now is one all the same.
  const elsewhere = toldRun(2, [{ name: "Lead", status: "running", did: ["model", "→ agent:Writer"] }]);
  expect(first(alignRuns(done, elsewhere))).toBe("→ Searcher | → Writer");
  expect(alignRuns(done, elsewhere)[1]).toMatchObject({ state: "only-left", ahead: false });
});

test("runs in which nothing happened", () => {
  const empty = toldRun(1, []);
  expect(alignRuns(empty, empty)).toEqual([]);
  const queued = toldRun(1, [{ name: "Lead", status: "queued", did: [] }]);
  expect(names(alignRuns(queued, queued))).toEqual(["same: Lead | Lead"]);
  const pairs = alignRuns(empty, delegating(2, "Searcher"));
  expect(names(pairs)).toEqual(["only-right: – | Lead", "only-right: – | Searcher"]);
  expect(first(pairs)).toBe("only-right: – | Lead");
});

/** One agent with `steps` steps, of which every `each`th differs. */
const long = (run: number, steps: number, each: number) =>
  toldRun(run, [
    {
      name: "Lead",
      did: Array.from({ length: steps }, (_, step) =>
        step % each === each - 1 ? `tool of-${run}` : `tool t${step % 7}`,
      ),
    },
  ]);

/** The quickest of three: what others do on the machine is not measured. */
function quickest<T>(work: () => T): { tookMs: number; result: T } {
  const tries = [1, 2, 3].map(() => {
    const begun = performance.now();
    const result = work();
    return { result, tookMs: performance.now() - begun };
  });
  return tries.reduce((best, each) => (each.tookMs < best.tookMs ? each : best));
}

test.each([
  ["the same", 20_000],
  ["one in a hundred different", 100],
  ["one in three different", 3],
  ["all different", 1],
])("10,000 steps a side are aligned in well under a second: %s", (_, each) => {
  const [left, right] = [long(1, 10_000, each), long(2, 10_000, each)];
  const { tookMs, result: differences } = quickest(() => listDifferences(alignRuns(left, right)));
  expect(tookMs).toBeLessThan(1_000);
  expect(differences).toHaveLength(each > 10_000 ? 0 : Math.floor(10_000 / each));
});

test("10,000 steps over 200 agents are aligned in well under a second", () => {
  const of = (run: number) =>
    toldRun(run, [
      { name: "Lead", did: ["model", "→ agent:A"] },
      ...Array.from({ length: 199 }, (_, n) => ({
        name: `A${n % 20}`,
        ...{ by: { agent: 0, line: 1 }, task: `${n}`, from: n },
        did: Array.from({ length: 50 }, (_each, step) =>
          n === 150 && step === 7 ? `tool of-${run}` : `tool t${step}`,
        ),
      })),
    ]);
  const [left, right] = [of(1), of(2)];
  const { tookMs, result } = quickest(() => first(alignRuns(left, right)));
  expect(result).toBe("tool of-1 | tool of-2");
  expect(tookMs).toBeLessThan(1_000);
});

test("10,000 steps a side are aligned in many parts, so that nobody else waits long", () => {
  const parts = (...runs: Parameters<typeof alignInParts>) => [...alignInParts(...runs)].length;
  expect(parts(long(1, 10_000, 3), long(2, 10_000, 3))).toBeGreaterThan(100);
});
