import type { PassageScores } from "@/server/knowledge/schema";
import type { ToolCall, ToolSpec } from "@/server/models/model";
import type { OfferedOption } from "@/server/runs/schema";
import type { OpenedStep, RecordedAgent, RunRecorder } from "../recorder/run-recorder";
import type { Random } from "./random";
import { ANSWER, DOCS, FIND, offerTool, SEARCH, UPDATE } from "./tools";
import { REASONS, ruleOf } from "./words";

/** A passage of the seeded base, as a search would return it. */
export type Passage = {
  chunk_id: string;
  base_id: string;
  document_id: string;
  document_name: string;
  heading: string;
  page: number | null;
  text: string;
  mark: string;
};

/** Who tells a run, and with what. */
export type Story = {
  run: RunRecorder;
  random: Random;
  passages: readonly Passage[];
  /** Who answers and stops; null while the workspace has no members. */
  person: { id: string; name: string } | null;
};

const TOOLS = [SEARCH, DOCS, FIND, UPDATE];
const RETRY: OfferedOption[] = [
  { key: "retry", kind: "action", label: "Retry", description: "Make the same model call again after a pause." },
  { key: "give_up", kind: "action", label: "Give up", description: "End this agent run as failed." },
];

/** As the retries' reasons say. */
const ASKED_TO_WAIT_MS = 2_000;

/** A model call from its beginning to its reply. Now and then the endpoint refuses first, and the call is made again. */
export function think(
  { run, random }: Story,
  agent: RecordedAgent,
  said: { text: string | null; calls?: ToolCall[]; tools: readonly ToolSpec[]; mayFail?: boolean },
): OpenedStep {
  if (said.mayFail && random.chance(0.03)) failOnce(run, random, agent, 1);
  const step = run.beginOne(agent, "model", run.head.model.name);
  const tookMs = random.between(400, 4_000);
  run.wait(tookMs);
  const usage = {
    inputTokens: 300 + agent.messages.length * random.between(60, 160),
    outputTokens: random.between(20, 240),
  };
  const told = {
    finishReason: said.calls?.length ? "tool_calls" : "stop",
    ...{ firstPieceMs: Math.round(tookMs * 0.3), pieces: usage.outputTokens },
  };
  run.reply(step, { text: said.text, calls: said.calls ?? [], usage, told }, said.tools);
  return step;
}

/** A refused model call and what the engine decided about it. */
export function failOnce(run: RunRecorder, random: Random, agent: RecordedAgent, failures: number, most = 3): void {
  const step = run.beginOne(agent, "model", run.head.model.name);
  run.wait(random.between(200, 900));
  run.fail(step, {
    ...{ code: "rate_limited", message: "The endpoint answered 429: too many requests." },
    facts: { retryAfterMs: ASKED_TO_WAIT_MS },
  });
  const goesOn = failures <= most;
  run.decide(step, {
    kind: "retry",
    offered: RETRY,
    chosen: goesOn
      ? [{ option: "retry", label: "Retry", position: step.position + 1, reason: null }]
      : [{ option: "give_up", label: "Give up", position: null, reason: null }],
    reason: goesOn
      ? `rate_limited; the provider asked to wait 2.0 s; retry ${failures} of ${most}`
      : `rate_limited; ${most} retries were made`,
    source: "runtime-rule",
  });
  if (goesOn) run.wait(ASKED_TO_WAIT_MS);
}

/** Searches, looks up and writes until it has taken `steps` steps, then answers. */
export function work(story: Story, agent: RecordedAgent, steps: number): void {
  const { random } = story;
  const until = agent.next + Math.max(1, steps) - 1;
  while (until - agent.next >= 2) callTools(story, agent, Math.min(random.between(1, 3), until - agent.next - 1));
  answer(story, agent, `${ruleOf(random)} ${markOf(story, agent)}`.trim());
}

/** Goes on until the run has exactly `steps` steps with the answer, which is the last of them. */
export function fill(story: Story, root: RecordedAgent, steps: number): void {
  const { run, random } = story;
  for (let left = steps - run.rows.of("steps").length - 1; left >= 2; left = steps - run.rows.of("steps").length - 1) {
    callTools(story, root, left <= 4 ? left - 1 : random.between(1, Math.min(3, left - 3)), false);
  }
  answer(story, root, ruleOf(random));
}

