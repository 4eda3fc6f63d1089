import { z } from "zod";
import type { TeamPattern } from "@/server/teams/schema";

/**
 * What becomes of the results of a broadcast (AGT-ADV-12…16):
 * supervisor leaves all of it to the supervisor's model · all puts them side by side · first takes whoever completes first · majority takes
 * the most common answer · best takes the one the supervisor's model scores highest · synthesis has that model write one answer from all.
 */
export const COMBINATIONS = ["supervisor", "all", "first", "majority", "best", "synthesis"] as const;
export type Combination = (typeof COMBINATIONS)[number];

/**
 * Who says how a debate ends, unless all agree: model lets the supervisor's model choose one contribution, with its reason · majority takes
 * the most common.
 */
export const JUDGES = ["model", "majority"] as const;
export type Judge = (typeof JUDGES)[number];

/** Rounds of a debate after the first answers. */
export const ROUNDS = { least: 1, most: 5 };

/** Handoffs of one run. */
export const HANDOFFS = { least: 1, most: 50 };

const SECOND_MS = 1_000;

/** Settings of the patterns that have some, each under its pattern: changing the pattern of a draft loses none. */
export const patternSettings = z.strictObject({
  broadcast: z
    .strictObject({
      combine: z.enum(COMBINATIONS).default("supervisor"),
      /** Where the first counts: how long one of them may take to come. */
      timeLimitMs: z
        .int()
        .min(SECOND_MS, "At least 1 second.")
        .max(24 * 3_600 * SECOND_MS, "At most 24 hours.")
        .default(300 * SECOND_MS),
    })
    .prefault({}),
  debate: z
    .strictObject({
      /** How often each answers again, seeing what the others last said. */
      rounds: z
        .int()
        .min(ROUNDS.least, `At least ${ROUNDS.least} round.`)
        .max(ROUNDS.most, `At most ${ROUNDS.most} rounds.`)
        .default(2),
      judge: z.enum(JUDGES).default("model"),
    })
    .prefault({}),
  handoff: z
    .strictObject({
      maxHandoffs: z
        .int()
        .min(HANDOFFS.least, `At least ${HANDOFFS.least} handoff.`)
        .max(HANDOFFS.most, `At most ${HANDOFFS.most} handoffs.`)
        .default(10),
    })
    .prefault({}),
});
export type PatternSettings = z.infer<typeof patternSettings>;

export const DEFAULT_PATTERN_SETTINGS: PatternSettings = patternSettings.parse({});

/** A team's pattern with its settings; without a pattern an agent runs by itself. */
export type Patterned = { pattern: TeamPattern | null; patternSettings: PatternSettings };

/** Whether the engine itself carries the pattern out, so that the model of the team's root is not asked what comes next. */
export function isCarriedOut({ pattern, patternSettings: { broadcast } }: Patterned): boolean {
  if (pattern === "broadcast") return broadcast.combine !== "supervisor";
  return pattern === "pipeline" || pattern === "debate" || pattern === "handoff";
}
