import type { RecordedAgent } from "../recorder/run-recorder";
import { LEAD_TOOLS } from "./lead";
import { answer, failOnce, type Story, think } from "./story";
import { ANSWER, ASK, DOCS, offerTool } from "./tools";
import { ruleOf } from "./words";

/** How a run of the scale seed ends, or what it waits for. Each leaves what the engine leaves. */
const ENDINGS = [
  "completes",
  "asks and completes",
  "fails",
  "is stopped",
  "reaches its limit",
  "is interrupted",
  "waits for an answer",
  "waits for an approval",
] as const;
export type Ending = (typeof ENDINGS)[number];

export function end(story: Story, root: RecordedAgent, ending: Ending): void {
  const { run, random } = story;
  switch (ending) {
    case "completes":
      answer(story, root, `${ruleOf(random)} ${ruleOf(random)}`, LEAD_TOOLS);
      break;
    case "asks and completes":
      askAndHear(story, root);
      answer(story, root, ruleOf(random), LEAD_TOOLS);
      break;
    case "fails":
      for (let failures = 1; failures <= 4; failures++) failOnce(run, random, root, failures);
      moveBoth(story, root, "failed", "rate_limited: The endpoint answered 429: too many requests.");
      break;
    case "is stopped":
      stop(story, root);
      break;
    case "reaches its limit":
      reachLimit(story, root);
      break;
    case "is interrupted":
      run.beginOne(root, "model", run.head.model.name);
      run.wait(random.between(500, 30_000));
      moveBoth(story, root, "interrupted", "50 executions were cut off");
      break;
    case "waits for an answer":
      ask(story, root);
      break;
    case "waits for an approval":
      askApproval(story, root);
      break;
    default:
      throw new Error(`No run ends like this: ${ending satisfies never}`);
  }
}

function moveBoth({ run }: Story, root: RecordedAgent, status: "failed" | "interrupted", reason: string): void {
  run.move(root, status, reason);
  run.moveRun(status, reason);
}

const QUESTION = "How detailed should the answer be?";
const OPTIONS = ["Short", "Detailed"].map((value) => ({ value, label: value }));

function ask(story: Story, root: RecordedAgent) {
  const { run } = story;
  const call = {
    id: `call_${root.messages.length}_0`,
    name: ASK.name,
    arguments: JSON.stringify({ question: QUESTION, options: ["Short", "Detailed"] }),
  };
  const turn = think(story, root, { text: "One thing only you can say.", calls: [call], tools: LEAD_TOOLS });
  const decisionId = run.decide(turn, {
    ...{ kind: "tool_choice", offered: [...LEAD_TOOLS.map(offerTool), ANSWER], source: "model-stated" },
    chosen: [{ option: ASK.name, label: ASK.name, position: turn.position + 1, reason: null }],
    reason: "One thing only you can say.",
  });
  const step = run.beginOne(root, "human", ASK.name);
  const requestId = run.ask(step, decisionId, { prompt: QUESTION, options: OPTIONS });
  run.moveRun("waiting");
  run.move(root, "waiting");
  return { step, call, requestId };
}

function askAndHear(story: Story, root: RecordedAgent): void {
  const { run, random, person } = story;
  const { step, call, requestId } = ask(story, root);
  run.wait(random.between(20_000, 900_000));
  run.answer(requestId, "Short", person);
  run.decide(step, {
    ...{ kind: "answer", source: "human", ordinal: 1, reason: `${person?.name ?? "Somebody"} answered “Short”.` },
    offered: OPTIONS.map(({ value, label }) => ({ key: value, kind: "action", label, description: "" })),
    chosen: [{ option: "Short", label: "Short", position: step.position, reason: null }],
  });
  run.moveRun("running");
  run.move(root, "running");
  run.result(step, call, JSON.stringify({ answer: "Short" }));
}

/** A call of a tool the agent must ask about: the model chose it, and a rule holds it back. */
function askApproval(story: Story, root: RecordedAgent): void {
  const { run } = story;
  const call = {
    id: `call_${root.messages.length}_0`,
    name: DOCS.name,
    arguments: JSON.stringify({ query: "how runs are recorded", reason: "It is asked for." }),
  };
  const turn = think(story, root, { text: null, calls: [call], tools: [DOCS] });
  run.decide(turn, {
    ...{ kind: "tool_choice", offered: [offerTool(DOCS), ANSWER], reason: "It is asked for.", source: "model-stated" },
    chosen: [{ option: DOCS.name, label: DOCS.name, position: turn.position + 1, reason: "It is asked for." }],
  });
  const step = run.beginOne(root, "tool", DOCS.name);
  const decisionId = run.decide(step, {
    ...{
      kind: "approval",
      source: "policy",
      ordinal: 50,
      reason: `${root.name} must ask before each call of ${DOCS.name}.`,
    },
    offered: [
      { key: "ask", kind: "action", label: "Ask a person", description: "Show the exact call and wait for an answer." },
      { key: "run", kind: "action", label: "Run it", description: "Only for tools this agent may use without asking." },
    ],
    chosen: [{ option: "ask", label: "Ask a person", position: step.position, reason: null }],
  });
  run.ask(step, decisionId, {
    kind: "approval",
    prompt: `May ${root.name} call ${DOCS.name}?`,
    call: { tool: call.name, arguments: call.arguments },
    options: [
      { value: "allow", label: "Allow this call", description: "It runs once, with exactly these arguments." },
      { value: "refuse", label: "Do not allow it", description: "The agent is told, and goes on without it." },
    ],
  });
  run.moveRun("waiting");
  run.move(root, "waiting");
}

function stop({ run, random, person }: Story, root: RecordedAgent): void {
  const open = run.beginOne(root, "model", run.head.model.name);
  run.wait(random.between(300, 9_000));
  run.abort(open);
  run.move(root, "aborted", "stopped");
  const reason = `stopped by ${person?.name ?? "somebody"}`;
  run.decide(open, {
    ...{ kind: "stop", source: "human", reason },
    offered: [
      { key: "stop", kind: "action", label: "Stop", description: "End the run now. What was done stays." },
      { key: "let_run", kind: "action", label: "Let it run", description: "Do nothing." },
    ],
    chosen: [{ option: "stop", label: "Stop", position: null, reason: null }],
  });
  run.moveRun("aborted", reason);
}

function reachLimit({ run, random }: Story, root: RecordedAgent): void {
  run.decide(
    { agent: root, position: root.next },
    {
      ...{ kind: "limit", source: "runtime-rule", reason: "60 tool rounds were used, which is this agent's limit." },
      offered: [
        { key: "stop", kind: "action", label: "Stop", description: "End with the text so far." },
        { key: "go_on", kind: "action", label: "Go on", description: "Allowed only below the limit." },
      ],
      chosen: [{ option: "stop", label: "Stop", position: null, reason: null }],
    },
  );
  root.result = ruleOf(random);
  run.move(root, "aborted", "tool_loop_limit");
  run.moveRun("aborted", "tool_loop_limit", root.result);
}
