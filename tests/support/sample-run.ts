import type { PrismaClient } from "@/prisma/generated/client";
import { type OpenedStep, type RecordedAgent, RunRecorder } from "@/prisma/seed/recorder/run-recorder";
import { storeRuns } from "@/prisma/seed/recorder/store-runs";
import type { StepKind } from "@/server/engine/events";
import type { ToolCall, ToolSpec } from "@/server/models/model";
import type { OfferedOption } from "@/server/runs/schema";
import { provenWorkspace, type WorkspaceId } from "@/server/workspaces/scope";
import { aTeam, aUser, type TeamFixture } from "./factories";

/** $0.40 and $1.60 a million tokens. */
const SAMPLE_MODEL = {
  provider: "api.example.com",
  name: "general-1",
  inputNanoUsd: 400,
  outputNanoUsd: 1600,
  temperature: 0.2,
};

export const SAMPLE_STATES = ["finished", "live", "waiting", "failed"] as const;
export type SampleState = (typeof SAMPLE_STATES)[number];

const SEARCHER = "Searcher";
const WRITER = "Writer";

/** The team the sample runs use; one a workspace. */
export async function aSampleTeam(db: PrismaClient, workspaceId: WorkspaceId): Promise<TeamFixture> {
  return aTeam(db, workspaceId, {
    name: "Handbook desk",
    description: "Answers questions from the handbook and files a note.",
    example: "May a customer return a parcel that arrived damaged? File a note with the answer.",
    supervisor: {
      name: "Desk lead",
      purpose: "Splits a question among the desk and gives the answer.",
      instructions: "You lead the desk. Delegate, collect, then answer in three sentences.",
      tools: ["agent__spawn", "agent__collect"],
    },
    agents: [
      { name: SEARCHER, purpose: "Finds passages in the handbook.", tools: ["docs__search"] },
      { name: WRITER, purpose: "Writes notes and files them.", tools: ["notes__write", "user__ask"] },
    ],
  });
}

const string = { type: "string" };
const tool = (name: string, description: string, ...fields: string[]): ToolSpec => ({
  name,
  description,
  parameters: {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field, string])),
    required: fields,
  },
});
const SPAWN = tool("agent__spawn", "Starts a child agent and returns its handle.", "agent", "prompt", "reason");
const COLLECT = tool("agent__collect", "Waits for a child agent and returns its result.", "id", "reason");
const SEARCH = tool("docs__search", "Searches the handbook.", "query", "reason");
const WRITE = tool("notes__write", "Files a note.", "title", "text", "reason");
const ASK = tool("user__ask", "Asks a person.", "question", "reason");

const offer = (spec: ToolSpec): OfferedOption => ({
  key: spec.name,
  kind: "tool",
  label: spec.name,
  description: spec.description,
});
const FINISH: OfferedOption = { key: "finish", kind: "action", label: "Finish", description: "Answer without a tool." };
const offerAgent = (name: string, description: string): OfferedOption => ({
  key: `agent:${name}`,
  kind: "agent",
  label: name,
  description,
});
const call = (id: string, name: string, args: Record<string, string>): ToolCall => ({
  id,
  name,
  arguments: JSON.stringify(args),
});
const PASSAGE = "Parcels that arrive damaged are refunded within 30 days when a photo is attached. ";

/**
 * Inserts a run as rows, without an engine: a lead delegates to two agents. `live` ends while one of them streams,
 * `waiting` at a question to a person, `failed` when the lead's last model call gives up. Returns the run's id.
 */
