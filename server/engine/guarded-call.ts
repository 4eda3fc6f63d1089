import { hasSideEffect, type Tool, type ToolContext } from "@/server/tools/tool";
import { toolSubject } from "@/server/tools/tool-policy";
import { deadCall } from "./dead-letter";
import { decide, ownOrdinal } from "./decide";
import type { Execution } from "./execution";
import { merged } from "./journal/merged";
import type { JournalUnit } from "./journal/unit";
import type { PlannedCall } from "./next-step";
import type { Offer } from "./offers";
import { pause } from "./pause";
import { classify } from "./resilience/error-catalog";
import type { Subject } from "./resilience/gates";
import { breakerLayer, bulkheadLayer, rateLayer } from "./resilience/layers";
import { type EffectivePolicy, effectivePolicy } from "./resilience/policy";
import { Rejection } from "./resilience/rejection";
import { type Layer, type Layers, resilient } from "./resilience/resilient";
import { delayOf, isAmong, isExcluded } from "./retry-policy";
import { runEffect, type SendEnd } from "./run-effect";
import { act, failure, keyOf } from "./run-tool";
import { type CallOutcome, refusal } from "./tools/engine-tool";

const FALLBACK_OFFERS: Offer[] = [
  { key: "fallback", kind: "action", label: "Stand in", description: "Answer by what its policy names instead." },
  { key: "give_up", kind: "action", label: "Give up", description: "Tell the agent that the call failed." },
];
const RETRY_OFFERS: Offer[] = [
  { key: "retry", kind: "action", label: "Retry", description: "Make the same call again after a pause." },
  { key: "give_up", kind: "action", label: "Give up", description: "Tell the agent that the call failed." },
];

/** Among the ordinals of one execution at one position: after those of a call that writes and of side calls. */
const FIRST_RETRY = 200;
const FALLBACK = 300;

/** Nobody knows whether it took effect; or it was not to be made, as its owner wants it called. */
const NOBODY_STANDS_IN: ReadonlySet<string> = new Set([
  ...["outcome_unknown", "key_missing", "duplicate_call", "call_under_way", "unreadable_outcome"],
]);

/** A call that came to an end that is an error; what its step stores is in the outcome. */
class FailedCall extends Error {
  constructor(readonly outcome: CallOutcome) {
    super(outcome.error?.message);
  }
}

/** What holds for the calls of a tool of this agent: part by part its own policy, then its agent's (AGT-RES-01). */
function policyOfTool({ config }: Execution, tool: Tool): EffectivePolicy {
  return effectivePolicy(tool.policy?.resilience, config.toolResilience);
}

/**
 * A call of a tool behind its policy: fallback(rate limit(bulkhead(breaker(retry(timeout(call)))))). Reads are retried as the policy says;
 * what writes retries itself, under a key only. There the limits are around its first sending alone: a call that may have been sent
 * before is seen through, and nothing stands in for one of which nobody knows whether it took effect. Errors are for the model.
 */
export async function guardedCall(
  execution: Execution,
  planned: PlannedCall,
  tool: Tool,
  args: unknown,
): Promise<CallOutcome> {
  const policy = policyOfTool(execution, tool);
  const writes = hasSideEffect(tool);
  const limits = <T>(counts: (error: unknown) => boolean | null) => limitsOf<T>(execution, tool, policy, counts);
  try {
    const layers = {
      fallback: fallbackLayer(execution, planned, policy),
      ...(writes ? {} : { ...limits<CallOutcome>(isTrouble), retry: retryLayer(execution, planned, policy) }),
    };
    const call = () =>
      resilient<CallOutcome>(layers, async () => {
        const guard = (send: () => Promise<SendEnd>) => guardedSend(limits, send);
        const outcome = await (writes
          ? runEffect(execution, planned, tool, args, { retry: policy.retry, guard })
          : read(execution, planned, tool, args));
        if (outcome.error) throw new FailedCall(outcome);
        return outcome;
      });
    // What writes may wait for a person, so only its sendings are.
    return await (writes ? call() : execution.bounded(call));
  } catch (error) {
    const failed = outcomeOf(error);
    if (!failed) throw error;
    return { ...failed, unit: merged(failed.unit ?? {}, deadCall(execution, planned, tool, failed)) };
  }
}

/** A part that is its agent's counts the calls of that agent, one of the tool's own those of everybody. */
function limitsOf<T>(
  { resources: { gates, slots }, signal, row }: Execution,
  tool: Tool,
  policy: EffectivePolicy,
  counts: (error: unknown) => boolean | null,
): Layers<T> {
  const subject = (part: "rateLimit" | "bulkhead" | "breaker"): Subject => ({
    workspaceId: row.workspaceId,
    key: tool.policy?.resilience?.[part] ? toolSubject(tool.name) : `${toolSubject(tool.name)}@${row.name}`,
    name: `The tool ${tool.name}`,
  });
  return {
    rateLimit: rateLayer(gates, subject("rateLimit"), policy.rateLimit, signal),
    bulkhead: bulkheadLayer(slots, subject("bulkhead"), policy.bulkhead, signal),
    breaker: breakerLayer(gates, subject("breaker"), policy.breaker, counts),
  };
}

