import { isPassing } from "@/server/database-failure";
import { logger } from "@/server/logger";
import type { ToolboxRequest, ToolSet } from "@/server/tools/tool";
import { sendOn } from "./auto-continue";
import { type CallEnd, callModel, nameOf, recordRejection } from "./call-model";
import { inSlot } from "./call-slots";
import { makeRoom } from "./compact-conversation";
import { decide, ownOrdinal } from "./decide";
import { Execution } from "./execution";
import { resumeTasks } from "./follow-tasks";
import { Journal } from "./journal/journal";
import { merged, runEvent } from "./journal/merged";
import { FenceLostError, type JournalUnit, NotNowError } from "./journal/unit";
import { leadByPattern } from "./lead-by-pattern";
import { type NextStep, nextStep } from "./next-step";
import type { Offer } from "./offers";
import { outsideDecision } from "./outside-decision";
import { policyOf } from "./patterns/policy-of";
import { pause } from "./pause";
import { type Overspent, recordRefusal, reserveCall } from "./reserve-call";
import { Rejection } from "./resilience/rejection";
import type { EngineResources } from "./resources";
import { onlyReads, runCalls } from "./run-calls";
import { endedTasks } from "./task-ends";
import { abandonTasks } from "./task-queue";
import { readWorkflowId } from "./workers";

const LIMIT_OFFERS: Offer[] = [
  { key: "stop", kind: "action", label: "Stop", description: "End with the text so far." },
  { key: "go_on", kind: "action", label: "Go on", description: "Allowed only below the limit." },
];
const RESUME_OFFERS: Offer[] = [
  { key: "resume", kind: "action", label: "Resume", description: "Go on after the last recorded step." },
];

/**
 * Executes an agent run until it ends, or until this execution may not go on (stopped, taken over, worker leaving).
 * Starts from the record, so it is the same code for a new run and for one whose worker died.
 * Never throws for what happens inside the run: a failure is a row. Throws when the database is away for a moment (isPassing).
 */
export async function execute(
  workflowId: string,
  resources: EngineResources,
  track: (journal: Journal) => () => void,
): Promise<"ended" | "unknown"> {
  const { agentRunId, generation } = readWorkflowId(workflowId);
  const journal = await Journal.open(resources, { agentRunId, generation });
  if (!journal) return "ended";
  const untrack = track(journal);
  let execution: Execution | undefined;
  try {
    const toolSet = await resources.toolbox(toolboxRequest(journal, resources));
    if (toolSet.clean) cleanOpened(journal, toolSet.clean);
    execution = new Execution(journal, resources, toolSet);
    await announceTakeover(execution);
    if (toolSet.missing.length) {
      await fail(execution, "missing", `${execution.row.name} cannot start. ${toolSet.missing.join(" ")}`);
      return "ended";
    }
    await resumeTasks(execution);
    await (execution.isLedByEngine ? lead(execution) : loop(execution));
    return resources.isLeaving() || journal.isLetGo ? "unknown" : "ended";
  } catch (error) {
    // Ended by somebody else, or carried on by them.
    if (error instanceof FenceLostError || error instanceof NotNowError || journal.signal.aborted) return "unknown";
    if (isPassing(error)) throw error;
    logger.error({ err: error, agentRunId }, "an agent run failed inside the engine");
    execution ??= new Execution(journal, resources, { tools: new Map(), missing: [], notes: [] });
    return await fail(
      execution,
      "internal",
      "The engine failed on this agent run. The log of the worker says more.",
    ).then(
      () => "ended",
      (again) => {
        if (!(again instanceof FenceLostError)) throw again;
        return "unknown";
      },
    );
  } finally {
    await execution?.close();
    untrack();
  }
}

/** What owners and earlier turns said was written down before, perhaps when something in it was no secret yet. */
function cleanOpened({ opened }: Journal, clean: NonNullable<ToolSet["clean"]>): void {
  const { purpose, instructions } = opened.config;
  opened.config = { ...opened.config, ...clean({ purpose, instructions }) };
  const { spawnable, colleagues, history } = opened;
  Object.assign(opened, clean({ spawnable, colleagues, history }));
}

