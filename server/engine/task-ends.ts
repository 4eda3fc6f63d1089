import type { Execution } from "./execution";
import { deriveId } from "./ids";
import { mailUnit } from "./inbox";
import { merged } from "./journal/merged";
import type { JournalUnit } from "./journal/unit";
import { hasEnded, type RunStatus } from "./state";
import { finishTask, type Queue } from "./task-queue";

type Child = { id: string; handle: string; status: RunStatus; reason: string | null };

/**
 * The queue after the ends of agents that worked on its tasks: a task is completed if its agent is, and has failed otherwise. The
 * supervisor gets a letter about each (LOK-MSG-04), committed with the tasks.
 */
export async function endedTasks(execution: Execution): Promise<{ queue: Queue; mails: JournalUnit }> {
  const { tasks, row, resources } = execution;
  const working = tasks.filter(({ status, childId }) => status === "in_progress" && childId !== null);
  if (working.length === 0) return { queue: tasks, mails: {} };
  const { rows } = await resources.pool.query<Child>({
    name: "task_children",
    text: "select id, handle, status, status_reason as reason from agent_runs where id = any($1)",
    values: [working.map(({ childId }) => childId)],
  });
  const ended = new Map(rows.filter(({ status }) => hasEnded(status)).map((child) => [child.id, child]));
  const at = execution.now();
  let queue: Queue = tasks;
  const mails: JournalUnit[] = [];
  for (const { number, subject, childId } of working) {
    const child = ended.get(childId ?? "");
    if (!child) continue;
    const isDone = child.status === "completed";
    const next = finishTask(queue, number, { status: isDone ? "completed" : "failed", at });
    if ("refused" in next) continue;
    queue = next;
    const words = isDone
      ? `was completed by ${child.handle}. agent__collect gives its result, once.`
      : `failed: ${child.handle} is ${child.status}${child.reason ? ` (${child.reason})` : ""}.`;
    mails.push(
      mailUnit({
        ...{
          id: deriveId(row.id, `mail about task ${number}`),
          fromId: child.id,
          toId: row.id,
          kind: "task_completed",
        },
        text: `Task ${number} (${subject}) ${words}`,
        sentAt: at,
      }),
    );
  }
  return { queue, mails: merged(...mails) };
}