/** A sending whose answer was lost: what it came to, and that the far side is in trouble. */
class LostSend extends Error {
  constructor(readonly end: SendEnd) {
    super();
  }
}

async function guardedSend(
  limits: (counts: (error: unknown) => boolean | null) => Layers<SendEnd>,
  send: () => Promise<SendEnd>,
): Promise<SendEnd> {
  try {
    return await resilient<SendEnd>(
      limits((error) => (error instanceof LostSend ? true : null)),
      async () => {
        const end = await send();
        const isLost = end.status === "unanswered" || end.status === "uncertain";
        if (isLost || (end.status === "failed" && mayPass(end.outcome))) throw new LostSend(end);
        return end;
      },
    );
  } catch (error) {
    if (error instanceof LostSend) return error.end;
    throw error;
  }
}

/** A call that only reads: it may run again after a crash. */
async function read(execution: Execution, planned: PlannedCall, tool: Tool, args: unknown): Promise<CallOutcome> {
  const unit: JournalUnit = {};
  const keepScores: ToolContext["keepScores"] = (passages) => {
    unit.retrievals = [{ position: planned.position, passages }];
  };
  try {
    return { value: await act(execution, tool, args, { key: keyOf(execution, planned), keepScores }), unit };
  } catch (error) {
    execution.signal.throwIfAborted();
    return failure(error);
  }
}

function isTrouble(error: unknown): boolean | null {
  return error instanceof FailedCall ? mayPass(error.outcome) : null;
}

/** An error that may be over by the next time, by the catalogue (AGT-ERR-09). What a tool only threw says nothing of itself. */
function mayPass({ error, facts }: CallOutcome): boolean {
  if (!error) return false;
  return error.code === "tool_failed" || error.code === "outcome_unknown" || classify(error.code, facts).retryable;
}

function retryLayer(
  execution: Execution,
  { position }: PlannedCall,
  { retry }: EffectivePolicy,
): Layer<CallOutcome> | undefined {
  if (!retry || retry.maxAttempts === 0) return undefined;
  return async (next) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await next();
      } catch (error) {
        if (!(error instanceof FailedCall) || !mayPass(error.outcome)) throw error;
        const { code = "", message = "" } = error.outcome.error ?? {};
        const isOver = attempt > retry.maxAttempts;
        if (isExcluded(retry, { code, ...classify(code, error.outcome.facts) })) throw error;
        const delayMs = delayOf(retry, attempt, execution.resources.random());
        await execution.journal.append(
          decide(execution, {
            position,
            ordinal: ownOrdinal(execution, FIRST_RETRY + attempt),
            kind: "retry",
            chosen: [
              isOver
                ? { option: "give_up", label: "Give up", position: null, reason: null }
                : { option: "retry", label: "Retry", position, reason: null },
            ],
            reason: isOver
              ? `${code}: ${retry.maxAttempts} retries were used`
              : `${message}; waiting ${(delayMs / 1_000).toFixed(1)} s; retry ${attempt} of ${retry.maxAttempts}`,
            source: "policy",
            offers: RETRY_OFFERS,
          }),
        );
        if (isOver) throw error;
        await pause(delayMs, execution.signal);
      }
    }
  };
}

/** AGT-RES-09: another tool of the agent that only reads, with the same arguments, or a fixed text. */
function fallbackLayer(
  execution: Execution,
  planned: PlannedCall,
  { fallback }: EffectivePolicy,
): Layer<CallOutcome> | undefined {
  if (!fallback) return undefined;
  return async (next) => {
    try {
      return await next();
    } catch (error) {
      const failed = outcomeOf(error);
      if (!failed?.error || NOBODY_STANDS_IN.has(failed.error.code)) throw error;
      const { code, message } = failed.error;
      if (fallback.on.length > 0 && !isAmong(fallback.on, { code, ...classify(code, failed.facts) })) throw error;
      const other = fallback.use === null ? null : execution.tool(fallback.use);
      // What is missing, writes or must be asked about cannot stand in.
      const mayStandIn = other && !hasSideEffect(other) && !execution.config.askBefore.includes(other.name);
      if (other === undefined || (other && !mayStandIn)) throw error;
      const label = other ? `Call ${other.name}` : "Answer with a fixed text";
      const decision = decide(execution, {
        position: planned.position,
        ordinal: ownOrdinal(execution, FALLBACK),
        kind: "fallback",
        chosen: [{ option: "fallback", label, position: planned.position, reason: null }],
        reason: `${planned.call.name} failed (${code}): ${message}`,
        source: "policy",
        offers: FALLBACK_OFFERS,
      });
      const before = merged(failed.unit ?? {}, decision);
      if (!other) return { value: { output: fallback.text, degraded: true }, unit: before };
      const answered = await read(execution, planned, other, JSON.parse(planned.call.arguments || "{}"));
      return answered.error ? { ...failed, unit: before } : { ...answered, unit: merged(before, answered.unit ?? {}) };
    }
  };
}

function outcomeOf(error: unknown): CallOutcome | null {
  if (error instanceof FailedCall) return error.outcome;
  return error instanceof Rejection ? rejected(error) : null;
}

const rejected = ({ code, message }: Rejection) => refusal(code, `The call was not made. ${message}`);
