import type { ReactNode } from "react";
import { AgentLink } from "@/components/runs/inspector/agent-link";
import { CodeBox } from "@/components/runs/inspector/code-box";
import type { TabProps } from "@/components/runs/inspector/overview-tab";
import { Part } from "@/components/runs/inspector/part";
import { TaskStatus, taskWord } from "@/components/runs/inspector/task-status";
import { blockersOf, doneWords, isBlockedForGood, queuesAt, type TaskQueue } from "@/components/runs/run-tasks";
import { RelativeTime } from "@/components/ui/relative-time";
import { StatusBadge } from "@/components/ui/status";
import type { TaskRow } from "@/server/engine/events";
import { isHeld, isTerminal } from "@/server/engine/state";

/** What a supervisor put on its list for others, task by task; at the root the queues of the whole run. */
export function TasksTab(props: TabProps) {
  const { state, node, onSelect } = props;
  if (node.item.type !== "agent") return null;
  const { agent } = node.item;
  return queuesAt(state, agent).map(({ owner, tasks }) => (
    <section key={owner.id}>
      <h3 className="section-label">
        Queue of <AgentLink state={state} onSelect={onSelect} id={owner.id} tab="tasks" here={agent.id} />,{" "}
        {doneWords(tasks)}
      </h3>
      <div className="folds">
        {tasks.map((task) => (
          <TaskFold key={task.number} {...props} task={task} queue={{ owner, tasks }} />
        ))}
      </div>
    </section>
  ));
}

type TaskProps = TabProps & { task: TaskRow; queue: TaskQueue };

function TaskFold(props: TaskProps) {
  const { task, queue } = props;
  const still = isTerminal(queue.owner.status) || isHeld(queue.owner.status);
  return (
    <details className="fold">
      <summary>
        <span className="t3 num">{task.number}</span>
        <span className="ell grow">{task.subject}</span>
        <TaskStatus status={task.status} still={still} />
      </summary>
      <div className="fold-body">
        {task.description && <p className="prewrap">{task.description}</p>}
        <TaskFacts {...props} />
        {task.prompt !== null && (
          <Part title="Prompt for whoever carries it out" copy={task.prompt} what="prompt">
            <CodeBox>{task.prompt}</CodeBox>
          </Part>
        )}
      </div>
    </details>
  );
}

function TaskFacts({ state, onSelect, task, queue }: TaskProps) {
  const child = state.agents.find(({ id }) => id === task.childId);
  const blockers = blockersOf(task, queue.tasks);
  return (
    <dl>
      {blockers.length > 0 && (
        <Fact name={task.status === "blocked" ? "Waits for" : "Waited for"}>
          {blockers.map(({ number, status }) => `task ${number} (${taskWord(status)})`).join(", ")}
          {isBlockedForGood(task, queue.tasks) && (
            <span className="t2 block">What it waits for has failed, so it is never given out.</span>
          )}
        </Fact>
      )}
      {child && (
        <Fact name="Carried out by">
          <span className="row">
            <AgentLink state={state} onSelect={onSelect} id={child.id} />
            <StatusBadge status={child.status} reason={child.statusReason} />
          </span>
          {task.isAutomatic && <span className="t3 fs12 block">Started by the queue.</span>}
        </Fact>
      )}
      {!child && <Fact name="Meant for">{task.agent ?? "Whoever is given it"}</Fact>}
      <Fact name="Added">
        <RelativeTime at={task.createdAt} />
      </Fact>
      {task.finishedAt !== null && (
        <Fact name="Ended">
          <RelativeTime at={task.finishedAt} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="kv">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
