import { z } from "zod";
import { runEvent, textDelta } from "@/server/engine/events";

const id = z.uuid();

/** One subscription a tab. `lastEventId` is the last seq the reader has; tRPC sends it again on reconnect. */
export const followInput = z.strictObject({
  runId: id.nullish(),
  lastEventId: z
    .string()
    .regex(/^\d{1,9}$/)
    .nullish(),
});
export type FollowInput = z.infer<typeof followInput>;

/** Change by themselves, while agents work and documents are indexed. documents: `id` is the base. */
export const LIVE_NOUNS = ["runs", "requests", "documents"] as const;
/** Change by a person's hand. Named as their routers are: a change through one of those is told (procedures.ts). */
export const EDITED_NOUNS = [
  "agents",
  "teams",
  "knowledge",
  "conversations",
  "decisions",
  "feedback",
  "finding",
  "providers",
  "toolServers",
  "tracing",
  "webhooks",
  "members",
  "system",
  "usage",
  "runViews",
] as const;
export const CHANGED_NOUNS = [...LIVE_NOUNS, ...EDITED_NOUNS] as const;
export type ChangedNoun = (typeof CHANGED_NOUNS)[number];

export const followMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("event"), event: runEvent }),
  z.object({ type: z.literal("delta"), delta: textDelta }),
  /** Something in the workspace changed: lists of that noun are worth reading again. */
  z.object({ type: z.literal("changed"), noun: z.enum(CHANGED_NOUNS), id: id.nullable() }),
]);
export type FollowMessage = z.infer<typeof followMessage>;
