import { expect, test } from "vitest";
import { type AgentConfig, agentConfig } from "@/server/agents/schema";
import { HELD_STATUSES, RUN_STATUSES, TERMINAL_STATUSES } from "@/server/engine/state";
import { type Existing, type Place, uniqueTags, whyNotChangeView, whyNotRemove, whyNotRun } from "./rules";

const base = "00000000-0000-7000-8000-000000000001";
const existing: Existing = {
  tools: new Set(["docs__search", "agent__spawn"]),
  toolServers: [
    {
      name: "files",
      tools: [{ name: "read" }],
      effects: {},
      policies: {},
      enabled: true,
      check_error: "It did not answer.",
    },
    { name: "shop", tools: [{ name: "order" }], effects: {}, policies: {}, enabled: false, check_error: null },
  ],
  knowledgeBases: new Set([base]),
  models: new Set(["rehearsal/rehearsal", "acme/large"]),
};
const place = (name: string, config: Partial<AgentConfig> = {}, isDeleted = false): Place => ({
  name,
  isDeleted,
  config: agentConfig.parse({ purpose: "", instructions: "", ...config }),
});
const whyNot = (places: Place[], model = { ref: "rehearsal/rehearsal", isChosen: false }) =>
  whyNotRun({ kind: "team", places, model }, existing);

test("what has everything it names may run, also when its tool server failed the last test", () => {
  const complete = { tools: ["docs__search", "files__read"], knowledge: [base], model: "acme/large" };
  expect(whyNot([place("Lead", { tools: ["agent__spawn"] }), place("Searcher", complete)])).toEqual([]);
});

test("every missing thing of every agent is named", () => {
  const problems = whyNot([
    place("Lead", { tools: ["docs__serach", "files__write", "shop__order"] }),
    place("Searcher", { knowledge: [base.replace(/1$/, "2")], model: "acme/gone" }),
    place("Writer", {}, true),
  ]);
  expect(problems).toEqual([
    expect.stringMatching(/^Lead uses tools that do not exist here: docs__serach, files__write\./),
    expect.stringMatching(/^Lead uses the tool server “shop”, which is turned off\./),
    expect.stringMatching(/^Searcher searches a knowledge base that no longer exists\./),
    expect.stringMatching(/^Searcher uses the model “acme\/gone”, which is not set up here\./),
    expect.stringMatching(/^“Writer” was deleted and is still in the team\./),
  ]);
});

test("models that condense must be set up, too, and each is named once", () => {
  const config = agentConfig.parse({ purpose: "", instructions: "", compaction: { model: "acme/gone" } });
  expect(whyNot([place("Lead", { ...config, canSpawnAgents: true, summarizationModel: "acme/gone" })])).toEqual([
    expect.stringMatching(/^Lead uses the model “acme\/gone”, which is not set up here\./),
  ]);
  expect(whyNot([place("Lead", { ...config, compaction: { ...config.compaction, enabled: false } })])).toEqual([]);
});

test("a model that is not set up is named as what it is: chosen for this run, or the workspace's", () => {
  expect(whyNot([place("Lead")], { ref: "acme/gone", isChosen: true })).toEqual([
    "The model “acme/gone” is not set up here. Choose another.",
  ]);
  expect(whyNot([place("Lead")], { ref: "acme/gone", isChosen: false })).toEqual([
    expect.stringMatching(/^The workspace's default model “acme\/gone”/),
  ]);
  // Nobody would call it.
  expect(whyNot([place("Lead", { model: "acme/large" })], { ref: "acme/gone", isChosen: false })).toEqual([]);
});

test("only a run that has ended or is held can be removed", () => {
  const removable = RUN_STATUSES.filter((status) => whyNotRemove(status) === null);
  expect([...removable].sort()).toEqual([...TERMINAL_STATUSES, ...HELD_STATUSES].sort());
});

test("tags that are written differently are one, as it was written first", () => {
  expect(uniqueTags(["Ops", "ÄRGER", "ops", "ärger", "more"])).toEqual(["Ops", "ÄRGER", "more"]);
});

test("a view is changed by its owner while it is theirs alone, and by editors", () => {
  const may = (role: Parameters<typeof whyNotChangeView>[0], isMine: boolean, isShared: boolean) =>
    whyNotChangeView(role, { isMine, isShared }) === null;
  expect(may("viewer", true, false)).toBe(true);
  expect(may("operator", true, true)).toBe(false);
  expect(may("operator", false, true)).toBe(false);
  expect(may("editor", false, true)).toBe(true);
  expect(may("owner", true, true)).toBe(true);
});
