import type { EntryKind } from "@/server/knowledge/entry-schema";

/** What kinds of entries there are, in words; `several` as in "12 decisions". */
export const ENTRY_WORDS: Record<EntryKind, { word: string; several: string; means: string }> = {
  "problem-solution": { word: "Solution", several: "Solutions", means: "A problem, and how it was solved." },
  pattern: { word: "Pattern", several: "Patterns", means: "A way of doing something that can be used again." },
  decision: { word: "Decision", several: "Decisions", means: "What was decided, and the reasons for it." },
  learning: { word: "Learning", several: "Learnings", means: "A lesson learned, or an insight." },
  antipattern: { word: "Antipattern", several: "Antipatterns", means: "A way to be avoided, and why." },
};
