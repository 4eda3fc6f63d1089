import { COMPARABLE_DECISIONS } from "@/server/decisions/jobs/decision-vectors";
import type { Comparable } from "@/server/retrieval/prepare-vectors";
import { COMPARABLE_RUNS } from "@/server/runs/jobs/prepare-run-vectors";

/** What is found by likeness or meaning, in the order it is prepared. */
export const COMPARABLES: readonly Comparable[] = [COMPARABLE_RUNS, COMPARABLE_DECISIONS];
