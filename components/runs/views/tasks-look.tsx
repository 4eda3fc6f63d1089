"use client";

import { useState } from "react";
import { AgentLink } from "@/components/runs/inspector/agent-link";
import { TaskStatus } from "@/components/runs/inspector/task-status";
import { agentKey } from "@/components/runs/run-nodes";
import { doneWords, queuesAt } from "@/components/runs/run-tasks";
import { AgentSelect } from "@/components/runs/views/agent-select";
import type { LookProps } from "@/components/runs/views/look-panel";
import { useLookSearch } from "@/components/runs/views/use-look-search";
import { EmptyState } from "@/components/ui/empty-state";
import { SearchField } from "@/components/ui/search-field";
import { isHeld, isTerminal } from "@/server/engine/state";

/** More lists at once are slow to draw, and nobody reads them. */
const SHOWN_AT_FIRST = 50;

/** Tasks and todo lists of the whole run: queue by queue, list by list. */
export function TasksLook({ state, onOpen }: LookProps) {
  const { search, field } = useLookSearch();
  const [agentRunId, setAgent] = useState<string | null>(null);
  const [isAll, setAll] = useState(false);
  const needle = search.toLowerCase();
  const has = (text: string) => needle === "" || text.toLowerCase().includes(needle);
  const [root] = state.agents.filter(({ parentId }) => parentId === null);
  const queues = (root ? queuesAt(state, root) : [])
    .filter(({ owner }) => agentRunId === null || owner.id === agentRunId)
    .map(({ owner, tasks }) => ({
      owner,
      tasks,
      found: tasks.filter((task) => has(`${task.subject} ${task.description}`)),
    }))
    .filter(({ found }) => found.length > 0);
  const lists = state.agents
    .flatMap((agent) => (agent.todo && agent.todo.items.length > 0 ? [{ agent, todo: agent.todo }] : []))
    .filter(({ agent }) => agentRunId === null || agent.id === agentRunId)
    .map(({ agent, todo }) => ({ agent, todo, found: todo.items.filter(({ text }) => has(text)) }))
    .filter(({ found }) => found.length > 0);
  const most = isAll ? Number.POSITIVE_INFINITY : SHOWN_AT_FIRST;
  const select = (key: string) => onOpen(key);
  return (
    <>
      <search className="filterbar look-bar">
        <SearchField aria-label="Search tasks" placeholder="Search" {...field} />
        <AgentSelect agents={state.agents} label="Whose" none="Everybody" value={agentRunId} onChange={setAgent} />
      </search>
      <div className="look-body look-sections">
        {queues.length + lists.length === 0 && (
          <NoTasks isSought={search !== "" || agentRunId !== null} isOver={isTerminal(state.run.status)} />
        )}
        {queues.slice(0, most).map(({ owner, tasks, found }) => (
          <section key={owner.id}>
            <h2 className="look-h">
              Queue of <AgentLink state={state} onSelect={select} id={owner.id} />
              <span className="count">{doneWords(tasks)}</span>
            </h2>
            <ul className="look-rows">
              {found.map((task) => (
                <li key={task.number}>
                  <span className="num t3" style={{ minWidth: `${String(tasks.at(-1)?.number ?? 0).length}ch` }}>
                    {task.number}
                  </span>
                  <span className="grow">
                    {task.subject}
                    {task.blockedBy.length > 0 && (
                      <span className="t3 fs12 block">
                        {task.status === "blocked" ? "waits for" : "waited for"} {task.blockedBy.join(", ")}
                      </span>
                    )}
                  </span>
                  {task.childId !== null && (
                    <button
                      type="button"
                      className="linkbtn"
                      onClick={() => task.childId !== null && onOpen(agentKey(task.childId))}
                    >
                      {state.agents.find(({ id }) => id === task.childId)?.name ?? "Who works on it"}
                    </button>
                  )}
                  <TaskStatus status={task.status} still={isTerminal(owner.status) || isHeld(owner.status)} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {lists.slice(0, most).map(({ agent, todo, found }) => (
          <section key={agent.id}>
            <h2 className="look-h">
              List of <AgentLink state={state} onSelect={select} id={agent.id} />
              <span className="count">{doneWords(todo.items)}</span>
            </h2>
            {todo.goal && <p className="t2">{todo.goal}</p>}
            <ul className="look-rows">
              {found.map((item) => (
                <li key={item.id}>
                  <span className="grow">{item.text}</span>
                  <TaskStatus status={item.done ? "completed" : "pending"} still={isTerminal(agent.status)} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {!isAll && Math.max(queues.length, lists.length) > SHOWN_AT_FIRST && (
          <button type="button" className="linkbtn" onClick={() => setAll(true)}>
            Show all {queues.length + lists.length} lists
          </button>
        )}
      </div>
    </>
  );
}

function NoTasks({ isSought, isOver }: { isSought: boolean; isOver: boolean }) {
  if (isSought) return <EmptyState title="No task matches">Search for something else.</EmptyState>;
  if (isOver)
    return (
      <EmptyState title="No tasks and no todo lists">
        Agents of this run neither queued tasks nor kept a list of what to do.
      </EmptyState>
    );
  return (
    <EmptyState title="No tasks and no todo lists yet">
      What agents queue, and their lists of what to do, appear here.
    </EmptyState>
  );
}
