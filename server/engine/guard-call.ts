import type { ToolCall } from "@/server/models/model";
import { askPerson } from "./ask-person";
import { decide, decisionId } from "./decide";
import type { Execution } from "./execution";
import { merged, runEvent } from "./journal/merged";
import { FenceLostError } from "./journal/unit";
import {
  callHash,
  callsBefore,
  judgeCall,
  type PastCall,
  type Repetition,
  repeatLimits,
  type Verdict,
} from "./loop-guard";
import type { PlannedCall } from "./next-step";
import type { Offer } from "./offers";
import { type CallOutcome, refusal } from "./tools/engine-tool";

/** Among the decisions of one step: after those of the turn, before an approval. */
const ORDINAL = 40;

const LABELS = { refuse: "Refuse it", ask: "Ask a person" };
const OFFERS: Offer[] = [
  { key: "make", kind: "action", label: "Make the call", description: "Allowed while it does not repeat too often." },
  { key: "refuse", kind: "action", label: LABELS.refuse, description: "Tell the agent that it goes round in a loop." },
  { key: "ask", kind: "action", label: LABELS.ask, description: "When the agent was told so and goes on." },
];

const ANSWERS = [
  { value: "allow", label: "Let it make this call", description: "It runs once, with exactly these arguments." },
  {
    value: "allow_all",
    label: "Let it repeat calls for the rest of this agent run",
    description: "Nobody is asked again, however often it repeats a call.",
  },
  { value: "stop", label: "End this agent run", description: "What it did stays. An agent above it is told." },
];

/** Told to the model. */
const CODE = "repeated_call";
/** Why the agent run ended. */
const STOPPED = "stopped_in_loop";
const WAIT = "agent__collect";
const CALLS_SHOWN = 4;
const ARGUMENTS_SHOWN = 200;

/** Whether nothing speaks against a call, so that it need not be held up. */
export function isFree(execution: Execution, planned: PlannedCall): boolean {
  return judge(execution, planned).verdict.do === "run";
}

/**
 * Keeps an agent from going round in a loop (LOK-TOOL-09). Judged by the calls in its record alone, so that a second execution comes
 * to the same. Returns null when the call may be made, else what the model is told. Throws FenceLostError when a person ended the agent
 * run: nothing of it may go on.
 */
export async function guardCall(execution: Execution, planned: PlannedCall): Promise<CallOutcome | null> {
  const { verdict, past } = judge(execution, planned);
  if (verdict.do === "run" || (await mayRepeat(execution, planned))) return null;
  const { position, call } = planned;
  const row = rowWords(call, verdict.repetition, past);
  const decision = decide(execution, {
    position,
    ordinal: ORDINAL,
    kind: "guard",
    chosen: [{ option: verdict.do, label: LABELS[verdict.do], position, reason: null }],
    reason: `${row} (call ${callHash(execution.row.name, call).slice(0, 12)}).`,
    source: "runtime-rule",
    offers: OFFERS,
  });
  if (verdict.do === "refuse") return { ...refusal(CODE, adviceOn(execution, planned, row, past)), unit: decision };

  const answer = await askPerson(execution, {
    position,
    place: `loop ${position}`,
    kind: "loop",
    prompt: `${row}. ${execution.row.name} was told so, and asks for it again. What should happen?`,
    options: ANSWERS,
    call: { tool: call.name, arguments: call.arguments },
    decisionId: decisionId(execution, position, ORDINAL),
    unit: decision,
  });
  if (answer === "stop") return stop(execution);
  const resumed = execution.endWaiting();
  if (answer === "allow" || answer === "allow_all") {
    if (Object.keys(resumed).length) await execution.journal.append(resumed);
    return null;
  }
  return { ...refusal(CODE, `A person did not let you make this call again, and said: ${answer}`), unit: resumed };
}

function judge(execution: Execution, { call, messageIndex }: PlannedCall): { verdict: Verdict; past: PastCall[] } {
  const past = callsBefore(execution.messages, messageIndex);
  return { past, verdict: judgeCall(call, past, repeatLimits(execution.config, execution.isRoot)) };
}

/** Whether a person, asked about an earlier call, let this agent run repeat whatever it likes. */
async function mayRepeat(execution: Execution, { position }: PlannedCall): Promise<boolean> {
  const { rows } = await execution.resources.pool.query({
    name: "may_repeat",
    text: `select 1 from human_requests
      where agent_run_id = $1 and kind = 'loop' and position < $2 and answer = '"allow_all"'`,
    values: [execution.row.id, position],
  });
  return rows.length > 0;
}

/**
 * Ends the agent run from within a turn, as a person would from outside: whatever is under way beside the call is recorded as aborted,
 * what was said so far stays. Its parent gets that as its end.
 */
async function stop(execution: Execution): Promise<never> {
  const { id } = execution.row;
  const answer = execution.lastText();
  const end = { status: "aborted", reason: STOPPED } as const;
  await execution.journal.append(
    merged(
      { aborts: [{ id, reason: STOPPED }], agent: { result: answer } },
      execution.isRoot
        ? {
            head: { ...end, answer },
            events: [runEvent({ kind: "run.status", ...end, answer, at: execution.now() })],
          }
        : {},
    ),
  );
  execution.journal.abort();
  execution.resources.hub.tell("ended", id);
  throw new FenceLostError(id);
}

/** `search was asked for 2 times in a row with the same arguments` */
function rowWords(call: ToolCall, { pattern, calls }: Repetition, past: readonly PastCall[]): string {
  if (pattern === "same") return `${call.name} was asked for ${calls} times in a row with the same arguments`;
  return `${past[1]?.call.name} and ${past[0]?.call.name} were asked for in turn, ${calls} calls in a row with the same arguments`;
}

function adviceOn(execution: Execution, { call }: PlannedCall, row: string, past: readonly PastCall[]): string {
  const last = past
    .slice(0, CALLS_SHOWN)
    .map((one) => `${one.call.name} ${one.call.arguments.slice(0, ARGUMENTS_SHOWN)}`)
    .toReversed();
  const advice = ["Work with the results you have, change the arguments, or take another way."];
  if (call.name !== WAIT && execution.engineTool(WAIT)) advice.push(`To wait for an agent, use ${WAIT}.`);
  return `This call was not made: ${row}. Your last calls were: ${last.join("; ")}. ${advice.join(" ")} If you ask for it again, a person decides.`;
}
