import { z } from "zod";
import type { AgentConfig } from "@/server/agents/schema";
import type { ModelMessage } from "@/server/models/model";
import { STEP_KINDS, STEP_STATUSES } from "../events";
import { RUN_STATUSES } from "../state";

const content = z.custom<ModelMessage | { blob: string; bytes: number }>(
  (value) => typeof value === "object" && value !== null && ("role" in value || "blob" in value),
);

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
    teamNodeId: z.string(),
    /** Who executed it before; null at the first execution. */
    previousWorkerId: z.string().nullable(),
  }),
  config: z.unknown(),
  /** Agents below this one in the team: whom it may spawn. */
  spawnable: z.array(
    z.object({ name: z.string(), purpose: z.string(), nodeId: z.string(), agentVersionId: z.string() }),
  ),
  messages: z.array(z.object({ index: z.int(), content })),
  steps: z.array(
    z.object({
      position: z.int(),
      turn: z.int(),
      kind: z.enum(STEP_KINDS),
      status: z.enum(STEP_STATUSES),
      callId: z.string().nullable(),
      replyMessage: z.int().nullable(),
    }),
  ),
  effects: z.array(z.object({ key: z.string(), status: z.string() })),
  requests: z.array(z.object({ id: z.string(), position: z.int(), status: z.string(), createdAt: z.string() })),
});

export type Opened = Omit<z.infer<typeof openedRow>, "config" | "messages"> & {
  config: AgentConfig;
  messages: Map<number, ModelMessage>;
};
