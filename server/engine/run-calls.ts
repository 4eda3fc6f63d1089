import { hasSideEffect } from "@/server/tools/tool";
import type { Execution } from "./execution";
import type { PlannedCall } from "./next-step";
import { recordCall } from "./record-call";
import { runEffect } from "./run-effect";
import { runTool } from "./run-tool";
import { type CallOutcome, refusal } from "./tools/engine-tool";
import { spawnAgents } from "./tools/spawn";

/** Carries out the calls of one turn at the same time; each is committed as it ends. All are seen through, even if one fails. */
export async function runCalls(execution: Execution, calls: readonly PlannedCall[]): Promise<void> {
  // A resumed execution has not announced them yet.
  const announced = execution.begin(
    calls.map(({ call, position }) => ({
      position,
      turn: execution.turn(),
      kind: execution.engineTool(call.name)?.kind ?? "tool",
      name: call.name,
    })),
  );
  if (announced.events) await execution.journal.append(announced);

  let left = calls.length;
  // As nextStep() will place it: after every step recorded and every call of this turn.
  const nextPosition = Math.max(execution.steps.at(-1)?.position ?? 0, ...calls.map(({ position }) => position)) + 1;
  const spawns = calls.filter(({ call }) => call.name === "agent__spawn" && execution.engineTool(call.name));
  const spawned = spawns.length ? spawnAgents(execution, spawns) : null;
  const ends = await Promise.allSettled(
    calls.map(async (planned) => {
      const kind = execution.engineTool(planned.call.name)?.kind ?? "tool";
      // Spawns of one turn are judged together, against one count of running children.
      const outcome =
        spawned && spawns.includes(planned) ? await outcomeOf(spawned, planned) : await carryOut(execution, planned);
      left -= 1;
      await recordCall(execution, planned, kind, outcome, left === 0 ? nextPosition : null);
    }),
  );
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

async function outcomeOf(spawned: Promise<Map<PlannedCall, CallOutcome>>, planned: PlannedCall): Promise<CallOutcome> {
  return (await spawned).get(planned) ?? refusal("internal", "The agent was not started.");
}

async function carryOut(execution: Execution, planned: PlannedCall): Promise<CallOutcome> {
  const { call } = planned;
  const engineTool = execution.engineTool(call.name);
  if (engineTool) return engineTool.run(execution, planned);
  const tool = execution.config.tools.includes(call.name) ? execution.resources.tools.get(call.name) : undefined;
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
  return hasSideEffect(tool) ? runEffect(execution, planned, tool, args) : runTool(execution, planned, tool, args);
}