function toolboxRequest({ opened, row }: Journal, resources: EngineResources): ToolboxRequest {
  return {
    workspaceId: row.workspaceId,
    runId: row.runId,
    conversationId: opened.run.conversationId,
    names: opened.config.tools.filter((name) => !resources.engineTools.has(name)),
    knowledge: opened.config.knowledge,
  };
}

async function loop(execution: Execution): Promise<void> {
  let tooLong: Extract<CallEnd, { ended: "too-long" }> | null = null;
  for (;;) {
    execution.signal.throwIfAborted();
    if (execution.resources.isLeaving() || execution.journal.isLetGo) return;
    const planned = nextStep({
      messages: execution.messages,
      steps: execution.steps,
      maxToolRounds: execution.config.maxToolRounds,
    });
    // What only reads may be made again: it need not wait until it is committed that it was asked for. What is quick is committed with it.
    if (planned.do !== "run-calls" || !onlyReads(execution, planned.calls)) await execution.replied;
    const next = await withSteers(execution, planned);
    switch (next.do) {
      case "call-model": {
        const { position, failures, standIn } = next;
        const modelRef = standIn ?? execution.modelRef;
        const room = await makeRoom(execution, { position, modelRef, isRefused: tooLong !== null });
        if (typeof room === "object") return overspent(execution, position, room);
        if (tooLong && room !== "condensed") return fail(execution, tooLong.code, tooLong.message);
        tooLong = null;
        if (room !== "as-it-is") break;
        const reserved = await reserveCall(execution, position, modelRef);
        if (!reserved.may) return overspent(execution, position, reserved);
        const { maxOutputTokens } = reserved;
        const call = { position, failures, maxOutputTokens, modelRef };
        const step = { turn: execution.turn() + 1, kind: "model", name: nameOf(modelRef) } as const;
        const end = await execution
          .bounded(() => inSlot(execution, { position, modelRef, step }, () => callModel(execution, call)))
          .catch((error: unknown) => {
            if (!(error instanceof Rejection)) throw error;
            return recordRejection(execution, { ...call, rejection: error });
          });
        if (end.ended === "failed") return fail(execution, end.code, end.message);
        if (end.ended === "too-long") tooLong = end;
        if (end.ended === "retry") {
          const { delayMs } = end;
          await execution.bounded(() => pause(delayMs, execution.signal));
        }
        break;
      }
      case "run-calls":
        await runCalls(execution, next.calls);
        break;
      case "finish": {
        const closing = await sendOn(execution);
        if (closing && (await complete(execution, next.text, closing))) return;
        break;
      }
      case "hand-over":
        if (await complete(execution, next.text, { agent: { handoff: next.handoff } })) return;
        break;
      case "stop-at-limit":
        return stopAtLimit(execution, next.position, next.text);
      default:
        return next satisfies never;
    }
  }
}

/** The root of a team that the engine leads: no model is asked what comes next. */
async function lead(execution: Execution): Promise<void> {
  const { run } = execution.journal.opened;
  const { pattern } = run;
  const policy = policyOf(run);
  if (!pattern || !policy) throw new Error(`the engine does not lead teams of the pattern ${pattern}`);
  for (;;) {
    const led = await leadByPattern(execution, pattern, policy);
    if (led.end === "left") return;
    if (led.end === "overspent") {
      await recordRefusal(execution, led.position, led.overspent);
      return overspent(execution, led.position, led.overspent);
    }
    if (led.end === "failed") return fail(execution, led.code, led.message);
    if (await complete(execution, led.text, {})) return;
  }
}

/** What people said meanwhile is answered before the agent run ends. */
async function withSteers(execution: Execution, next: NextStep): Promise<NextStep> {
  if ((next.do !== "finish" && next.do !== "hand-over") || !(await execution.steers.any())) return next;
  return { do: "call-model", position: (execution.steps.at(-1)?.position ?? -1) + 1, failures: 0, standIn: null };
}

