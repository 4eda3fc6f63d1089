import { z } from "zod";

/** Raised when a file of an older form could no longer be read. */
export const FORMAT = 1;

export const backupReason = z.enum(["manual", "before-upgrade", "before-restore", "before-move", "uploaded"]);
export type BackupReason = z.infer<typeof backupReason>;

const tableEntry = z.object({
  name: z.string(),
  columns: z.array(z.string()).min(1),
  rows: z.number().int().min(0),
  /** See `tableChecksum`. */
  checksum: z.string(),
});
export type TableEntry = z.infer<typeof tableEntry>;

/** First line of a backup. Everything needed to judge the file without reading it whole. */
export const manifest = z.object({
  troupeBackup: z.literal(FORMAT),
  takenAt: z.coerce.date(),
  reason: backupReason,
  /** Names and SHA-256 of the migrations the rows fit, oldest first. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  /** Tells which SECRETS_KEY opens the sealed values; null when nothing is sealed. */
  keyFingerprint: z.string().nullable(),
  tables: z.array(tableEntry),
});
export type Manifest = z.infer<typeof manifest>;

/** Line that begins the rows of a table; each row follows as an array of texts and nulls, in the order of its columns. */
export const tableLine = z.object({ table: z.string() });
/** Last line: the SHA-256 of all bytes before it. */
export const endLine = z.object({ end: z.object({ sha256: z.string() }) });
export const rowLine = z.array(z.string().nullable());

export const rowsOf = ({ tables }: Pick<Manifest, "tables">) => tables.reduce((sum, { rows }) => sum + rows, 0);
