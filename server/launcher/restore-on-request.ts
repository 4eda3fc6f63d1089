import { watch } from "node:fs";
import { backupPath } from "@/server/backup/backups";
import {
  forgetRestore,
  RESTORE_FILE,
  type RestoreWish,
  readRestoreState,
  writeRestoreState,
} from "@/server/backup/restore-request";
import { restoredAt } from "./installation";
import { reasonOf } from "./launcher-error";
import type { Processes } from "./processes";
import { restoreDatabase } from "./restore-database";
import type { Settings } from "./settings";

/** Hears of wishes to restore, however many come one after the other. */
export function watchForRestore(dataDirectory: string): { next(): Promise<RestoreWish>; close(): void } {
  let look: () => void = () => {};
  const watcher = watch(dataDirectory, (_event, file) => {
    if (file === null || file === RESTORE_FILE) look();
  });
  // A directory that can no longer be watched only means that nobody can restore in the browser.
  watcher.on("error", () => {});
  return {
    next: () =>
      new Promise((resolve) => {
        look = () => {
          void readRestoreState(dataDirectory)
            .catch(() => null)
            .then((wish) => {
              if (wish?.state === "requested") resolve(wish);
            });
        };
        // One may have come while nobody was looking.
        look();
      }),
    close: () => watcher.close(),
  };
}

type Context = { settings: Settings; databaseUrl: string; secretsKey: string; processes: Processes };

/** Restores what was asked for. Never throws for a backup that cannot be restored: the page System says why. */
export async function carryOutRestore(
  wish: RestoreWish,
  { settings: { dataDirectory }, ...context }: Context,
): Promise<void> {
  const { name, continueRuns, forgetSecrets } = wish;
  const restoredBefore = await restoredAt(context.databaseUrl);
  const wished = { name, continueRuns, forgetSecrets, restoredBefore };
  console.log(`Restoring ${name}.`);
  await writeRestoreState(dataDirectory, { ...wished, state: "running", says: null });
  try {
    const path = backupPath(dataDirectory, name);
    await restoreDatabase({ ...context, ...wished, path, dataDirectory });
    await forgetRestore(dataDirectory);
    console.log(`Restored ${name}.`);
  } catch (error) {
    if (context.processes.stopping) throw error;
    console.error(`${name} was not restored: ${reasonOf(error)}`);
    await writeRestoreState(dataDirectory, { ...wished, state: "failed", says: reasonOf(error) });
  }
}

/** After a restore that was cut off, says so; nobody begins it again unasked. It either took place as a whole or not at all. */
export async function settleCutOffRestore(dataDirectory: string, databaseUrl: string): Promise<void> {
  const state = await readRestoreState(dataDirectory).catch(() => null);
  if (state?.state !== "running") return;
  if ((await restoredAt(databaseUrl)) !== state.restoredBefore) return forgetRestore(dataDirectory);
  await writeRestoreState(dataDirectory, {
    ...state,
    state: "failed",
    says: "Troupe ended in the middle of it. Nothing was changed; restore again.",
  });
}
