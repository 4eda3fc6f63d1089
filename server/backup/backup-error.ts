import { LauncherError } from "@/server/launcher/launcher-error";

/** Why a backup cannot be taken, read or restored: one sentence saying what is wrong and what to do. */
export class BackupError extends LauncherError {
  override readonly name = "BackupError";
}
