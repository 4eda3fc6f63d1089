import { v7 as newId } from "uuid";
import type { Offer } from "@/server/engine/offers";
import { isHeld, isTerminal, type RunStatus } from "@/server/engine/state";
import { AppError } from "@/server/errors";
import { answerIn } from "@/server/requests/service/answer";
import { inTransaction, type Reader } from "@/server/transaction";
import { countRun } from "@/server/usage/service/count-against-limits";
import type { Scope } from "@/server/workspaces/scope";
import { effectsAfter } from "../queries/effects-after";
import { type Cut, findCut } from "../queries/find-cut";
import type { RetryFromInput, StepInput } from "../step-schema";
import { assertNotPaused } from "../store-run";
import { applyEdit } from "./apply-edit";
import { copyRun } from "./copy-run";
import type { EditedFork } from "./find-edited";
import { byPerson, decideOutside } from "./person-decision";

/** A copy reads and writes all of it in one transaction. */
const MOST_EVENTS = 300_000;

const FORK_OFFERS: Offer[] = [
  {
    key: "retry",
    kind: "action",
    label: "Retry from here",
    description: "A new run that keeps what was before the step.",
  },
  { key: "leave", kind: "action", label: "Leave it", description: "The run stays as it is." },
];

/**
 * Stores a run that keeps what another one had recorded before a step first began, and goes on from there with the versions that run
 * was made with; its limits begin anew. What was in flight then is done anew, and a person is asked before its calls that write: all of
 * them, or at least those of tools that had acted after the step. One transaction. Returns its id; throws as `findSource` does, INVALID
 * while everything is paused, and TOO_MANY_REQUESTS at a limit of the workspace.
 */
export async function storeFork({
  scope,
  input,
  edited,
}: {
  scope: Scope;
  input: RetryFromInput;
  /** What is otherwise in the new run. */
  edited?: EditedFork;
}): Promise<string> {
  const { workspaceId } = scope;
  const runId = newId();
  return inTransaction(async (client) => {
    await countRun(client, workspaceId);
    await assertNotPaused(client, workspaceId);
    const { source, cut: begun } = await findSource(client, scope, input);
    const cut = edited?.cut ?? begun;
    const { tools } = await effectsAfter(client, workspaceId, { runId: input.runId, seq: cut.seq });
    const { agentRunId, position } = input;
    const ids = await copyRun(client, {
      ...{ workspaceId, runId, userId: scope.userId, userName: scope.userName, seq: cut.seq },
      ...(edited?.answer && { toAnswer: edited.answer.requestId }),
      source: { runId: input.runId, agentRunId, position },
      overrides: {
        ...{
          since: "step" as const,
          askBeforeWrites: input.askBeforeWrites,
          askBefore: tools,
          edit: edited?.kind ?? null,
        },
        model: edited?.model ?? source.modelOfAll,
      },
    });
    const agentCopy = ids.get(agentRunId) ?? "";
    if (edited) {
      await applyEdit(client, edited, { workspaceId, position, agentRunId: agentCopy, sourceAgentRunId: agentRunId });
    }
    await client.query("select resume_run($1)", [runId]);
    if (edited?.answer) {
      const { requestId, answer } = edited.answer;
      const { counted } = await answerIn(client, { scope, input: { requestId: ids.get(requestId) ?? "", answer } });
      if (!counted) throw new Error(`the copy of request ${requestId} took no answer`);
    }
    const reason = `${scope.userName} retried “${source.title}” from step ${position} of ${cut.agentName} (${cut.stepName})${edited ? `, ${edited.words}` : ""}.`;
    const of = { runId, agentRunId: agentCopy, kind: "fork", chosen: "retry", reason } as const;
    await decideOutside(client, byPerson(scope, of, FORK_OFFERS));
    return runId;
  });
}

type Source = {
  title: string;
  status: RunStatus;
  model: string;
  /** What answers all its agents, when it is a what-if with another model. */
  modelOfAll: string | null;
  isImported: boolean;
};

/**
 * The run and where it is cut; the run is not removed before a transaction of the reader ends. Throws NOT_FOUND for a run or step that is
 * not there, and INVALID for a run that is still at work, was imported, or recorded too much before the step.
 */
export async function findSource(
  reader: Reader,
  { workspaceId }: Scope,
  place: StepInput,
): Promise<{ source: Source; cut: Cut }> {
  const { rows } = await reader.query<Source>(
    `SELECT title, status, model, overrides ->> 'model' AS "modelOfAll",
       EXISTS (SELECT FROM run_imports i WHERE i.workspace_id = $1 AND i.run_id = $2) AS "isImported" FROM runs WHERE workspace_id = $1 AND id = $2 FOR KEY SHARE`,
    [workspaceId, place.runId],
  );
  const [source] = rows;
  if (!source) throw new AppError("NOT_FOUND", "This run does not exist, or it is in another workspace.");
  if (source.isImported)
    throw new AppError("INVALID", "This run was imported to be looked at. It cannot go on from here.");
  if (!isTerminal(source.status) && !isHeld(source.status)) {
    throw new AppError("INVALID", "The run is still at work. Pause or stop it, then retry from a step.");
  }
  const cut = await findCut(reader, workspaceId, place);
  if (cut.seq > MOST_EVENTS) {
    throw new AppError(
      "INVALID",
      `Before this step the run recorded ${cut.seq.toLocaleString("en")} events, and at most ${MOST_EVENTS.toLocaleString("en")} can be copied. Choose an earlier step.`,
    );
  }
  return { source, cut };
}
