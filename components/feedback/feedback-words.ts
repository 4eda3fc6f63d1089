import type { FeedbackType } from "@/server/feedback/schema";

/** What people say of answers, in a word or two. */
export const FEEDBACK_WORDS: Record<FeedbackType, string> = {
  positive: "Good answer",
  negative: "Bad answer",
  correction: "Correction",
  preference: "Preference",
};

/** Where room is short and the rest is plain. */
export const SHORT_WORDS: Record<FeedbackType, string> = {
  positive: "Good",
  negative: "Bad",
  correction: "Corrections",
  preference: "Preferences",
};