async function announceTakeover(execution: Execution): Promise<void> {
  const { previousWorkerId } = execution.row;
  const { workerId } = execution.resources;
  if (previousWorkerId === null) return;
  const last = execution.steps.at(-1)?.position;
  // Positions count from 0, people do not.
  const after = last === undefined ? "from the start" : last === 0 ? "after 1 step" : `after ${last + 1} steps`;
  await execution.journal.append(
    decide(execution, {
      position: (last ?? -1) + 1,
      ordinal: ownOrdinal(execution, 0),
      kind: "takeover",
      chosen: [{ option: "resume", label: "Resume", position: null, reason: null }],
      reason:
        previousWorkerId === workerId
          ? `Worker ${workerId} lost the database for a moment and goes on ${after}.`
          : `Worker ${previousWorkerId} stopped; worker ${workerId} goes on ${after}.`,
      source: "runtime-rule",
      offers: RESUME_OFFERS,
    }),
  );
}

/** False when somebody said something meanwhile that it has not read. */
async function complete(execution: Execution, text: string, closing: JournalUnit): Promise<boolean> {
  await execution.faultPoint("before-final", execution.steps.at(-1)?.position ?? 0);
  try {
    await end(execution, "completed", null, text, closing);
    return true;
  } catch (error) {
    if (!(error instanceof NotNowError) || error.why !== "steered") throw error;
    execution.journal.steered();
    return false;
  }
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

/** At its own limit on spending an agent run ends; at the limit of the run or the day the whole run stands still until there is more. */
async function overspent(execution: Execution, position: number, refused: Overspent): Promise<void> {
  const { end: what, reason } = refused;
  if (what === "agent") {
    const step = execution.refuseModelStep(position, { code: "budget_exhausted", message: reason });
    return end(execution, "aborted", `budget_exhausted: ${reason}`, execution.lastText(), step);
  }
  const { runId, id, epoch } = execution.row;
  const { pool } = execution.resources;
  if (what === "suspend") {
    await pool.query("select suspend_at_share($1, $2, $3, $4, $5)", [runId, refused.share, reason, id, epoch]);
  } else if (what === "stop") return stopAtShare(execution, reason);
  else await pool.query("select hold_run($1, 'suspended', $2, $3, $4)", [runId, reason, id, epoch]);
  execution.journal.letGo();
}

/** A person had the run stopped at a share of its limit. Ended by the first of its agents that heard so. */
async function stopAtShare(execution: Execution, reason: string): Promise<void> {
  const { id, runId, workspaceId } = execution.row;
  const decision = outsideDecision({
    workspaceId,
    runId,
    agentRunId: id,
    kind: "budget",
    chosen: "stop",
    reason,
    source: "policy",
    offers: LIMIT_OFFERS,
  });
  await execution.resources.pool.query("select end_run($1, 'budget_stopped', 'stopped', $2)", [runId, decision]);
  execution.journal.abort();
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
  const result = text === null ? {} : { agent: { result: text } };
  const run: JournalUnit = execution.isRoot
    ? {
        head: { status, reason, answer: text },
        events: [runEvent({ kind: "run.status", status, reason, answer: text, at: execution.now() })],
      }
    : {};
  // No task is given away between the look at who works below and the end.
  await execution.alone(async () => {
    const orphans = execution.config.canSpawnAgents || execution.isLedByEngine ? await runningChildren(execution) : [];
    const { queue } = await endedTasks(execution);
    await execution.journal.append(
      merged(
        also,
        execution.changeTasks(execution.tasks, abandonTasks(queue, execution.now())),
        orphans.length ? { aborts: orphans.map((id) => ({ id, reason: "parent_ended" })) } : {},
        execution.status(status, reason),
        { agent: { open: [] } },
        result,
        run,
      ),
    );
  });
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
