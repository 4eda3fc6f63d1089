import { v7 as uuidv7 } from "uuid";
import { pool } from "@/server/db";
import { REHEARSAL_REF } from "@/server/models/rehearsal";
import { answerRequest } from "@/server/requests/service/answer";
import { type StoreRun, storeRun, titleOf } from "@/server/runs/store-run";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { type Direction, ExampleDesk } from "./example-desk";
import { setBack } from "./set-back";
import type { Soloist } from "./staff";

export type Play = Pick<StoreRun, "teamId" | "teamVersionId" | "root" | "context"> & { input: string };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What to do once the run can go no further by itself. */
type Then = { does: "leave it" } | { does: "interrupt it" } | { does: "answer"; answer: string };

type Staged = {
  workspaceId: WorkspaceId;
  play: Play;
  direct?: Direction;
  conversationId?: string;
  /** Before today began (UTC): what an example seems to have cost counts against no limit of a day. */
  minutesBeforeToday: number;
  lastsMs?: number;
};

/** Carries out one example and sets it back in time. Returns the run's id. */
export async function perform(staged: Staged, next?: Then): Promise<string> {
  const { workspaceId, play, minutesBeforeToday, lastsMs = 42_000 } = staged;
  const runId = await storeRun({
    ...{ workspaceId, userId: null, model: REHEARSAL_REF, ...play },
    ...(staged.conversationId ? { conversationId: staged.conversationId } : {}),
  });
  const rootId = await rootOf(runId);
  const desk = new ExampleDesk(staged.direct);
  desk.begin([rootId]);
  if (next) {
    await Promise.race([desk.standing, desk.ended()]);
    await carryOn(desk, { workspaceId, runId, rootId }, next);
  }
  await desk.ended();
  await pool().query("UPDATE runs SET title = 'Example: ' || title WHERE id = $1", [runId]);
  await setBack(runId, { agoMs: minutesBeforeToday * MINUTE_MS + (Date.now() % DAY_MS), lastsMs });
  await acknowledge(runId);
  return runId;
}

/** What failed in an example is nobody's to look into: it counts with nothing that waits for somebody. */
async function acknowledge(runId: string): Promise<void> {
  await pool().query(
    `UPDATE dead_letters SET status = 'acknowledged', changed_at = at,
       note = 'It failed on purpose, in an example. There is nothing to do about it.' WHERE run_id = $1`,
    [runId],
  );
}

async function carryOn(
  desk: ExampleDesk,
  { workspaceId, runId, rootId }: { workspaceId: WorkspaceId; runId: string; rootId: string },
  next: Then,
): Promise<void> {
  if (next.does === "answer") {
    const { rows } = await pool().query<{ id: string }>(
      "SELECT id FROM human_requests WHERE run_id = $1 AND status = 'open'",
      [runId],
    );
    for (const { id: requestId } of rows) {
      // Nobody has an account yet.
      await answerRequest({
        scope: { workspaceId, userId: null, userName: "Somebody" },
        input: { requestId, answer: next.answer },
      });
      desk.answered(requestId);
    }
    return;
  }
  if (next.does === "interrupt it") {
    await pool().query("SELECT interrupt_agent_run($1, $2)", [
      rootId,
      "Its worker was ended on purpose, to show what that looks like.",
    ]);
  }
  await desk.leave();
}

async function rootOf(runId: string): Promise<string> {
  const { rows } = await pool().query<{ id: string }>(
    "SELECT id FROM agent_runs WHERE run_id = $1 AND parent_id IS NULL",
    [runId],
  );
  return rows[0]?.id ?? "";
}

/** A conversation of several questions, one after the other. */
export async function converse(
  workspaceId: WorkspaceId,
  agent: Soloist,
  { questions, minutesBeforeToday }: { questions: readonly string[]; minutesBeforeToday: number },
): Promise<{ conversationId: string; runIds: string[] }> {
  const conversationId = uuidv7();
  await pool().query("INSERT INTO conversations (id, workspace_id, title, agent_id) VALUES ($1, $2, $3, $4)", [
    ...[conversationId, workspaceId, `Example: ${titleOf(questions[0] ?? "")}`, agent.agentId],
  ]);
  const runIds: string[] = [];
  for (const [i, input] of questions.entries()) {
    const play = {
      teamId: null,
      teamVersionId: null,
      root: { nodeId: null, agentVersionId: agent.agentVersionId, name: agent.name },
      input,
    };
    runIds.push(
      await perform({
        workspaceId,
        play,
        conversationId,
        minutesBeforeToday: minutesBeforeToday - 4 * i,
        lastsMs: 9_000,
      }),
    );
  }
  await pool().query(
    `UPDATE conversations c SET created_at = r.first, updated_at = r.last
     FROM (SELECT min(created_at) AS first, max(created_at) AS last FROM runs WHERE conversation_id = $1) r WHERE c.id = $1`,
    [conversationId],
  );
  return { conversationId, runIds };
}
