import { z } from "zod";

const id = z.uuid();
const instant = z.iso.datetime();

export const DEAD_LETTER_STATUSES = ["open", "requested", "replaying", "replayed", "acknowledged"] as const;

export const deadLetter = z.object({
  id,
  runId: id,
  runTitle: z.string(),
  agentRunId: id,
  agentName: z.string(),
  position: z.int(),
  kind: z.enum(["model", "tool"]),
  operation: z.string(),
  code: z.string(),
  stableCode: z.string(),
  category: z.string(),
  message: z.string(),
  /** Null for a model call. */
  arguments: z.string().nullable(),
  /** Whether making it again may do something twice; `run`: its run is started again instead. */
  repeats: z.enum(["reads", "keyed", "unkeyed", "run"]),
  status: z.enum(DEAD_LETTER_STATUSES),
  result: z.string().nullable(),
  note: z.string().nullable(),
  /** Who acknowledged it or had it made again last. */
  changedBy: z.string().nullable(),
  changedAt: instant.nullable(),
  at: instant,
});
export type DeadLetterView = z.infer<typeof deadLetter>;

export const listDeadLettersInput = z.strictObject({
  status: z.enum(["all", ...DEAD_LETTER_STATUSES]).default("open"),
  /** Name of a model or tool, exactly. */
  operation: z.string().max(300).default(""),
  /** Short or stable. */
  code: z.string().max(60).default(""),
  /** Words in the message, operation or arguments. */
  search: z.string().trim().max(200).default(""),
  cursor: z.string().max(100).nullish(),
  limit: z.int().min(1).max(100).default(50),
  /** Sent along by tRPC's infinite queries; lists only go forward. */
  direction: z.literal("forward").optional(),
});
export type ListDeadLettersInput = z.infer<typeof listDeadLettersInput>;
export const deadLetterPage = z.object({ items: z.array(deadLetter), nextCursor: z.string().nullable() });

export const acknowledgeInput = z.strictObject({
  deadLetterIds: z.array(id).min(1, "Name at least one.").max(100, "At most 100 at once."),
  note: z.string().trim().max(1_000, "At most 1,000 characters.").default(""),
});
export const acknowledged = z.object({ count: z.int() });

export const replayInput = z.strictObject({
  deadLetterId: id,
  /** The person's word that the call never took effect; needed where a repeat cannot be told. */
  nothingHappened: z.boolean().default(false),
});
