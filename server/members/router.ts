import { z } from "zod";
import { countInvite } from "@/server/auth/rate-limits";
import { asOwner, inWorkspace, publicProcedure, router, signedIn } from "@/server/trpc/procedures";
import { listInvites, listMembers } from "./queries";
import {
  acceptInviteInput,
  createInviteInput,
  inviteAccepted,
  inviteCreated,
  inviteIdInput,
  inviteLook,
  inviteTokenInput,
  inviteView,
  memberChanged,
  memberIdInput,
  memberView,
  setRoleInput,
} from "./schema";
import { acceptInvite, createInvite, joinWithInvite, lookAtInvite, revokeInvite } from "./service/invites";
import { removeMember, setRole } from "./service/members";

export const membersRouter = router({
  list: inWorkspace.output(z.array(memberView)).query(({ ctx }) => listMembers(ctx.scope)),
  invites: asOwner.output(z.array(inviteView)).query(({ ctx }) => listInvites(ctx.scope)),
  setRole: asOwner
    .input(setRoleInput)
    .output(memberChanged)
    .mutation(async ({ ctx, input }) => {
      await setRole({ scope: ctx.scope, ...input });
      return { ok: true };
    }),
  remove: asOwner
    .input(memberIdInput)
    .output(memberChanged)
    .mutation(async ({ ctx, input }) => {
      await removeMember({ scope: ctx.scope, ...input });
      return { ok: true };
    }),
  createInvite: asOwner
    .input(createInviteInput)
    .output(inviteCreated)
    .mutation(({ ctx, input }) => createInvite({ scope: ctx.scope, ...input })),
  revokeInvite: asOwner
    .input(inviteIdInput)
    .output(memberChanged)
    .mutation(async ({ ctx, input }) => {
      await revokeInvite({ scope: ctx.scope, ...input });
      return { ok: true };
    }),
  /** Public by need: whoever holds the link has no account yet. A mutation, so that the token is in no address. */
  lookAtInvite: publicProcedure
    .input(inviteTokenInput)
    .output(inviteLook)
    .mutation(async ({ ctx, input }) => {
      await countInvite(ctx.address);
      return lookAtInvite(input.token);
    }),
  /** Public by need: it makes the account of whoever holds the link. */
  acceptInvite: publicProcedure
    .input(acceptInviteInput)
    .output(inviteAccepted)
    .mutation(async ({ ctx, input }) => {
      await countInvite(ctx.address);
      return acceptInvite(input);
    }),
  joinWithInvite: signedIn
    .input(inviteTokenInput)
    .output(inviteAccepted)
    .mutation(async ({ ctx, input }) => {
      await countInvite(ctx.address);
      return joinWithInvite({ token: input.token, userId: ctx.user.id });
    }),
});