export async function insertSampleRun(
  db: PrismaClient,
  where: { workspaceId: string; team: TeamFixture; startedById?: string | null; state: SampleState },
): Promise<string> {
  const workspaceId = provenWorkspace(where.workspaceId);
  const question = "May a customer return a parcel that arrived damaged?";
  const text = { title: `${question} (${where.state})`, input: `${question} File a note with the answer.` };
  const run = new RunRecorder({
    ...{ workspaceId, team: where.team, agentVersionId: null, ...text, startedById: where.startedById ?? null },
    model: { ...SAMPLE_MODEL, ref: `${SAMPLE_MODEL.provider}/${SAMPLE_MODEL.name}` },
    createdAt: new Date(Date.now() - 95_000),
    // Parts far smaller than in earnest, so that every reader has to join some.
    partCharacters: 4_096,
  });
  const { root: rootNode, children } = where.team;
  const [searcherNode, writerNode] = children;
  if (!searcherNode || !writerNode) throw new Error("The sample team has two children.");
  const save = async () => {
    await storeRuns([run]);
    return run.id;
  };

  const lead = run.agent(rootNode, text.input, "You lead the desk. Delegate, collect, then answer.");
  run.wait(900);
  run.moveRun("running");
  run.move(lead, "running");

  const [plan] = begin(run, lead, "model", SAMPLE_MODEL.name);
  run.wait(2_100);
  const spawns = [
    call("call_1", "agent__spawn", {
      agent: SEARCHER,
      prompt: "Find the rule on damaged parcels.",
      reason: "It can search.",
    }),
    call("call_2", "agent__spawn", { agent: WRITER, prompt: "Prepare a note on returns.", reason: "It files notes." }),
  ] as const;
  run.reply(plan, { text: null, calls: [...spawns], usage: { inputTokens: 812, outputTokens: 96 } }, [SPAWN, COLLECT]);
  const delegation = run.decide(plan, {
    kind: "delegate",
    offered: [
      offerAgent(SEARCHER, "Finds passages in the handbook."),
      offerAgent(WRITER, "Writes notes and files them."),
      offer(COLLECT),
      FINISH,
    ],
    chosen: [
      { option: `agent:${SEARCHER}`, label: SEARCHER, position: 1, reason: "It can search." },
      { option: `agent:${WRITER}`, label: WRITER, position: 2, reason: "It files notes." },
    ],
    reason: "Finding and writing do not depend on each other.",
    source: "model-stated",
  });
  const [spawnFirst, spawnSecond] = run.begin(
    lead,
    { kind: "tool", name: "agent__spawn" },
    { kind: "tool", name: "agent__spawn" },
  );
  const child = (parent: RecordedAgent, spawn: OpenedStep | undefined) => ({
    parent,
    decisionId: delegation,
    position: spawn?.position ?? 0,
  });
  const searcher = run.agent(searcherNode, "Find the rule on damaged parcels.", "You search.", child(lead, spawnFirst));
  const writer = run.agent(writerNode, "Prepare a note on returns.", "You write notes.", child(lead, spawnSecond));
  run.wait(40);
  if (spawnFirst) run.result(spawnFirst, spawns[0], JSON.stringify({ status: "ok", id: searcher.handle }));
  if (spawnSecond) run.result(spawnSecond, spawns[1], JSON.stringify({ status: "ok", id: writer.handle }));
  run.wait(300);
  run.move(searcher, "running");
  run.move(writer, "running");

  const [collectTurn] = begin(run, lead, "model", SAMPLE_MODEL.name);
  const [searchTurn] = begin(run, searcher, "model", SAMPLE_MODEL.name);
  run.wait(1_700);
  const collects = [
    call("call_3", "agent__collect", { id: searcher.handle, reason: "The rule comes first." }),
    call("call_4", "agent__collect", { id: writer.handle, reason: "The note is asked for." }),
  ] as const;
  run.reply(collectTurn, { text: null, calls: [...collects], usage: { inputTokens: 1_034, outputTokens: 61 } }, [
    SPAWN,
    COLLECT,
  ]);
  run.decide(collectTurn, {
    kind: "tool_choice",
    offered: [offer(SPAWN), offer(COLLECT), FINISH],
    chosen: [
      { option: "agent__collect", label: "agent__collect", position: 4, reason: "The rule comes first." },
      { option: "agent__collect", label: "agent__collect", position: 5, reason: "The note is asked for." },
    ],
    reason: null,
    source: "model-stated",
  });
  const [collectFirst, collectSecond] = run.begin(
    lead,
    { kind: "tool", name: "agent__collect" },
    { kind: "tool", name: "agent__collect" },
  );

  const search = call("call_1", "docs__search", {
    query: "damaged parcel refund",
    reason: "The rule is in the handbook.",
  });
  run.reply(searchTurn, { text: null, calls: [search], usage: { inputTokens: 402, outputTokens: 38 } }, [SEARCH]);
  run.decide(searchTurn, {
    kind: "tool_choice",
    offered: [offer(SEARCH), FINISH],
    chosen: [{ option: "docs__search", label: "docs__search", position: 1, reason: "The rule is in the handbook." }],
    reason: null,
    source: "model-stated",
  });
  const [searching] = begin(run, searcher, "tool", "docs__search");
  run.wait(620);
  // Over 8 kB, so that it lies in a blob.
  run.result(searching, search, JSON.stringify({ passages: [PASSAGE.repeat(120)] }));

  const [summing] = begin(run, searcher, "model", SAMPLE_MODEL.name);
  if (where.state === "live") {
    run.stream(summing, "Parcels that arrive damaged are refunded");
    return save();
  }
  run.wait(1_900);
  run.reply(summing, { text: PASSAGE, usage: { inputTokens: 2_911, outputTokens: 44 } }, [SEARCH]);
  finish(run, summing, searcher, PASSAGE);
  if (collectFirst) run.result(collectFirst, collects[0], JSON.stringify({ status: "completed", output: PASSAGE }));

  const [askTurn] = begin(run, writer, "model", SAMPLE_MODEL.name);
  run.wait(1_300);
  const ask = call("call_1", "user__ask", {
    question: "Under which title shall the note be filed?",
    reason: "Two would fit.",
  });
  run.reply(askTurn, { text: "Two titles would fit.", calls: [ask], usage: { inputTokens: 388, outputTokens: 41 } }, [
    WRITE,
    ASK,
  ]);
  const asking = run.decide(askTurn, {
    kind: "tool_choice",
    offered: [offer(WRITE), offer(ASK), FINISH],
    chosen: [{ option: "user__ask", label: "user__ask", position: 1, reason: "Two would fit." }],
    reason: "Two would fit.",
    source: "model-stated",
  });
  const [waiting] = begin(run, writer, "human", "user__ask");
  const requestId = run.ask(waiting, asking, {
    prompt: "Under which title shall the note be filed?",
    options: [
      { value: "Returns", label: "Returns" },
      { value: "Damaged parcels", label: "Damaged parcels", description: "A page of its own" },
    ],
  });
  run.move(writer, "waiting", "question");
  if (where.state === "waiting") {
    run.move(lead, "waiting", "question");
    run.moveRun("waiting", "question");
    return save();
  }
  run.wait(21_000);
  run.answer(requestId, "Returns", await aPerson(db, where.startedById));
  run.move(writer, "running");
  run.result(waiting, ask, "Returns");

  const [writeTurn] = begin(run, writer, "model", SAMPLE_MODEL.name);
  run.wait(1_200);
  const write = call("call_2", "notes__write", { title: "Returns", text: PASSAGE, reason: "Asked for." });
  run.reply(writeTurn, { text: null, calls: [write], usage: { inputTokens: 455, outputTokens: 88 } }, [WRITE, ASK]);
  run.decide(writeTurn, {
    kind: "tool_choice",
    offered: [offer(WRITE), offer(ASK), FINISH],
    chosen: [{ option: "notes__write", label: "notes__write", position: 3, reason: "Asked for." }],
    reason: "Asked for.",
    source: "model-stated",
  });
  const [writing] = begin(run, writer, "tool", "notes__write");
  run.wait(80);
  run.effect(writing, write, "applied");
  run.result(writing, write, JSON.stringify({ status: "ok", id: 7 }));
  const [closing] = begin(run, writer, "model", SAMPLE_MODEL.name);
  run.wait(700);
  run.reply(closing, { text: "Filed under Returns.", usage: { inputTokens: 561, outputTokens: 9 } }, [WRITE, ASK]);
  finish(run, closing, writer, "Filed under Returns.");
  if (collectSecond)
    run.result(collectSecond, collects[1], JSON.stringify({ status: "completed", output: "Filed under Returns." }));

  const [last] = begin(run, lead, "model", SAMPLE_MODEL.name);
  run.wait(1_500);
  if (where.state === "failed") {
    const error = { code: "rate_limited", message: "The endpoint refused three times: too many requests." };
    run.fail(last, error);
    run.decide(last, {
      kind: "limit",
      offered: [],
      chosen: [{ option: "fail", label: "Give up", position: null, reason: null }],
      reason: "Three attempts failed.",
      source: "runtime-rule",
    });
    run.move(lead, "failed", error.message);
    run.moveRun("failed", error.message);
    return save();
  }
  const answer = "Yes, within 30 days when a photo is attached. A note is filed under Returns.";
  run.reply(last, { text: answer, usage: { inputTokens: 1_377, outputTokens: 52 } }, [SPAWN, COLLECT]);
  finish(run, last, lead, answer);
  run.moveRun("completed", null, answer);
  return save();
}

function begin(run: RunRecorder, agent: RecordedAgent, kind: StepKind, name: string): [OpenedStep] {
  return [run.beginOne(agent, kind, name)];
}

/** The agent answered in words instead of a call. */
function finish(run: RunRecorder, step: OpenedStep, agent: RecordedAgent, result: string): void {
  run.decide(step, {
    kind: "finish",
    offered: [FINISH],
    chosen: [{ option: "finish", label: "Finish", position: null, reason: null }],
    reason: null,
    source: "not-stated",
  });
  agent.result = result;
  run.move(agent, "completed");
}

async function aPerson(db: PrismaClient, id: string | null | undefined): Promise<{ id: string; name: string }> {
  return id ? db.user.findUniqueOrThrow({ where: { id }, select: { id: true, name: true } }) : aUser(db);
}
