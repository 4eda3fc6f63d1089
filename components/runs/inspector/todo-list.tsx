import { IconSquare, IconSquareCheck } from "@tabler/icons-react";
import { ClearTodo } from "@/components/runs/inspector/clear-todo";
import { isListening } from "@/components/runs/run-state";
import { doneWords } from "@/components/runs/run-tasks";
import { formatPlural } from "@/components/ui/format";
import type { AgentRow, Todo } from "@/server/engine/events";

type Props = { runId: string; agent: AgentRow; todo: Todo };

/** An agent's todo list as it stands: what for, what is done, and how often it was sent on. */
export function TodoList({ runId, agent, todo: { goal, items, continues } }: Props) {
  return (
    <section>
      <h3 className="section-label">Todo list{items.length > 0 && `, ${doneWords(items)}`}</h3>
      {goal && <p className="prewrap">{goal}</p>}
      {items.length === 0 && <p className="t3 fs12">Nothing is on it yet.</p>}
      <ol className="ticks">
        {items.map(({ id, text, done }) => (
          <li key={id}>
            {done ? (
              <IconSquareCheck size={15} stroke={1.75} color="var(--st-succeeded)" aria-hidden />
            ) : (
              <IconSquare size={15} stroke={1.75} color="var(--text-3)" aria-hidden />
            )}
            <span className="sr">{done ? "Done:" : "Open:"}</span>
            <span className={done ? "t2 prewrap" : "prewrap"}>{text}</span>
          </li>
        ))}
      </ol>
      {continues > 0 && (
        <p className="t3 fs12">It answered with items open and was sent on {formatPlural(continues, "time")}.</p>
      )}
      {isListening(agent) && <ClearTodo runId={runId} agent={agent} />}
    </section>
  );
}
