import { expect, test } from "vitest";
import {
  type AgentFacts,
  alsoStartableBy,
  EMPTY_DRAFT,
  fieldOfPlace,
  isSameDraft,
  pinned,
  pinnedTreeOf,
  placesOf,
  purposeIn,
  teamProblems,
  treeOf,
} from "./rules";
import type { TeamDraft, TeamPlace } from "./schema";

const agent = (id: string, also: Partial<AgentFacts> = {}): [string, AgentFacts] => [
  id,
  {
    ...{ id, name: id, version: 1, agentVersionId: `${id}@1`, isDeleted: false, purpose: `Does ${id}.` },
    ...{ canSpawnAgents: true, maxAgentDepth: 3 },
    ...also,
  },
];
const place = (agentId: string, ...children: TeamPlace[]): TeamPlace => ({ agentId, purpose: null, children });
const draftOf = (root: TeamPlace | null): TeamDraft => ({ ...EMPTY_DRAFT, root });
const problemsOf = (root: TeamPlace | null, ...agents: [string, AgentFacts][]) =>
  teamProblems(draftOf(root), new Map([...["Lead", "Searcher", "Writer"].map((id) => agent(id)), ...agents]));

test("a supervisor over agents has no problem, and neither has an agent alone", () => {
  expect(problemsOf(place("Lead", place("Searcher"), place("Writer")))).toEqual([]);
  expect(problemsOf(place("Lead"), agent("Lead", { canSpawnAgents: false }))).toEqual([]);
});

test("the same agent may work under several supervisors", () => {
  const both = [place("Searcher", place("Leaf")), place("Writer", place("Leaf"))];
  expect(problemsOf(place("Lead", ...both), agent("Leaf"))).toEqual([]);
});

test("without a supervisor that is the one problem", () => {
  expect(problemsOf(null)).toEqual([{ field: "root", message: "Choose its supervisor." }]);
});

test("an agent that would work under itself is named with the whole way round, from wherever it begins", () => {
  expect(problemsOf(place("Lead", place("Lead")))).toEqual([
    { field: "root.children.0", message: "Lead would work under itself: Lead → Lead. Remove one of the places." },
  ]);
  expect(problemsOf(place("Lead", place("Writer"), place("Searcher", place("Writer", place("Searcher")))))).toEqual([
    {
      field: "root.children.1.children.0.children.0",
      message: "Searcher would work under itself: Searcher → Writer → Searcher. Remove one of the places.",
    },
  ]);
});

test("the same agent twice under one supervisor is said once", () => {
  expect(problemsOf(place("Lead", place("Writer"), place("Writer"), place("Writer")))).toEqual([
    { field: "root", message: "Writer is more than once under Lead. One place is enough." },
  ]);
});

test.each([
  ["deleted", agent("Writer", { isDeleted: true }), "“Writer” was deleted."],
  ["never published", agent("Writer", { version: null, agentVersionId: null }), "Writer was never published."],
])("an agent that is %s stands in the way by name", (_, facts, message) => {
  expect(problemsOf(place("Lead", place("Writer")), facts)).toEqual([
    { field: "root.children.0", message: expect.stringContaining(message) },
  ]);
});

test("an id of no agent is a problem of its place", () => {
  expect(problemsOf(place("Lead", place("nobody")))).toMatchObject([{ field: "root.children.0" }]);
});

test("whoever has others below may start agents", () => {
  const idle = agent("Searcher", { canSpawnAgents: false });
  expect(problemsOf(place("Lead", place("Searcher", place("Writer"))), idle)).toEqual([
    {
      field: "root.children.0",
      message: "Searcher may not start agents: turn on “May lead other agents” under Team in its form, and publish it.",
    },
  ]);
});

test("a root that the engine leads starts nobody itself, and has at least two agents below it", () => {
  const facts = new Map([
    agent("Lead", { canSpawnAgents: false }),
    agent("Searcher", { canSpawnAgents: false }),
    agent("Writer"),
  ]);
  const problemsIn = (root: TeamPlace) => teamProblems({ ...draftOf(root), pattern: "pipeline" }, facts);
  expect(problemsIn(place("Lead", place("Searcher"), place("Writer")))).toEqual([]);
  expect(problemsIn(place("Lead", place("Searcher", place("Writer"))))).toMatchObject([
    { field: "pattern", message: "With the pattern pipeline, at least two agents work below the supervisor." },
    { field: "root.children.0", message: expect.stringMatching(/^Searcher may not start agents/) },
  ]);
});

test("a child needs a purpose, its own or that of the place; the root needs none", () => {
  const mute = agent("Writer", { purpose: " " });
  expect(problemsOf(place("Lead", place("Writer")), mute)).toEqual([
    { field: "root.children.0.purpose", message: "Say what Writer is for: its supervisor chooses by it." },
  ]);
  expect(problemsOf(place("Lead", { ...place("Writer"), purpose: "Writes." }), mute)).toEqual([]);
  expect(problemsOf(place("Writer"), mute)).toEqual([]);
  expect(purposeIn({ ...place("Writer"), purpose: " " }, agent("Writer")[1])).toBe("Does Writer.");
});

