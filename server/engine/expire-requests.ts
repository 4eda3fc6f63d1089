import type pg from "pg";
import type { RequestOption } from "./events";
import type { Offer } from "./offers";
import { outsideDecision } from "./outside-decision";

const NO_ANSWER: Offer = {
  key: "no_answer",
  kind: "action",
  label: "No answer in time",
  description: "A call is not allowed; to a question the agent finds its own answer.",
};

/** A pool, or the connection of a transaction. */
type Queried = Pick<pg.Pool, "query">;

/** Closes what people let pass its deadline, also where nobody waits for it at the moment. By the database's clock; any worker may look. */
export async function expireRequests(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>({
    name: "expired_requests",
    text: `select q.id from human_requests q join runs r on r.id = q.run_id
      where q.status = 'open' and q.deadline_at <= now() and not is_held(r.status) order by q.deadline_at limit 100`,
  });
  for (const { id } of rows) await expireRequest(pool, id);
}

/** Closes a request whose deadline has passed. False when it was answered first, has time left, or its run is held. */
export async function expireRequest(pool: Queried, requestId: string): Promise<boolean> {
  const { rows } = await pool.query<Expiring>({
    name: "expiring_request",
    text: `select q.workspace_id, q.run_id, q.agent_run_id, q.position, q.kind, q.options from human_requests q
      where q.id = $1 and q.status = 'open' and q.deadline_at <= clock_timestamp()`,
    values: [requestId],
  });
  const [request] = rows;
  if (!request) return false;
  const decision = outsideDecision({
    workspaceId: request.workspace_id,
    runId: request.run_id,
    agentRunId: request.agent_run_id,
    position: request.position,
    kind: "answer",
    chosen: NO_ANSWER.key,
    reason:
      request.kind === "approval"
        ? "Nobody answered before the deadline, so the call is not allowed."
        : "Nobody answered before the deadline, so the agent goes on by its own judgement.",
    source: "runtime-rule",
    offers: [
      ...request.options.map(
        ({ value, label, description }): Offer => ({
          key: value,
          kind: "action",
          label,
          description: description ?? "",
        }),
      ),
      NO_ANSWER,
    ],
  });
  const { rows: ends } = await pool.query<{ expired: boolean }>({
    name: "expire_request",
    text: "select expire_request($1, $2) as expired",
    values: [requestId, decision],
  });
  return ends[0]?.expired ?? false;
}

type Expiring = {
  workspace_id: string;
  run_id: string;
  agent_run_id: string;
  position: number;
  kind: string;
  options: RequestOption[];
};
