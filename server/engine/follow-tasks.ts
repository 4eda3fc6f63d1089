import { logger } from "@/server/logger";
import { dispatchTasks } from "./dispatch-tasks";
import type { Execution } from "./execution";
import { merged } from "./journal/merged";
import { FenceLostError, NotNowError } from "./journal/unit";
import { hasEnded, type RunStatus } from "./state";
import { endedTasks } from "./task-ends";

/**
 * Brings the queue up to date: tasks whose agents have ended are ended, what they released is started, and what waited for room.
 * Only within execution.alone(). Does nothing when nothing has changed; once committed, execution.tasks says what is so.
 */
export async function settleTasks(execution: Execution): Promise<void> {
  execution.beside.throwIfAborted();
  if (!execution.tasks.some(({ status }) => status === "pending" || status === "in_progress")) return;
  const before = execution.tasks;
  const { queue, mails } = await endedTasks(execution);
  const dispatched = await dispatchTasks(execution, queue);
  const changes = execution.changeTasks(before, dispatched.queue);
  if (!changes.tasks.length) return;
  await execution.journal.append(merged(changes, mails, dispatched.unit));
  launchChildren(execution, dispatched.launch);
}

/** What happened to its tasks while nobody executed it, and the ends of children that are at work: followed from now on. */
export async function resumeTasks(execution: Execution): Promise<void> {
  // One that has done nothing yet has nobody below it.
  if (execution.steps.length === 0 || !execution.engineTool("agent__task_create")) return;
  const { rows } = await execution.resources.pool.query<{ id: string; status: RunStatus }>({
    name: "children_at_work",
    text: "select id, status from agent_runs where parent_id = $1 and not is_terminal(status)",
    values: [execution.row.id],
  });
  await execution.alone(() => settleTasks(execution));
  for (const { id, status } of rows) if (!hasEnded(status)) followChild(execution, id);
}

/** Starts stored children. The end of each may end a task, release others and make room: the queue is looked at then. */
export function launchChildren(execution: Execution, ids: readonly string[]): void {
  if (ids.length) execution.resources.launch(ids);
  for (const id of ids) followChild(execution, id);
}

/** Runs beside the steps, also during a model call and while the agent run waits; ends with the execution. */
function followChild(execution: Execution, childId: string): void {
  const { hub, pool } = execution.resources;
  const look = () =>
    execution.alone(async () => {
      // Without a queue nothing follows from its end, and whoever makes a task later counts who works by then.
      if (execution.tasks.length === 0) return undefined;
      const { rows } = await pool.query<{ status: RunStatus }>({
        name: "child_status",
        text: "select status from agent_runs where id = $1",
        values: [childId],
      });
      if (!rows[0] || !hasEnded(rows[0].status)) return undefined;
      await settleTasks(execution);
      return true;
    });
  hub.waitFor("ended", childId, execution.beside, look).catch((error: unknown) => {
    // Over, held or carried on elsewhere: whoever opens it next looks at the queue.
    if (execution.beside.aborted || error instanceof FenceLostError || error instanceof NotNowError) return;
    logger.error({ err: error, agentRunId: execution.row.id }, "the queue of tasks could not be brought up to date");
  });
}
