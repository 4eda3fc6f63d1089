import type { AgentConfig } from "@/server/agents/schema";
import type { ToolSpec } from "@/server/models/model";
import type { TeamPattern } from "@/server/teams/schema";
import { isInTeam, maySpawn, plansInTasks } from "./may-spawn";
import type { PatternSettings } from "./pattern-settings";
import { ENGINE_TOOLS } from "./tools/engine-tools";

/** What an agent is told before its task: computed the same way for a run and for the preview in a team's form. */
export type Briefed = {
  name: string;
  config: AgentConfig;
  /** Of the team; null for an agent that runs by itself. */
  pattern: TeamPattern | null;
  patternSettings: PatternSettings;
  /** Agents below it in the team. */
  spawnable: readonly { name: string; purpose: string }[];
  /** Agents it may hand the task over to; none where that is not the team's pattern. */
  colleagues: readonly { name: string; purpose: string }[];
  /** Another agent starts it. */
  isChild: boolean;
};

/**
 * The agent's instructions, with guidance on its team's pattern, on the spawn tools, on tasks and on its checklist where its
 * configuration wants it (LOK-SUP-10, LOK-SUP-22, LOK-TODO-11), and on messages for whoever is in a team (LOK-MSG-01, LOK-MSG-08).
 * `notes` are facts of one run, such as what was attached to the conversation.
 */
export function systemMessage(briefed: Briefed, notes: readonly string[] = []): string {
  const { name, config, pattern } = briefed;
  const parts = [`You are ${name}.`, config.instructions.trim()];
  if (maySpawn(briefed) && config.injectSpawnInstructions)
    parts.push(...(plansInTasks(briefed) ? [PLAN_GUIDANCE] : startGuidance(pattern)));
  if (briefed.colleagues.length && config.injectSpawnInstructions) parts.push(HANDOFF_GUIDANCE);
  if (isInTeam(briefed)) parts.push(mailGuidance(briefed));
  if (config.autoContinue && config.injectTodoInstructions) parts.push(TODO_GUIDANCE);
  return [...parts, ...notes].filter(Boolean).join("\n\n");
}

/** The engine's own tools as this agent is sent them. */
export function engineToolSpecs(briefed: Briefed): ToolSpec[] {
  return [...ENGINE_TOOLS.values()].flatMap((tool) => tool.offer(briefed) ?? []);
}

const COORDINATE =
  "How this team works: split the task into parts, give each part to the agent it fits, and combine their results into one answer.";

const startGuidance = (pattern: TeamPattern | null) => [
  PATTERN_GUIDANCE[pattern ?? "coordinate"],
  SPAWN_GUIDANCE,
  QUEUE_GUIDANCE,
];

const PATTERN_GUIDANCE: Record<TeamPattern, string> = {
  coordinate: COORDINATE,
  route:
    "How this team works: choose the one agent that fits the whole task, give it the task word for word, and answer with its result as it is. Answer yourself only when no agent fits.",
  broadcast:
    "How this team works: give every agent the whole task in one turn, compare their results, and answer with what holds; name where they disagree.",
  // For supervisors further down: the root is led by the engine.
  pipeline: COORDINATE,
  debate: COORDINATE,
  handoff: COORDINATE,
  tasks: COORDINATE,
};

const ESCALATION_GUIDANCE =
  "- An agent may ask something while it works; you find it under pending_escalations. Answer with agent__reply_escalation from what you know; where only a person can say, call it without a reply, or ask the person and pass the answer on. Then collect again.";

const PLAN_GUIDANCE = `How this team works: write the whole work down as tasks first, then see them through, and answer from their results.
- agent__task_create with "agent" and "prompt" starts that agent by itself, with exactly that prompt, as soon as the tasks named in "blocked_by" are completed and there is room for it; without "blocked_by" at once. Make all tasks you can name now in one turn.
- The prompt is written when the task is made, so it cannot hold what other tasks come to. Make a task whose agent needs their words once you have them.
- A task without an agent is your own: end it with agent__task_complete or agent__task_fail. One with an agent ends with it: completed if the agent is, else failed. What waits for a failed task never begins: fail it, and plan anew.
- agent__task_list says how each task stands and who works on it. Take the result of each with agent__collect, which waits.
${ESCALATION_GUIDANCE}
- Answer when every task has ended and every result was taken; while that is not so you are sent on after an answer. An agent that still works when you end is stopped.`;

const SPAWN_GUIDANCE = `Working with other agents:
- Start every agent whose work does not depend on another's in one turn, with one agent__spawn call each; starting independent work one after the other is wrong.
- An agent knows nothing but the prompt you give it: put everything it needs there.
- agent__spawn returns at once with an id. Go on with what you can do yourself, then take results with agent__collect, which waits; agent__check looks without waiting.
${ESCALATION_GUIDANCE}
- A failed agent comes back with exit_status "failed" and its message: decide what to do about it.
- Say in "reason" why you chose that agent.`;

const QUEUE_GUIDANCE = `Working with a queue of tasks, where work has to wait for other work:
- agent__task_create with "agent" and "prompt" starts that agent by itself, with exactly that prompt, as soon as the tasks named in "blocked_by" are completed and there is room for it; without "blocked_by" at once.
- The prompt is written now, so it cannot hold what earlier tasks come to. For work that needs their words create a task without an agent, and give it away with agent__spawn and "task_id" once its dependencies are completed.
- A task ends with the agent that works on it: completed if the agent is, else failed. Use agent__task_complete and agent__task_fail for what you do yourself. What waits for a failed task never begins.
- agent__task_list says who works on what. Take results with agent__collect before you answer: an agent that still works when you answer is stopped.`;

const HANDOFF_GUIDANCE = `How this team works: one agent at a time has the task, and now it is you.
- Answer as soon as you can: your answer is the answer to the task.
- Where another agent fits what is left better, hand over with agent__handoff. Your part ends with that, and its answer counts. It knows the task, what you tell it, and in short what was said so far; nothing else.
- Do not hand back without telling something new.`;

/** Agents do not know of one another: whoever started them tells them (LOK-MSG-07). */
function mailGuidance(briefed: Briefed): string {
  const lines = [
    "Messages between agents:",
    "- agent__send_message writes to another agent by its id, agent__check_inbox reads what was sent to you; nothing arrives by itself.",
    "- Tell the others at once about what you find that concerns their work.",
    "- Read your inbox before you give your final answer.",
  ];
  if (briefed.isChild) lines.push('- The agent that started you has the id "parent".');
  if (maySpawn(briefed))
    lines.push(
      "- Your agents do not know of one another. Where they should exchange findings, start them all, then send each the ids of the others and what they work on.",
    );
  return lines.join("\n");
}

const TODO_GUIDANCE = `Your checklist:
- For work of three or more steps, write it down before you begin: todo__init with the goal, then todo__add for each step.
- Call todo__done for an item as soon as it is finished, before you begin the next.
- When the work changes direction, call todo__clear and begin a new list.
- While items are open you are sent on after an answer, so give your answer when all are ticked.`;
