import { BackupError } from "@/server/backup/backup-error";
import { backupPath, checkBackup, deleteBackup, takeBackup } from "@/server/backup/backups";
import { readRestoreState, requestRestore } from "@/server/backup/restore-request";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";
import { logger } from "@/server/logger";
import { tellChange } from "@/server/trpc/tell-changes";
import { getWorkspace } from "@/server/workspaces/queries";
import type { Scope } from "@/server/workspaces/scope";
import { dataDirectory } from "../queries/here";
import { listBackupViews, readBackups } from "../queries/list-backups";
import type { BackupsView, BackupView, RestoreInput } from "../schema";

type Taking = { startedAt: Date; rowsDone: number; rowsTotal: number };

/** What this web server is doing about backups; kept over hot reloads. */
type Work = { taking: Taking | null; failure: string | null };
const handles = globalThis as typeof globalThis & { troupeBackups?: Work };
handles.troupeBackups ??= { taking: null, failure: null };
const work = handles.troupeBackups;

/** The backups, and what is going on with them. */
export async function describeBackups(scope: Scope): Promise<BackupsView> {
  const { taking, failure } = work;
  const kept = await readBackups(scope);
  return { ...kept, failure, taking: taking && { ...taking, startedAt: taking.startedAt.toISOString() } };
}

const TELL_EVERY_MS = 500;

/**
 * Begins a backup and returns at once: it is over when the list says so, and open pages are told how far it is. On the
 * embedded database everything else waits meanwhile. Throws CONFLICT while another is taken.
 */
export async function startBackup(scope: Scope): Promise<{ ok: true }> {
  await assertNoRestore();
  if (work.taking) throw new AppError("CONFLICT", "A backup is being taken already. Wait until it is done.");
  const directory = dataDirectory();
  const taking: Taking = { startedAt: new Date(), rowsDone: 0, rowsTotal: 0 };
  work.taking = taking;
  work.failure = null;
  const tell = () => void tellChange(scope.workspaceId, "system.backups");
  let toldAt = 0;
  const onProgress = (rowsDone: number, rowsTotal: number) => {
    Object.assign(taking, { rowsDone, rowsTotal });
    if (Date.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = Date.now();
    tell();
  };
  const { DATABASE_URL, SECRETS_KEY } = env();
  void takeBackup({
    databaseUrl: DATABASE_URL,
    dataDirectory: directory,
    secretsKey: SECRETS_KEY ?? null,
    reason: "manual",
    onProgress,
  })
    .catch((error: unknown) => {
      logger.error({ err: error }, "A backup could not be taken");
      work.failure = error instanceof BackupError ? error.message : "The backup failed. The server's log says why.";
    })
    .finally(() => {
      work.taking = null;
      tell();
    });
  return { ok: true };
}

/** Reads a backup to its end. Throws INVALID with what is wrong with it, NOT_FOUND when there is none of that name. */
export async function verifyBackup(scope: Scope, name: string): Promise<BackupView> {
  const found = await findBackup(scope, name);
  await asAppError(() => checkBackup(backupPath(dataDirectory(), name)));
  return found;
}

/** Throws NOT_FOUND; CONFLICT for one that is being restored. */
export async function removeBackup(scope: Scope, name: string): Promise<{ name: string }> {
  await findBackup(scope, name);
  await assertNoRestore();
  await asAppError(() => deleteBackup(dataDirectory(), name));
  return { name };
}

/**
 * Asks the launcher to put a backup in place of everything there is. It ends web server and worker, takes a backup of what
 * is there now, restores, and starts them again; whoever asked waits for /healthz/ready. Throws NOT_FOUND; INVALID when
 * the workspace's name was not typed or the backup cannot be restored; CONFLICT while one is restored or taken already.
 */
export async function restoreHere(scope: Scope, input: RestoreInput): Promise<{ ok: true }> {
  const workspace = await getWorkspace(scope);
  if (input.workspaceName.trim() !== workspace.name.trim()) {
    throw new AppError("INVALID", `Type the name of this workspace, “${workspace.name}”, to confirm.`);
  }
  if (work.taking) throw new AppError("CONFLICT", "A backup is being taken. Wait until it is done.");
  await assertNoRestore();
  const found = await findBackup(scope, input.name);
  if (found.problem) throw new AppError("INVALID", found.problem);
  if (found.key === "other" && !input.forgetSecrets) {
    throw new AppError(
      "INVALID",
      "This backup's stored keys were sealed with another secrets key. Start Troupe with that key, or choose to forget them.",
    );
  }
  const { name, continueRuns, forgetSecrets } = input;
  await asAppError(() => requestRestore(dataDirectory(), { name, continueRuns, forgetSecrets }));
  return { ok: true };
}

async function assertNoRestore(): Promise<void> {
  const state = await readRestoreState(dataDirectory());
  if (state && state.state !== "failed") throw new AppError("CONFLICT", `The backup ${state.name} is being restored.`);
}

async function findBackup(scope: Scope, name: string): Promise<BackupView> {
  const found = (await listBackupViews(scope)).find((each) => each.name === name);
  if (!found) throw new AppError("NOT_FOUND", "There is no such backup. It may have been deleted.");
  return found;
}

/** What is wrong with a backup is a sentence for people. */
async function asAppError<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof BackupError) throw new AppError("INVALID", error.message, { cause: error });
    throw error;
  }
}
