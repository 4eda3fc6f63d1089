import { z } from "zod";
import type { AgentConfig } from "@/server/agents/schema";
import type { ModelMessage } from "@/server/models/model";
import { TEAM_PATTERNS } from "@/server/teams/schema";
import { STEP_KINDS, STEP_STATUSES, task, todo } from "../events";
import { overrides } from "../overrides";
import { patternSettings } from "../pattern-settings";
import { runContext } from "../run-context";
import { RUN_STATUSES } from "../state";

const content = z.custom<ModelMessage | { blob: string; bytes: number }>(
  (value) => typeof value === "object" && value !== null && ("role" in value || "blob" in value),
);

/** A condensed conversation: the model is sent the system message, message `summary`, and messages from `from` on, without summaries. */
const compaction = z.object({ summary: z.int(), from: z.int() });
export type Compaction = z.infer<typeof compaction>;

/** What journal_open() returns: everything an execution needs to go on. */
export const openedRow = z.object({
  row: z.object({
    id: z.string(),
    workspaceId: z.string(),
    runId: z.string(),
    parentId: z.string().nullable(),
    handle: z.string(),
    name: z.string(),
    depth: z.int(),
    task: z.string(),
    status: z.enum(RUN_STATUSES),
    epoch: z.int(),
    /** Null for an agent that runs by itself. */
    teamNodeId: z.string().nullable(),
    /** Who executed it before; null at the first execution. */
    previousWorkerId: z.string().nullable(),
  }),
  run: z.object({
    /** "provider/model" of whoever names no model of its own. */
    model: z.string(),
    conversationId: z.string().nullable(),
    pattern: z.enum(TEAM_PATTERNS).nullable(),
    patternSettings,
    overrides,
  }),
  /** Earlier questions and answers of the conversation, oldest first; only for the root's first execution. */
  history: z.array(z.object({ input: z.string(), answer: z.string() })),
  /** Whether a limit on spending holds for it. */
  budgeted: z.boolean(),
  config: z.unknown(),
  /** Whom it may start: agents below this one in the team, and those any supervisor of the team may start, which have no place in it. */
  spawnable: z.array(
    z.object({ name: z.string(), purpose: z.string(), nodeId: z.string().nullable(), agentVersionId: z.string() }),
  ),
  /** Whom it may hand the task over to, and the handoffs of its run before it, oldest first; none where that is not its team's pattern. */
  colleagues: z.array(z.object({ name: z.string(), purpose: z.string() })),
  handoffs: z.array(z.object({ from: z.string(), to: z.string(), told: z.string() })),
  todo: todo.nullable(),
  context: runContext.nullable(),
  compaction: compaction.nullable(),
  /** Its own queue, kept in step with what is committed. */
  tasks: z.array(task),
  messages: z.array(z.object({ index: z.int(), content })),
  steps: z.array(
    z.object({
      position: z.int(),
      turn: z.int(),
      kind: z.enum(STEP_KINDS),
      status: z.enum(STEP_STATUSES),
      callId: z.string().nullable(),
      replyMessage: z.int().nullable(),
      /** "provider/model" that is asked after this call of another failed. */
      standIn: z.string().nullable(),
    }),
  ),
  /** `call`: which calls are the same as this one. `sent`: the key the far side was sent, where that is another. */
  effects: z.array(
    z.object({ key: z.string(), status: z.string(), call: z.string().nullish(), sent: z.string().nullish() }),
  ),
  /** What people said to it and it was not told yet, oldest first. */
  steers: z.array(z.object({ id: z.string(), author: z.string(), text: z.string(), clearsTodo: z.boolean() })),
  requests: z.array(z.object({ id: z.string(), position: z.int(), status: z.string(), createdAt: z.string() })),
});

export type Opened = Omit<z.infer<typeof openedRow>, "config" | "messages"> & {
  config: AgentConfig;
  messages: Map<number, ModelMessage>;
};
