import { z } from "zod";
import { requestView } from "@/server/engine/events";

export const answerRequestInput = z.strictObject({
  requestId: z.uuid(),
  answer: z.string().trim().min(1, "Write an answer.").max(20_000, "At most 20,000 characters."),
});
export type AnswerRequestInput = z.infer<typeof answerRequestInput>;

/** `counted` is false when somebody had answered before: the stored answer stands. */
export const answerResult = z.object({ request: requestView, counted: z.boolean() });

export const listRequestsInput = z.strictObject({ limit: z.int().min(1).max(100).default(50) });
export const requestList = z.object({
  items: z.array(requestView.extend({ runTitle: z.string() })),
  total: z.int(),
});
