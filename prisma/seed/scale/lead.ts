import type { ToolCall } from "@/server/models/model";
import type { OpenedStep, RecordedAgent } from "../recorder/run-recorder";
import { failOnce, type Story, think, work } from "./story";
import { ANSWER, ASK, COLLECT, offerAgent, offerTool, SPAWN } from "./tools";
import { taskOf } from "./words";
import type { Cast } from "./workshop";

export const LEAD_TOOLS = [SPAWN, COLLECT, ASK];

export type Wave = {
  /** Whom it starts at once; each plays its own part. */
  parts: readonly { cast: Cast; play: (child: RecordedAgent) => void }[];
};

/** A lead starts several agents in one turn and collects them in the next; they work at the same time. */
export function delegate(story: Story, lead: RecordedAgent, cast: Cast, { parts }: Wave): void {
  const { run, random } = story;
  const tasks = parts.map((part, i) => {
    const reason = `${part.cast.name} fits this part: ${part.cast.purpose}`;
    const args = { agent: part.cast.name, prompt: taskOf(random), reason };
    const call: ToolCall = {
      id: `call_${lead.messages.length}_${i}`,
      name: SPAWN.name,
      arguments: JSON.stringify(args),
    };
    return { ...part, ...args, call };
  });
  const turn = think(story, lead, {
    text: `${tasks.length} parts can be done at the same time.`,
    calls: tasks.map(({ call }) => call),
    tools: LEAD_TOOLS,
    mayFail: true,
  });
  const decisionId = run.decide(turn, {
    kind: "delegate",
    offered: [
      ...cast.below.map(({ name, purpose }) => offerAgent(name, purpose)),
      ...LEAD_TOOLS.map(offerTool),
      ANSWER,
    ],
    chosen: tasks.map(({ agent, reason }, i) => ({
      option: `agent:${agent}`,
      label: agent,
      position: turn.position + 1 + i,
      reason,
    })),
    reason: tasks.map(({ agent, reason }) => (tasks.length > 1 ? `${agent}: ${reason}` : reason)).join("\n"),
    source: "model-stated",
  });
  const spawns = run.begin(lead, ...tasks.map(() => ({ kind: "tool" as const, name: SPAWN.name })));
  run.wait(30);
  const children = tasks.map((task, i) => {
    const step = spawns[i] as OpenedStep;
    const from = { parent: lead, decisionId, position: step.position };
    const child = run.agent({ ...task.cast }, task.prompt, `You are ${task.cast.name}.`, from);
    run.result(step, task.call, JSON.stringify({ status: "ok", id: child.handle, agent: child.name }));
    return { ...task, child };
  });

  const begun = run.now;
  const ends = children.map(({ child, play }) => {
    run.now = begun;
    run.wait(random.between(20, 400));
    run.move(child, "running");
    play(child);
    return run.now;
  });
  run.now = begun;
  collect(
    story,
    lead,
    children.map(({ child }, i) => ({ child, end: ends[i] ?? begun })),
  );
}

function collect(story: Story, lead: RecordedAgent, children: readonly { child: RecordedAgent; end: Date }[]): void {
  const { run } = story;
  const calls = children.map(({ child }, i) => ({
    ...{ id: `call_${lead.messages.length}_${i}`, name: COLLECT.name, arguments: JSON.stringify({ id: child.handle }) },
  }));
  const turn = think(story, lead, { text: `Waiting for ${children.length} agents.`, calls, tools: LEAD_TOOLS });
  run.decide(turn, {
    kind: "tool_choice",
    offered: [...LEAD_TOOLS.map(offerTool), ANSWER],
    chosen: calls.map(({ name }, i) => ({ option: name, label: name, position: turn.position + 1 + i, reason: null })),
    reason: `Waiting for ${children.length} agents.`,
    source: "model-stated",
  });
  const steps = run.begin(lead, ...calls.map(({ name }) => ({ kind: "tool" as const, name })));
  // The result messages follow the calls' order, whoever is ready first.
  for (const [i, { child, end }] of children.entries()) {
    const [step, call] = [steps[i], calls[i]];
    if (!step || !call) continue;
    if (end > run.now) run.now = end;
    run.wait(5);
    child.isCollected = true;
    const output = child.result ?? "";
    const failed = child.status === "completed" ? {} : { message: child.statusReason };
    run.result(
      step,
      call,
      JSON.stringify({
        status: "completed",
        id: child.handle,
        agent: child.name,
        exit_status: child.status,
        output,
        ...failed,
      }),
    );
  }
}

/** A child's part: some work, which one in twenty does not get done. */
export function childWork(story: Story, steps: number): (child: RecordedAgent) => void {
  return (child) => {
    const { run, random } = story;
    if (!random.chance(0.05)) return work(story, child, steps);
    for (let failures = 1; failures <= 4; failures++) failOnce(run, random, child, failures);
    run.move(child, "failed", "rate_limited: The endpoint answered 429: too many requests.");
  };
}
