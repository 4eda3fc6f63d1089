import { countSetup } from "@/server/auth/rate-limits";
import { env } from "@/server/env";
import { publicProcedure, router, signedIn } from "@/server/trpc/procedures";
import { changePasswordInput, createdOwner, createOwnerInput, updateProfileInput, userSaved } from "./schema";
import { changePassword, createOwner, updateProfile } from "./service";

export const usersRouter = router({
  /** Public by need: it makes the first person, and refuses once there is one. */
  createOwner: publicProcedure
    .input(createOwnerInput)
    .output(createdOwner)
    .mutation(async ({ ctx, input }) => {
      await countSetup(ctx.address);
      return createOwner({ ...input, setupToken: input.setupToken, expectedToken: env().SETUP_TOKEN });
    }),

  /** Ends all sessions of the person: sign in again with the new password. */
  changePassword: signedIn
    .input(changePasswordInput)
    .output(userSaved)
    .mutation(async ({ ctx, input }) => {
      await changePassword({ userId: ctx.user.id, ...input });
      return { ok: true };
    }),
  updateProfile: signedIn
    .input(updateProfileInput)
    .output(userSaved)
    .mutation(async ({ ctx, input }) => {
      await updateProfile({ userId: ctx.user.id, ...input });
      return { ok: true };
    }),
});
