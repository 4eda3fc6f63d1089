import type pg from "pg";
import { z } from "zod";
import { isPassing } from "@/server/database-failure";
import { logger } from "@/server/logger";
import { pause } from "../pause";
import { admit, breakerState, CLOSED, settle } from "./breaker";
import type { BreakerPart, RatePart } from "./policy";
import { rateState, takeRate } from "./rate-limit";
import { Rejection } from "./rejection";

/** Whose breaker and rate limit it is: `provider:<id>` or `tool:<name>` of a workspace. `name` is for people. */
export type Subject = { workspaceId: string; key: string; name: string };

const gateRow = z.object({
  version: z.int(),
  // What an earlier release stored in another shape counts as nothing.
  breaker: breakerState.nullable().catch(null),
  rate: rateState.nullable().catch(null),
  now: z.number(),
});
type Gate = z.infer<typeof gateRow>;
type Change<T> = { result: T; breaker?: Gate["breaker"]; rate?: Gate["rate"] };

/**
 * Breakers and rate limits, shared by all workers in one row for each subject: read, judged by pure functions at the database's time,
 * and written if nobody wrote in between. Within this process one call after the other looks at a subject.
 */
export class Gates {
  private readonly lanes = new Map<string, Promise<unknown>>();

  constructor(private readonly pool: pg.Pool) {}

  /** Waits until the rate limit lets one more call through. Throws Rejection when that takes longer than the policy lets it wait. */
  async takeRate(subject: Subject, policy: RatePart, signal: AbortSignal): Promise<void> {
    const asked = performance.now();
    for (;;) {
      const waitMs = await this.change(subject, ({ rate, now }) => {
        const admission = takeRate(policy, rate, now);
        const result = admission.admitted ? 0 : Math.ceil(admission.waitMs);
        return { result, ...(admission.state ? { rate: admission.state } : {}) };
      });
      if (waitMs === 0) return;
      if (performance.now() - asked + waitMs > policy.maxWaitMs) {
        const limit = `${policy.maxRequests} calls in ${policy.windowMs / 1_000} s`;
        const message = `${subject.name} may take ${limit}, and its turn would come in ${Math.ceil(waitMs / 1_000)} s.`;
        throw new Rejection("rate_exceeded", message, waitMs);
      }
      await pause(waitMs, signal);
    }
  }

  /** Asks the breaker for leave. Resolves with what reports how the call ended; throws Rejection while it is open. */
  async passBreaker(subject: Subject, policy: BreakerPart): Promise<(ok: boolean) => Promise<void>> {
    const admission = await this.change(subject, ({ breaker, now }) => {
      const before = breaker ?? CLOSED;
      const result = admit(policy, before, now);
      return { result, ...(result.state === before ? {} : { breaker: result.state }) };
    });
    if (!admission.admitted) {
      const seconds = Math.ceil(admission.retryAfterMs / 1_000);
      const message = `${subject.name} failed too often; it is left alone for another ${seconds} s.`;
      throw new Rejection("breaker_open", message, Math.ceil(admission.retryAfterMs));
    }
    const { round } = admission;
    return (ok) =>
      this.change(subject, ({ breaker, now }) => {
        const before = breaker ?? CLOSED;
        const after = settle(policy, before, { round, ok, now });
        return after === before ? { result: undefined } : { result: undefined, breaker: after };
      }).catch((error: unknown) => {
        // The call itself has ended as it has; a trial nobody reports is forgotten after a while.
        if (!isPassing(error)) logger.warn({ err: error }, "how a guarded call ended was not counted");
      });
  }

  private change<T>(subject: Subject, judge: (gate: Gate) => Change<T>): Promise<T> {
    const lane = `${subject.workspaceId} ${subject.key}`;
    const mine = (this.lanes.get(lane) ?? Promise.resolve()).then(() => this.changeRow(subject, judge));
    const settled = mine.then(
      () => {},
      () => {},
    );
    this.lanes.set(lane, settled);
    void settled.then(() => {
      if (this.lanes.get(lane) === settled) this.lanes.delete(lane);
    });
    return mine;
  }

  private async changeRow<T>({ workspaceId, key }: Subject, judge: (gate: Gate) => Change<T>): Promise<T> {
    for (;;) {
      const { rows } = await this.pool.query({
        name: "read_gate",
        text: `select coalesce(g.version, -1) as version, g.breaker, g.rate,
                 (extract(epoch from clock_timestamp()) * 1000)::float8 as now
               from (select) one left join gates g on g.workspace_id = $1 and g.subject = $2`,
        values: [workspaceId, key],
      });
      const gate = gateRow.parse(rows[0]);
      const { result, breaker = gate.breaker, rate = gate.rate } = judge(gate);
      if (breaker === gate.breaker && rate === gate.rate) return result;
      const { rowCount } = await this.pool.query({
        name: "write_gate",
        text: `insert into gates (workspace_id, subject, version, breaker, rate) values ($1, $2, 0, $4, $5)
               on conflict (workspace_id, subject) do update set
                 version = gates.version + 1, breaker = excluded.breaker, rate = excluded.rate, changed_at = now()
               where gates.version = $3`,
        values: [workspaceId, key, gate.version, breaker && JSON.stringify(breaker), rate && JSON.stringify(rate)],
      });
      // Another worker was faster: judge again by what it left.
      if (rowCount) return result;
    }
  }
}
