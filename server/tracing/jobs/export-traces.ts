import { AppError } from "@/server/errors";
import { logger } from "@/server/logger";
import { lookNowAndThen } from "@/server/look-now-and-then";
import { workspaceRedactor } from "@/server/secrets/workspace-redactor";
import { CHARACTERS_A_REQUEST, SPANS_A_REQUEST } from "../constants";
import { listTracedDecisions, listTracedSteps, readTracedAgent } from "../queries/read-agent-run";
import { agentSpan, condensingSpan, stepSpan, type TracedDecision, type TraceSpan } from "../rules/agent-spans";
import { sendSpans } from "../service/send-spans";
import {
  claimSink,
  findDueSinks,
  listUnsent,
  markFailed,
  markSent,
  releaseSink,
  type SinkJob,
  settleSinks,
} from "./sink-rows";

/** Nobody tells of an agent run's end: that would cost each of them something, and a trace can wait. */
const LOOK_EVERY_MS = 5_000;
const SETTLE_EVERY_MS = 60_000;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 5 * 60_000;
/** Receivers served at once: a slow one holds up nobody else's. */
const SINKS_AT_ONCE = 4;

export type TracingOptions = {
  /** Must be the id under which this process's heartbeat is kept: others take over what belongs to nobody alive. */
  workerId: string;
  lookEveryMs?: number;
};

/**
 * Sends the traces of ended agent runs to where their workspaces want them, in the background until it is closed (LLM-OBS-04: a run never
 * waits for it, and never fails by it). What was sent and not yet marked when a worker was killed is sent again under the same span ids.
 */
export function startTracing({ workerId, lookEveryMs = LOOK_EVERY_MS }: TracingOptions): { close(): Promise<void> } {
  const busy = new Map<string, Promise<void>>();
  let settleAt = 0;
  const failed = "traces could not be looked for; it is tried again";
  const looks = lookNowAndThen({ everyMs: lookEveryMs, failed }, async (signal) => {
    if (Date.now() >= settleAt) {
      await settleSinks();
      settleAt = Date.now() + SETTLE_EVERY_MS;
    }
    for (const workspaceId of await findDueSinks()) {
      if (signal.aborted || busy.size >= SINKS_AT_ONCE) return;
      if (busy.has(workspaceId)) continue;
      busy.set(
        workspaceId,
        serve(workspaceId, workerId, signal).finally(() => busy.delete(workspaceId)),
      );
    }
  });
  return {
    async close() {
      await looks.close();
      await Promise.all(busy.values());
    },
  };
}

/** Never throws. */
async function serve(workspaceId: string, workerId: string, signal: AbortSignal): Promise<void> {
  let job: SinkJob | null = null;
  try {
    job = await claimSink(workspaceId, workerId);
    while (job && !signal.aborted && (await exportSome(job, signal)));
  } catch (error) {
    if (signal.aborted) return;
    // A key that does not open is for an owner to mend; anything else is in the log.
    const problem =
      error instanceof AppError ? error.userMessage : "Something went wrong on the server. Its log says what.";
    if (!(error instanceof AppError))
      logger.warn({ err: error, workspaceId }, "traces could not be sent; it is tried again");
    if (job) await markFailed(job, problem, retryIn(job.failures)).catch(() => {});
  } finally {
    if (job) await releaseSink(job).catch(() => {});
  }
}

/** Sends what a look finds. True when there may be more, and the receiver takes it. */
async function exportSome(job: SinkJob, signal: AbortSignal): Promise<boolean> {
  const unsent = await listUnsent(job);
  const redact = await workspaceRedactor(job.workspaceId);
  let batch = new Batch();
  for (const agentRunId of unsent) {
    for await (const spans of spansOf(job, agentRunId, redact)) {
      signal.throwIfAborted();
      batch.add(spans);
      if (!batch.isFull) continue;
      if (!(await send(job, batch, signal))) return false;
      batch = new Batch();
    }
    batch.done.push(agentRunId);
  }
  return unsent.length > 0 && (await send(job, batch, signal));
}

/**
 * An agent run's spans, page by page; its own span last, with the decisions that no step took. Clean before anything is cut to its length: half a
 * secret would not be known any more.
 */
async function* spansOf(job: SinkJob, agentRunId: string, redact: <T>(value: T) => T): AsyncGenerator<TraceSpan[]> {
  const agent = redact(await readTracedAgent(job.workspaceId, agentRunId, job.withContent));
  if (!agent) return;
  const left = new Map<number, TracedDecision[]>();
  for (const decision of redact(await listTracedDecisions(job.workspaceId, agentRunId))) {
    left.set(decision.position, [...(left.get(decision.position) ?? []), decision]);
  }
  for await (const steps of listTracedSteps(job.workspaceId, agentRunId, { ...job, redact })) {
    yield steps.flatMap((step) => {
      const taken = left.get(step.position) ?? [];
      left.delete(step.position);
      const condensing = condensingSpan(agent, step);
      return [stepSpan(agent, step, taken), ...(condensing ? [condensing] : [])];
    });
  }
  yield [agentSpan(agent, [...left.values()].flat())];
}

class Batch {
  readonly spans: TraceSpan[] = [];
  /** Agent runs whose last span is in here. */
  readonly done: string[] = [];
  #characters = 0;

  add(spans: readonly TraceSpan[]): void {
    this.spans.push(...spans);
    for (const { attributes } of spans)
      for (const value of Object.values(attributes)) if (typeof value === "string") this.#characters += value.length;
  }

  get isFull(): boolean {
    return this.spans.length >= SPANS_A_REQUEST || this.#characters >= CHARACTERS_A_REQUEST;
  }
}

/** False: it is not to be gone on with now. */
async function send(job: SinkJob, { spans, done }: Batch, signal: AbortSignal): Promise<boolean> {
  // Nothing to say: they were removed meanwhile.
  if (spans.length === 0) return done.length === 0 || markSent(job, done, { sent: 0, dropped: 0 });
  const sent = await sendSpans(job, spans, signal);
  if (sent.isTaken) {
    if (sent.rejected > 0)
      logger.warn({ workspaceId: job.workspaceId, rejected: sent.rejected }, "a receiver of traces left out spans");
    return done.length === 0 || markSent(job, done, { sent: done.length, dropped: 0 });
  }
  if (!sent.isFinal) {
    await markFailed(job, sent.says, sent.retryAfterMs ?? retryIn(job.failures));
    return false;
  }
  // It would be refused for ever, and whatever comes after it would wait for ever.
  logger.warn(
    { workspaceId: job.workspaceId, status: sent.status, spans: spans.length },
    "a receiver of traces refused spans; they are given up",
  );
  return done.length === 0 || markSent(job, done, { sent: 0, dropped: done.length });
}

function retryIn(failures: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 10)) * (0.75 + Math.random() / 2);
}