test("depth is limited by the root for the whole team and by each supervisor for those it starts", () => {
  const chain = place("Lead", place("Searcher", place("Writer")));
  const refused = (limit: number, name: string) => ({
    field: "root.children.0.children.0",
    message: `Writer is 2 levels down, and ${name} allows ${limit}: raise its depth limit or move Writer up.`,
  });
  expect(problemsOf(chain, agent("Lead", { maxAgentDepth: 1 }))).toEqual([refused(1, "Lead")]);
  expect(problemsOf(chain, agent("Searcher", { maxAgentDepth: 1 }))).toEqual([refused(1, "Searcher")]);
  expect(problemsOf(chain, agent("Lead", { maxAgentDepth: 2 }), agent("Searcher", { maxAgentDepth: 2 }))).toEqual([]);
});

test("a team may have 200 places and not one more", () => {
  const agents = Array.from({ length: 200 }, (_, n) => agent(`A${n}`));
  const below = agents.map(([id]) => place(id));
  expect(problemsOf(place("Lead", ...below.slice(1)), ...agents)).toEqual([]);
  expect(problemsOf(place("Lead", ...below), ...agents)).toEqual([
    { field: "root", message: "It has 201 places, and a team may have 200." },
  ]);
});

test("all problems are found at once", () => {
  const root = place("Lead", place("Lead"), place("nobody"));
  expect(problemsOf(root, agent("Lead", { canSpawnAgents: false, isDeleted: true })).length).toBeGreaterThan(4);
});

test("places are found by their path, and paths lead to fields", () => {
  const root = place("Lead", place("Searcher"), place("Writer", place("Leaf")));
  expect(placesOf(root).map(({ path, place: { agentId } }) => [path, agentId])).toEqual([
    ["", "Lead"],
    ["0", "Searcher"],
    ["1", "Writer"],
    ["1.0", "Leaf"],
  ]);
  expect([fieldOfPlace(""), fieldOfPlace("1.0")]).toEqual(["root", "root.children.1.children.0"]);
  expect(placesOf(null)).toEqual([]);
});

test("a published tree becomes a draft in the order of its positions, and can be compared as it was pinned", () => {
  const node = (id: string, parentId: string | null, position: number, purpose: string | null = null) => ({
    ...{ id, parentId, position, purpose, agentId: id, agentName: id, agentVersion: 1, agentVersionId: `${id}@1` },
  });
  const nodes = [node("Writer", "Lead", 1, "Writes."), node("Lead", null, 0), node("Searcher", "Lead", 0)];
  const draft = place("Lead", place("Searcher"), { ...place("Writer"), purpose: "Writes." });
  expect(treeOf(nodes)).toEqual(draft);
  const agents = new Map(["Lead", "Searcher", "Writer"].map((id) => agent(id)));
  expect(pinned(draft, agents)).toEqual(pinnedTreeOf(nodes));
  expect(() => pinned(place("nobody"), agents)).toThrow();
  expect(treeOf([])).toBeNull();
});

test("drafts are the same when they say the same", () => {
  const one = draftOf({ ...place("Lead", place("Writer")), purpose: "" });
  expect(isSameDraft(one, draftOf(place("Lead", place("Writer"))))).toBe(true);
  expect(isSameDraft(one, draftOf(place("Lead")))).toBe(false);
  expect(isSameDraft(one, { ...one, pattern: "route" })).toBe(false);
  expect(isSameDraft(one, { ...one, root: null })).toBe(false);
});

test("agents on the list of who may also be started must be there, published and say what they are for", () => {
  const problems = teamProblems(
    { ...draftOf(place("Lead", place("Writer"))), alsoAllowed: ["Gone", "Deleted", "Draft", "Mute", "Searcher"] },
    new Map([
      ...["Lead", "Searcher", "Writer"].map((id) => agent(id)),
      agent("Deleted", { isDeleted: true }),
      agent("Draft", { version: null, agentVersionId: null }),
      agent("Mute", { purpose: " " }),
    ]),
  );
  expect(problems.map(({ field }) => field)).toEqual(Array.from({ length: 4 }, () => "alsoAllowed"));
  expect(problems.map(({ message }) => message)).toEqual([
    "An agent that the supervisors may also start does not exist. Take it off the list.",
    "“Deleted” was deleted. Take it off the agents that the supervisors may also start.",
    "Draft was never published. Publish it first.",
    "Say in its form what Mute is for: supervisors choose by it.",
  ]);
});

test("a root that has only those to start must be allowed to lead, too", () => {
  const mayNot = new Map([agent("Lead", { canSpawnAgents: false }), agent("Searcher")]);
  const problems = teamProblems({ ...draftOf(place("Lead")), alsoAllowed: ["Searcher"] }, mayNot);
  expect(problems).toMatchObject([{ field: "root", message: expect.stringMatching(/^Lead may not start agents/) }]);
});

test("a supervisor may also start whoever is on the list, but none twice and none it works under", () => {
  const [root, middle, leaf] = placesOf(place("Lead", place("Middle", place("Leaf"))));
  const list = ["Lead", "Middle", "Leaf", "Other"];
  expect(root && alsoStartableBy(root, list)).toEqual(["Leaf", "Other"]);
  expect(middle && alsoStartableBy(middle, list)).toEqual(["Other"]);
  expect(leaf && alsoStartableBy(leaf, list)).toEqual([]);
});