/** One turn that calls tools, and their results. */
function callTools(story: Story, agent: RecordedAgent, count: number, mayFail = true): void {
  const { run, random } = story;
  const calls = Array.from({ length: count }, (_, i) => aCall(random, `call_${agent.messages.length}_${i}`));
  const states = random.chance(0.8);
  const reasons = calls.map(({ reason }) => (states ? reason : null));
  const turn = think(story, agent, { text: null, calls: calls.map(({ call }) => call), tools: TOOLS, mayFail });
  run.decide(turn, {
    kind: "tool_choice",
    offered: [...TOOLS.map(offerTool), ANSWER],
    chosen: calls.map(({ call }, i) => ({
      ...{ option: call.name, label: call.name, position: turn.position + 1 + i, reason: reasons[i] ?? null },
    })),
    reason: states
      ? reasons.map((reason, i) => (count > 1 ? `${calls[i]?.call.name}: ${reason}` : reason)).join("\n")
      : null,
    source: states ? "model-stated" : "not-stated",
  });
  const opened = run.begin(
    agent,
    ...calls.map(({ call }) => ({
      kind: call.name === SEARCH.name ? ("retrieval" as const) : ("tool" as const),
      name: call.name,
    })),
  );
  for (const [i, step] of opened.entries()) {
    const call = calls[i]?.call;
    if (!call) continue;
    run.wait(random.between(20, 700));
    carryOut(story, step, call);
  }
}

function carryOut(story: Story, step: OpenedStep, call: ToolCall): void {
  const { run, random } = story;
  if (call.name === UPDATE.name) {
    run.effect(step, call, "applied");
    run.result(step, call, JSON.stringify({ status: "ok", ticket: random.between(1_000, 99_999) }));
  } else if (call.name === FIND.name && random.chance(0.1)) {
    const error = { code: "tool_failed", message: "The ticket system answered 404: there is no such ticket." };
    const facts = { category: "CLIENT_ERROR" } as const;
    run.result(step, call, JSON.stringify({ tool_call_error: error }), { ...error, facts });
  } else if (call.name === SEARCH.name && story.passages.length) {
    const found = [story.random.pick(story.passages)];
    const scores = scoresAt(step.position);
    for (const passage of found) cite(story, step.agent, passage, scores);
    run.found(
      step,
      found.map(({ mark }) => ({ mark, ...scores })),
    );
    const passages = found.map(({ mark, text, document_name: document, heading }) => ({
      citation: `[${mark}]`,
      text,
      document,
      heading,
    }));
    run.result(step, call, JSON.stringify({ passages }));
  } else {
    run.result(step, call, JSON.stringify({ passages: [ruleOf(random)] }));
  }
}

function aCall(random: Random, id: string): { call: ToolCall; reason: string } {
  const reason = random.pick(REASONS);
  const number = String(random.between(1_000, 99_999));
  const [tool, args] = random.pick([
    [SEARCH, { query: ruleOf(random) }],
    [SEARCH, { query: ruleOf(random) }],
    [DOCS, { query: "how runs are recorded" }],
    [FIND, { number }],
    [UPDATE, { number, note: ruleOf(random) }],
  ] as const);
  return { call: { id, name: tool.name, arguments: JSON.stringify({ ...args, reason }) }, reason };
}

const cited = new WeakMap<RunRecorder, Map<string, string>>();

/** Each passage once a run, as the search keeps it. */
function cite({ run }: Story, agent: RecordedAgent, passage: Passage, scores: PassageScores): void {
  const marks = cited.get(run) ?? new Map<string, string>();
  cited.set(run, marks);
  if (marks.has(passage.mark)) return;
  marks.set(passage.mark, agent.id);
  run.cite(agent, { ...passage, scores });
}

/** Some that differ from search to search, and are the same each time the seed is run. */
function scoresAt(position: number): PassageScores {
  const [vector, keyword] = [0.52 + (position % 9) / 50, 5.4 + (position % 7) * 0.6];
  return { vector, keyword, vectorRank: 1 + (position % 3), keywordRank: 1, fused: (vector + keyword) / 500 };
}

/** The mark of something this run was shown; empty when it was shown nothing. */
function markOf({ run }: Story, agent: RecordedAgent): string {
  const marks = [...(cited.get(run) ?? [])];
  const [mark] = marks.find(([, by]) => by === agent.id) ?? marks[0] ?? [];
  return mark ? `[${mark}]` : "";
}

/** The agent's last model call, and its end. */
export function answer(story: Story, agent: RecordedAgent, text: string, tools: readonly ToolSpec[] = TOOLS): void {
  const { run } = story;
  const last = think(story, agent, { text, tools });
  run.decide(last, {
    kind: "finish",
    offered: [...tools.map(offerTool), ANSWER],
    chosen: [{ option: ANSWER.key, label: ANSWER.label, position: null, reason: null }],
    ...{ reason: null, source: "not-stated" },
  });
  agent.result = text;
  run.move(agent, "completed");
  if (agent.parentId === null) run.moveRun("completed", null, text);
}
