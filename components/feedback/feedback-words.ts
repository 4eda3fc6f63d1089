import type { FeedbackType } from "@/server/feedback/schema";

/** What people say of answers, in a word or two. */
export const FEEDBACK_WORDS: Record<FeedbackType, string> = {
  positive: "Good answer",
  negative: "Bad answer",
  correction: "Correction",
  preference: "Preference",
};
