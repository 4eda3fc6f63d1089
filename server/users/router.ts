import { countSetup } from "@/server/auth/rate-limits";
import { env } from "@/server/env";
import { publicProcedure, router } from "@/server/trpc/procedures";
import { createdOwner, createOwnerInput } from "./schema";
import { createOwner } from "./service";

export const usersRouter = router({
  /** Public by need: it makes the first person, and refuses once there is one. */
  createOwner: publicProcedure
    .input(createOwnerInput)
    .output(createdOwner)
    .mutation(async ({ ctx, input }) => {
      await countSetup(ctx.address);
      return createOwner({ ...input, setupToken: input.setupToken, expectedToken: env().SETUP_TOKEN });
    }),
});
