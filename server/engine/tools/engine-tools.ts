import { askUser } from "./ask-user";
import { checkboxUser } from "./checkbox-user";
import { cancelAgent, checkAgent, collectAgent, listAgents } from "./children";
import { confirmUser } from "./confirm-user";
import { getContextVariable, setContextVariable, trackContextEntity, untrackContextEntity } from "./context";
import type { EngineTool } from "./engine-tool";
import { handOver } from "./handoff";
import { inputUser } from "./input-user";
import { checkInbox, sendMessage } from "./mail";
import { publishEvent } from "./publish-event";
import { replyEscalation } from "./reply-escalation";
import { spawnAgent } from "./spawn";
import { completeTask, createTask, failTask, listTasks } from "./tasks";
import { addTodo, clearTodo, doneTodo, initTodo, listTodo } from "./todo";

/** Tools the engine carries out itself, by the name models call them. */
export const ENGINE_TOOLS: ReadonlyMap<string, EngineTool> = new Map<string, EngineTool>([
  ["agent__spawn", spawnAgent],
  ["agent__check", checkAgent],
  ["agent__collect", collectAgent],
  ["agent__list", listAgents],
  ["agent__cancel", cancelAgent],
  ["agent__handoff", handOver],
  ["agent__reply_escalation", replyEscalation],
  ["agent__task_create", createTask],
  ["agent__task_list", listTasks],
  ["agent__task_complete", completeTask],
  ["agent__task_fail", failTask],
  ["agent__send_message", sendMessage],
  ["agent__check_inbox", checkInbox],
  ["user__ask", askUser],
  ["user__confirm", confirmUser],
  ["user__input", inputUser],
  ["user__checkbox", checkboxUser],
  ["todo__init", initTodo],
  ["todo__add", addTodo],
  ["todo__done", doneTodo],
  ["todo__list", listTodo],
  ["todo__clear", clearTodo],
  ["context__set", setContextVariable],
  ["context__get", getContextVariable],
  ["context__track", trackContextEntity],
  ["context__untrack", untrackContextEntity],
  ["event__publish", publishEvent],
]);
