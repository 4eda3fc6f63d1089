import { whyNotInstallation } from "@/server/auth/installation-owner";
import { asInstallationOwner, inWorkspace, router } from "@/server/trpc/procedures";
import { thisInstallation } from "./queries/here";
import {
  access,
  backupNameInput,
  backupStarted,
  backupsView,
  backupView,
  report,
  restoreInput,
  testInput,
} from "./schema";
import { describeBackups, removeBackup, restoreHere, startBackup, verifyBackup } from "./service/backups";
import { examineInstallation } from "./service/examine-installation";
import { testAndExamine } from "./service/test-connections";

/** The installation as a whole: its health and its backups. Only for owners of its first workspace. */
export const systemRouter = router({
  /** For everybody, so that the page can say why it is closed. */
  access: inWorkspace.output(access).query(async ({ ctx }) => ({ whyNot: await whyNotInstallation(ctx.scope) })),

  health: asInstallationOwner.output(report).query(({ ctx }) => examineInstallation(thisInstallation(ctx.scope))),

  test: asInstallationOwner
    .input(testInput)
    .output(report)
    .mutation(({ ctx, input, signal }) => testAndExamine(ctx.scope, { what: input.what, signal })),

  backups: asInstallationOwner.output(backupsView).query(({ ctx }) => describeBackups(ctx.scope)),

  backUp: asInstallationOwner.output(backupStarted).mutation(({ ctx }) => startBackup(ctx.scope)),

  checkBackup: asInstallationOwner
    .input(backupNameInput)
    .output(backupView)
    .mutation(({ ctx, input }) => verifyBackup(ctx.scope, input.name)),

  deleteBackup: asInstallationOwner
    .input(backupNameInput)
    .output(backupNameInput)
    .mutation(({ ctx, input }) => removeBackup(ctx.scope, input.name)),

  restore: asInstallationOwner
    .input(restoreInput)
    .output(backupStarted)
    .mutation(({ ctx, input }) => restoreHere(ctx.scope, input)),
});
