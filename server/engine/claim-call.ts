import type pg from "pg";
import { z } from "zod";
import type { ToolPolicy } from "@/server/tools/tool-policy";
import type { Execution } from "./execution";

const place = z.object({ runId: z.string(), agentRunId: z.string(), position: z.int() });
/** The step of a call. */
export type CallPlace = z.infer<typeof place>;

/** What claim_call() says of a call. */
const claim = z.discriminatedUnion("state", [
  z.object({ state: z.literal("claimed"), sent: z.string(), uncertain: z.boolean() }),
  z.object({ state: z.literal("under_way"), from: place }),
  z.object({ state: z.enum(["succeeded", "failed"]), from: place, at: z.string() }),
]);
export type Claim = z.infer<typeof claim>;

export type ClaimedCall = {
  key: string;
  tool: string;
  position: number;
  /** What the far side is sent if nobody made the call before. */
  sent: string;
  policy: ToolPolicy["idempotency"];
  /** How long to wait for the same call of somebody else. */
  waitMs: number;
};

/**
 * Makes a call this step's own, or says what is known of it (GAP-31). While the same call is under way elsewhere it waits for its end, at
 * most for `waitMs`: then it is `under_way`. Rejects with the signal's reason.
 */
export async function claimCall(execution: Execution, call: ClaimedCall): Promise<Claim> {
  const { pool, hub } = execution.resources;
  const { workspaceId, runId, id } = execution.row;
  const { ttlSeconds, cacheFailures, onHit } = call.policy;
  const again = onHit === "return_cached_if_success";
  const values = [
    workspaceId,
    call.key,
    call.tool,
    runId,
    id,
    call.position,
    call.sent,
    ttlSeconds,
    cacheFailures,
    again,
  ];
  const hash = call.key.slice(call.key.indexOf(":") + 1);
  const ask = async () => {
    const { rows } = await pool.query<{ claim: unknown }>({
      name: "claim_call",
      text: "select claim_call($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as claim",
      values,
    });
    return claim.parse(rows[0]?.claim);
  };
  const now = await hub.waitFor("called", hash, execution.signal, ask);
  if (now.state !== "under_way") return now;
  let isLate = false;
  const alarm = setTimeout(() => {
    isLate = true;
    hub.tell("called", hash);
  }, call.waitMs);
  try {
    // Its owner may end without a word about the call.
    const hints = [`called:${hash}`, `ended:${now.from.agentRunId}`] as const;
    return await execution.bounded(() =>
      hub.waitForAny(hints, execution.signal, async () => {
        const then = await ask();
        return then.state === "under_way" && !isLate ? undefined : then;
      }),
    );
  } finally {
    clearTimeout(alarm);
  }
}

/** Entries removed in one statement. */
const PURGED_AT_ONCE = 1_000;

/** Removes what nobody may be answered from any more (IDEM-08). */
export async function purgeCalls(pool: pg.Pool): Promise<void> {
  await pool.query({ name: "purge_calls", text: "select purge_calls($1)", values: [PURGED_AT_ONCE] });
}
