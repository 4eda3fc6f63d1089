import { z } from "zod";
import { type RequestView, requestView } from "@/server/engine/events";

/** What an empty list of several options says. */
export const NONE_OF_THESE = "None of these";

/** Kinds of which only what is offered can be said: what became of a side effect, and how a run goes on at a share of its limit. */
const FIXED: readonly RequestView["kind"][] = ["uncertain_effect", "budget"];

/** Whether words of one's own are an answer. */
export function mayWrite({ kind, answerKind }: Pick<RequestView, "kind" | "answerKind">): boolean {
  return answerKind === "choice" && !FIXED.includes(kind);
}

export const answerText = z.string().trim().min(1, "Write an answer.").max(20_000, "At most 20,000 characters.");

export const answerRequestInput = z.strictObject({
  requestId: z.uuid(),
  /** A list where several options may be ticked: those that are. */
  answer: z.union([answerText, z.array(z.string().max(500)).max(20)]),
});
export type AnswerRequestInput = z.infer<typeof answerRequestInput>;

/** `counted` is false when somebody had answered before: the stored answer stands. */
export const answerResult = z.object({ request: requestView, counted: z.boolean() });

/** `mine`: assigned to whoever asks, or to nobody and of a run they started. */
export const WHOSE_REQUESTS = ["everybody", "mine", "nobody"] as const;
export type WhoseRequests = (typeof WHOSE_REQUESTS)[number];

export const listRequestsInput = z.strictObject({
  limit: z.int().min(1).max(100).default(50),
  whose: z.enum(WHOSE_REQUESTS).default("everybody"),
});
export type ListRequestsInput = z.infer<typeof listRequestsInput>;
export const requestList = z.object({
  items: z.array(requestView.extend({ runTitle: z.string(), isHeld: z.boolean() })),
  total: z.int(),
});

/** Null: nobody in particular. */
export const assignRequestInput = z.strictObject({ requestId: z.uuid(), assigneeId: z.uuid().nullable() });
export type AssignRequestInput = z.infer<typeof assignRequestInput>;
export const requestAssigned = requestView;
