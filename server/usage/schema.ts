import { z } from "zod";
import { spendLimits } from "@/server/engine/run-limits";
import { MOST_FILE_BYTES } from "@/server/knowledge/schema";

const id = z.uuid();
const instant = z.iso.datetime();

export const MB = 1024 * 1024;
export const MOST_UPLOAD_MB = MOST_FILE_BYTES / MB;
/** A petabyte: whatever is above was a slip of the hand. */
const MOST_STORAGE_MB = 1024 * 1024 * 1024;
const MOST_COUNT = 10_000_000;

const count = (most: number) =>
  z
    .int("A whole number, or nothing for no limit.")
    .min(1, "At least 1, or nothing for no limit.")
    .max(most, `At most ${most.toLocaleString("en-US")}.`)
    .nullable();

const limitFields = {
  /** Everything the workspace keeps, in MB of 1,048,576 bytes. */
  storageMb: count(MOST_STORAGE_MB),
  uploadMb: z
    .int("A whole number.")
    .min(1, "At least 1 MB.")
    .max(MOST_UPLOAD_MB, `At most ${MOST_UPLOAD_MB} MB: larger files are never taken.`),
  documentsPerBase: count(MOST_COUNT),
  /** Runs that people, turns of conversations and repeats start in a day (UTC). What a run starts inside itself is not counted. */
  runsPerDay: count(MOST_COUNT),
  /** Runs queued or running. Those that wait for a person, are paused or suspended do no work and are not counted. */
  runsAtOnce: count(MOST_COUNT),
  /** Integer nano-USD that model calls of all runs may cost in a day (UTC). */
  spendPerDayNanoUsd: spendLimits.shape.maxCostNanoUsd.unwrap(),
  /** Input and output tokens of all runs in a day (UTC). */
  tokensPerDay: spendLimits.shape.maxTokens.unwrap(),
};

export const saveLimitsInput = z.strictObject(limitFields);
export type Limits = z.infer<typeof saveLimitsInput>;

export const DEFAULT_LIMITS: Limits = {
  storageMb: 10_240,
  uploadMb: MOST_UPLOAD_MB,
  documentsPerBase: 10_000,
  runsPerDay: 1_000,
  runsAtOnce: 50,
  spendPerDayNanoUsd: null,
  tokensPerDay: null,
};

/** `workspaces.limits`: what is missing has its default. */
export const storedLimits = z
  .object(limitFields)
  .partial()
  .transform((stored): Limits => ({ ...DEFAULT_LIMITS, ...stored }));

const days = z
  .int("A whole number of days, or nothing to keep them.")
  .min(1, "At least 1 day, or nothing to keep them.")
  .max(3650, "At most 3,650 days.")
  .nullable();

/** Days after which a kind goes; null: it is kept (INT-CTX-13). */
const retentionFields = { runDays: days, conversationDays: days, uploadDays: days };
export const saveRetentionInput = z.strictObject(retentionFields);
export type Retention = z.infer<typeof saveRetentionInput>;
export const KEEP_EVERYTHING: Retention = { runDays: null, conversationDays: null, uploadDays: null };
/** `workspaces.retention`: what is missing is kept. */
export const storedRetention = z
  .object(retentionFields)
  .partial()
  .transform((stored): Retention => ({ ...KEEP_EVERYTHING, ...stored }));

/**
 * files: uploads as they came. passages: what searches look through, with its index. runs: records of runs outside of
 * conversations; conversations: those of their turns. values: large ones of either, stored once however often they occur.
 * leftovers: large values nobody names any more, until they are swept.
 */
export const USAGE_KINDS = ["files", "passages", "runs", "conversations", "values", "leftovers"] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

export const CLEANUP_KINDS = ["runs", "conversations", "uploads"] as const;
export type CleanupKind = (typeof CLEANUP_KINDS)[number];

const sum = z.object({ items: z.int(), bytes: z.int() });
export type Sum = z.infer<typeof sum>;
/** `cleanups.cutoffs`: what is older goes; what is missing is kept. */
export const cutoffs = z.partialRecord(z.enum(CLEANUP_KINDS), instant);
export type Cutoffs = z.infer<typeof cutoffs>;
export const removed = z.partialRecord(z.enum(CLEANUP_KINDS), sum);
export type Removed = z.infer<typeof removed>;

export const cleanupView = z.object({
  id,
  /** Null: the daily job. */
  startedBy: z.string().nullable(),
  cutoffs,
  removed,
  problem: z.string().nullable(),
  createdAt: instant,
  finishedAt: instant.nullable(),
});
export type CleanupView = z.infer<typeof cleanupView>;

export const usageView = z.object({
  kinds: z.array(sum.extend({ kind: z.enum(USAGE_KINDS) })),
  totalBytes: z.int(),
  /** Null before the first measurement. Files are counted at once, everything else as it was then. */
  measuredAt: instant.nullable(),
  limits: saveLimitsInput,
  now: z.object({
    runsToday: z.int(),
    runsAtWork: z.int(),
    /** Of answered model calls since midnight UTC. */
    spentTodayNanoUsd: z.int(),
    tokensToday: z.int(),
    /** The base with the most documents; null where there is none. */
    fullestBase: z.object({ name: z.string(), documents: z.int() }).nullable(),
    largestUploadBytes: z.int(),
  }),
  retention: saveRetentionInput,
  /** When the daily job looks next; null while everything is kept. */
  nextCleanupAt: instant.nullable(),
  cleanups: z.array(cleanupView),
});
export type UsageView = z.infer<typeof usageView>;

/** Failed steps of one code. */
export const errorCount = z.object({
  stableCode: z.string(),
  code: z.string(),
  category: z.string(),
  retryable: z.boolean(),
  lastDay: z.int(),
  lastWeek: z.int(),
});
export type ErrorCount = z.infer<typeof errorCount>;

const candidate = z.object({
  id,
  title: z.string(),
  at: instant,
  bytes: z.int(),
  /** Where it can be looked at; null for what has no page. */
  href: z.string().nullable(),
});
export const cleanupPreview = z.object({
  /** The dry run looked at this instant; a removal that is given it counts the days back from there. */
  asOf: instant,
  kinds: z.array(
    sum.extend({
      kind: z.enum(CLEANUP_KINDS),
      oldest: instant.nullable(),
      newest: instant.nullable(),
      /** The oldest few. */
      samples: z.array(candidate),
    }),
  ),
});
export type CleanupPreview = z.infer<typeof cleanupPreview>;
export type CleanupCandidate = z.infer<typeof candidate>;

export const startCleanupInput = saveRetentionInput.extend({ asOf: instant });
export const cleanupStarted = z.object({ cleanupId: id });
export const usageChanged = z.object({ ok: z.literal(true) });

/** What each run used of each model, as a file. */
export const spendingFile = z.strictObject({ format: z.enum(["csv", "json"]) });
