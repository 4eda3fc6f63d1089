import { hasSideEffect } from "@/server/tools/tool";
import { approveCall } from "./approve-call";
import { decideCap } from "./decide-cap";
import type { Execution } from "./execution";
import { guardCall, isFree } from "./guard-call";
import { guardedCall } from "./guarded-call";
import type { PlannedCall } from "./next-step";
import { whyAsk } from "./overrides";
import { recordCall } from "./record-call";
import { keyOf } from "./run-tool";
import { type CallOutcome, refusal } from "./tools/engine-tool";
import { spawnAgents } from "./tools/spawn";

/** Carries out the calls of one turn at the same time; each is committed as it ends. All are seen through, even if one fails. */
export async function runCalls(execution: Execution, calls: readonly PlannedCall[]): Promise<void> {
  // A resumed execution has not announced them yet.
  const announced = execution.begin(
    calls.map(({ call, position }) => ({
      position,
      turn: execution.turn(),
      kind: execution.kindOf(call.name),
      name: call.name,
    })),
  );
  if (announced.events) await execution.journal.append(announced);

  let left = calls.length;
  // As nextStep() will place it: after every step recorded and every call of this turn.
  const nextPosition = Math.max(execution.steps.at(-1)?.position ?? 0, ...calls.map(({ position }) => position)) + 1;
  const spawns = calls.filter(
    (planned) =>
      planned.call.name === "agent__spawn" && execution.engineTool("agent__spawn") && isFree(execution, planned),
  );
  let before: Promise<unknown> = Promise.resolve();
  await seenThrough([
    ...(spawns.length ? [execution.alone(startTogether)] : []),
    ...calls
      .filter((planned) => !spawns.includes(planned))
      .map((planned) => {
        if (!execution.engineTool(planned.call.name)?.isSerial) return seeThrough(planned);
        const mine = before.then(() => seeThrough(planned));
        before = mine.catch(() => {});
        return mine;
      }),
  ]);

  /** Spawns of one turn are judged together, against one count of running children. */
  async function startTogether(): Promise<void> {
    const outcomes = await spawnAgents(execution, spawns);
    const nothing = refusal("internal", "The agent was not started.");
    await seenThrough(spawns.map((planned) => record(planned, outcomes.get(planned) ?? nothing)));
  }

  async function seeThrough(planned: PlannedCall): Promise<void> {
    const looping = isBegun(execution, planned) ? null : await guardCall(execution, planned);
    const conclude = async () => record(planned, looping ?? (await carryOut(execution, planned)));
    // What looks at who works below, or at tasks, must find it so when it is committed.
    return execution.engineTool(planned.call.name)?.isSerial ? execution.alone(conclude) : conclude();
  }

  async function record(planned: PlannedCall, outcome: CallOutcome): Promise<void> {
    const kind = execution.kindOf(planned.call.name);
    execution.throwIfUnreplied();
    left -= 1;
    await recordCall(execution, planned, kind, outcome, left === 0 ? nextPosition : null);
  }
}

/** Whether nothing is changed by carrying these out, and nobody is asked about them first. */
export function onlyReads(execution: Execution, calls: readonly PlannedCall[]): boolean {
  return calls.every(({ call: { name } }) => {
    const tool = execution.engineTool(name) ? undefined : execution.tool(name);
    return tool && !hasSideEffect(tool) && !execution.config.askBefore.includes(name);
  });
}

/** Waits for all, also when one fails; then fails with the first that did. */
async function seenThrough(all: Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(all)) if (end.status === "rejected") throw end.reason;
}

/** An effect whose intent is recorded was allowed before. */
function isBegun(execution: Execution, planned: PlannedCall): boolean {
  return execution.journal.opened.effects.some(({ key }) => key === keyOf(execution, planned));
}

/** Calls of one turn that are carried out; a model that asks for more has lost its way. */
const MOST_CALLS = 100;

async function carryOut(execution: Execution, planned: PlannedCall): Promise<CallOutcome> {
  const { call } = planned;
  if (planned.position - execution.lastReplyPosition() > MOST_CALLS) {
    const message = `At most ${MOST_CALLS} calls are carried out in one turn. Make this one in a later turn.`;
    return { ...refusal("too_many_calls", message), unit: decideCap(execution, planned.position, message) };
  }
  const engineTool = execution.engineTool(call.name);
  if (engineTool) return engineTool.run(execution, planned);
  const tool = execution.tool(call.name);
  if (!tool) {
    const names = execution.toolSpecs.map(({ name }) => name).join(", ");
    return refusal("unknown_tool", `There is no tool named "${call.name}". Your tools: ${names || "none"}.`);
  }
  let args: unknown;
  try {
    args = JSON.parse(call.arguments || "{}");
  } catch (error) {
    return refusal("malformed_arguments", `The arguments are not JSON: ${(error as Error).message}`);
  }
  const rule = hasSideEffect(tool) ? whyAsk(execution.journal.opened.run.overrides, tool.name) : null;
  if ((rule !== null || execution.config.askBefore.includes(call.name)) && !isBegun(execution, planned)) {
    const refused = await approveCall(execution, planned, rule);
    if (refused) return refused;
  }
  return guardedCall(execution, planned, tool, args);
}
