import { z } from "zod";

const instant = z.iso.datetime();

/** Worst first: in this order they are shown. */
export const CHECK_STATES = ["problem", "warning", "unknown", "ok"] as const;
export type CheckState = (typeof CHECK_STATES)[number];

export const CHECK_IDS = [
  "versions",
  "database",
  "pgvector",
  "workers",
  "queue",
  "runs",
  "failed-calls",
  "ledger",
  "disk",
  "data-directory",
  "backup",
  "clock",
  "providers",
  "tool-servers",
  "tracing",
  "webhooks",
] as const;
export type CheckId = (typeof CHECK_IDS)[number];

/** One thing the doctor looked at. */
export const check = z.object({
  id: z.enum(CHECK_IDS),
  title: z.string(),
  state: z.enum(CHECK_STATES),
  /** One sentence on how it stands. */
  says: z.string(),
  /** What to do about it; null when nothing is to be done. */
  advice: z.string().nullable(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
});
export type Check = z.infer<typeof check>;

export const report = z.object({
  at: instant,
  /** The worst of all checks. */
  state: z.enum(CHECK_STATES),
  checks: z.array(check),
});
export type Report = z.infer<typeof report>;

/** Whether the caller may use the page; null: they may. */
export const access = z.object({ whyNot: z.string().nullable() });

/** What is called only when somebody asks for it. */
export const testInput = z.strictObject({ what: z.enum(["providers", "tool-servers"]) });

export const BACKUP_REASONS = ["manual", "before-upgrade", "before-restore", "before-move", "uploaded"] as const;

export const backupView = z.object({
  name: z.string(),
  sizeBytes: z.number(),
  takenAt: instant,
  reason: z.enum(BACKUP_REASONS),
  rows: z.number(),
  /** Newest migration of the database it was taken from. */
  migration: z.string(),
  /** Whether its stored keys open here: sealed with this installation's secrets key, with another, or there are none. */
  key: z.enum(["same", "other", "none"]),
  /** Why it cannot be restored; null when nothing is known against it. */
  problem: z.string().nullable(),
});
export type BackupView = z.infer<typeof backupView>;

export const backupsView = z.object({
  backups: z.array(backupView),
  /** The one being taken now. */
  taking: z.object({ startedAt: instant, rowsDone: z.number(), rowsTotal: z.number() }).nullable(),
  /** Why the last one could not be taken; null after a good one. */
  failure: z.string().nullable(),
  restore: z
    .object({ state: z.enum(["requested", "running", "failed"]), name: z.string(), says: z.string().nullable() })
    .nullable(),
  /** The backup this database was last restored from. */
  restored: z.object({ from: z.string(), at: instant }).nullable(),
  /** Free space for backups, in bytes; null when unknown. */
  freeBytes: z.number().nullable(),
  /** Where backups lie on the server. */
  folder: z.string(),
  /** Where the key that opens stored secrets is kept: a file's path, or null for the variable SECRETS_KEY. */
  keyFile: z.string().nullable(),
});
export type BackupsView = z.infer<typeof backupsView>;

const backupName = z.string().min(1, "Say which backup.").max(200);
export const backupNameInput = z.strictObject({ name: backupName });
export const backupStarted = z.object({ ok: z.literal(true) });

export const restoreInput = z.strictObject({
  name: backupName,
  /** Only when the original is gone: else two installations carry the same runs on. */
  continueRuns: z.boolean().default(false),
  /** Empties stored keys, for a backup sealed with a secrets key that is lost. */
  forgetSecrets: z.boolean().default(false),
  /** Typed by the person: the name of the workspace that is replaced. */
  workspaceName: z.string(),
});
export type RestoreInput = z.infer<typeof restoreInput>;
