import { logger } from "@/server/logger";
import { callModel } from "./call-model";
import { decide, ownOrdinal } from "./decide";
import { Execution } from "./execution";
import { isPassing } from "./journal/flusher";
import { Journal } from "./journal/journal";
import { merged, runEvent } from "./journal/merged";
import { FenceLostError, type JournalUnit } from "./journal/unit";
import { nextStep } from "./next-step";
import type { Offer } from "./offers";
import { pause } from "./pause";
import type { EngineResources } from "./resources";
import { runCalls } from "./run-calls";

const LIMIT_OFFERS: Offer[] = [
  { key: "stop", kind: "action", label: "Stop", description: "End with the text so far." },
  { key: "go_on", kind: "action", label: "Go on", description: "Allowed only below the limit." },
];
const RESUME_OFFERS: Offer[] = [
  { key: "resume", kind: "action", label: "Resume", description: "Go on after the last recorded step." },
];

/**
 * Executes an agent run until it ends, or until this execution may not go on (stopped, taken over).
 * Starts from the record, so it is the same code for a new run and for one whose worker died.
 * Never throws for what happens inside the run: a failure is a row. Throws when the database is away for a moment (isPassing).
 */
export async function execute(
  agentRunId: string,
  resources: EngineResources,
  track: (journal: Journal) => () => void,
): Promise<void> {
  const journal = await Journal.open(resources.pool, resources.flusher, agentRunId, resources.workerId);
  if (!journal) return;
  const untrack = track(journal);
  const execution = new Execution(journal, resources);
  try {
    await announceTakeover(execution);
    if (execution.missingTools.length) {
      return await fail(
        execution,
        "missing_tool",
        `This agent uses tools that do not exist here: ${execution.missingTools.join(", ")}.`,
      );
    }
    await loop(execution);
  } catch (error) {
    if (error instanceof FenceLostError || journal.signal.aborted) return;
    if (isPassing(error)) throw error;
    logger.error({ err: error, agentRunId }, "an agent run failed inside the engine");
    await fail(execution, "internal", "The engine failed on this agent run. The log of the worker says more.").catch(
      (again) => {
        if (!(again instanceof FenceLostError)) throw again;
      },
    );
  } finally {
    untrack();
  }
}

async function loop(execution: Execution): Promise<void> {
  for (;;) {
    execution.signal.throwIfAborted();
    const next = nextStep({
      messages: execution.messages,
      steps: execution.steps,
      maxToolRounds: execution.config.maxToolRounds,
    });
    switch (next.do) {
      case "call-model": {
        const end = await callModel(execution, next.position, next.failures);
        if (end.ended === "failed") return fail(execution, end.code, end.message);
        if (end.ended === "retry") await pause(end.delayMs, execution.signal);
        break;
      }
      case "run-calls":
        await runCalls(execution, next.calls);
        break;
      case "finish":
        return complete(execution, next.text);
      case "stop-at-limit":
        return stopAtLimit(execution, next.position, next.text);
      default:
        return next satisfies never;
    }
  }
}

async function announceTakeover(execution: Execution): Promise<void> {
  const { previousWorkerId } = execution.row;
  const { workerId } = execution.resources;
  if (previousWorkerId === null) return;
  const last = execution.steps.at(-1)?.position;
  const after = last === undefined ? "from the start" : `after step ${last}`;
  await execution.journal.append(
    decide(execution, {
      position: (last ?? -1) + 1,
      ordinal: ownOrdinal(execution, 0),
      kind: "takeover",
      chosen: [{ option: "resume", label: `Go on ${after}`, position: null, reason: null }],
      reason:
        previousWorkerId === workerId
          ? `Worker ${workerId} lost the database for a moment and goes on ${after}.`
          : `Worker ${previousWorkerId} stopped; worker ${workerId} goes on ${after}.`,
      source: "runtime-rule",
      offers: RESUME_OFFERS,
    }),
  );
}

async function complete(execution: Execution, text: string): Promise<void> {
  await execution.faultPoint("before-final", execution.steps.at(-1)?.position ?? 0);
  await end(execution, "completed", null, text);
}

async function stopAtLimit(execution: Execution, position: number, text: string): Promise<void> {
  const rounds = execution.config.maxToolRounds;
  const decision = decide(execution, {
    position,
    kind: "limit",
    chosen: [{ option: "stop", label: "Stop", position: null, reason: null }],
    reason: `${rounds} tool rounds were used, which is this agent's limit.`,
    source: "runtime-rule",
    offers: LIMIT_OFFERS,
  });
  await end(execution, "aborted", "tool_loop_limit", text, decision);
}

async function fail(execution: Execution, code: string, message: string): Promise<void> {
  await end(execution, "failed", `${code}: ${message}`, null);
}

/** Ends the agent run, whoever still works below it (LOK-SUP-15), and with the root the run. */
async function end(
  execution: Execution,
  status: "completed" | "failed" | "aborted",
  reason: string | null,
  text: string | null,
  also: JournalUnit = {},
): Promise<void> {
  const orphans = execution.config.canSpawnAgents ? await runningChildren(execution) : [];
  const result = text === null ? {} : { agent: { result: text } };
  const run: JournalUnit = execution.isRoot
    ? {
        head: { status, reason, answer: text },
        events: [runEvent({ kind: "run.status", status, reason, answer: text, at: execution.now() })],
      }
    : {};
  await execution.journal.append(
    merged(
      also,
      orphans.length ? { aborts: orphans.map((id) => ({ id, reason: "parent_ended" })) } : {},
      execution.status(status, reason),
      { agent: { open: [] } },
      result,
      run,
    ),
  );
  execution.resources.hub.tell("ended", execution.row.id);
}

async function runningChildren(execution: Execution): Promise<string[]> {
  const { rows } = await execution.resources.pool.query<{ id: string }>({
    name: "orphans",
    text: "select id from agent_runs where parent_id = $1 and not is_terminal(status)",
    values: [execution.row.id],
  });
  return rows.map(({ id }) => id);
}
