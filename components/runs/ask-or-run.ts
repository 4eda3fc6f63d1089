/** The two ways to give something to do, in the words used wherever one chooses between them. */
export const ASK_HINT = "A conversation: each follow-up knows what was said before, and files can be attached.";
export const RUN_HINT = "One task on its own: it knows nothing of other runs, and ends with one answer.";
