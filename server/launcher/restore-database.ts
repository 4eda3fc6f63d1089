import { BackupError } from "@/server/backup/backup-error";
import { type BackupSummary, takeBackup } from "@/server/backup/backups";
import type { Manifest } from "@/server/backup/manifest";
import { pruneAutomatic } from "@/server/backup/prune-automatic";
import { readManifest } from "@/server/backup/read-backup";
import { restoreBackup } from "@/server/backup/restore-backup";
import type { Progress } from "@/server/backup/write-backup";
import { keyFingerprint } from "@/server/secrets/secrets-key";
import { assertNoWorkers, holdsWork } from "./installation";
import { migrate } from "./migrations";
import type { Processes } from "./processes";

type Options = {
  path: string;
  name: string;
  /** Migrated, and used by nobody else. */
  databaseUrl: string;
  dataDirectory: string;
  secretsKey: string | undefined;
  continueRuns: boolean;
  forgetSecrets: boolean;
  processes: Processes;
  onProgress?: Progress;
};

export type Restored = {
  manifest: Manifest;
  /** What was there before; null when that was nothing. */
  safety: BackupSummary | null;
};

/**
 * Replaces what is in a database by a backup and brings it to this version's schema, after backing up what is there.
 * Throws LauncherError or BackupError; then the database is as it was.
 */
export async function restoreDatabase(options: Options): Promise<Restored> {
  const { path, databaseUrl, dataDirectory, secretsKey, forgetSecrets } = options;
  assertOpensSecrets(await readManifest(path), { secretsKey, forgetSecrets });
  await assertNoWorkers(databaseUrl);
  const safety = (await holdsWork(databaseUrl))
    ? await takeBackup({ databaseUrl, dataDirectory, reason: "before-restore", secretsKey: secretsKey ?? null })
    : null;
  const manifest = await restoreBackup(options);
  await migrate(databaseUrl, options.processes);
  await pruneAutomatic(dataDirectory);
  return { manifest, safety };
}

function assertOpensSecrets(
  { keyFingerprint: sealedWith }: Manifest,
  { secretsKey, forgetSecrets }: Pick<Options, "secretsKey" | "forgetSecrets">,
): void {
  if (forgetSecrets || sealedWith === null) return;
  const own = secretsKey ? keyFingerprint(secretsKey) : null;
  if (own === sealedWith) return;
  throw new BackupError(
    `The stored keys in this backup were sealed with another secrets key (${sealedWith}${own ? `; this installation's is ${own}` : ""}). ` +
      "Put the original's file secrets-key into the data directory, or its SECRETS_KEY into the environment, and try again. " +
      "If that key is lost, restore without the stored keys (--forget-secrets): providers and tool servers then need theirs entered again.",
  );
}
