import { z } from "zod";
import { asOperator, inWorkspace, router } from "@/server/trpc/procedures";
import { listShareLinks } from "./queries/list-share-links";
import { openShareLink } from "./queries/open-share-link";
import { runIdInput } from "./schema";
import { createShareLink, revokeShareLink } from "./service/share-run";
import {
  createShareLinkInput,
  openShareLinkInput,
  sharedPlace,
  shareLink,
  shareLinkCreated,
  shareLinkInput,
  shareLinkRevoked,
} from "./share-schema";

/** Links to runs for members of the workspace, which can expire and be taken back. */
export const shareRouter = router({
  list: inWorkspace
    .input(runIdInput)
    .output(z.array(shareLink))
    .query(({ ctx, input }) => listShareLinks(ctx.scope.workspaceId, input.runId)),

  /** Where a link leads. */
  open: inWorkspace
    .input(openShareLinkInput)
    .output(sharedPlace)
    .query(({ ctx, input }) => openShareLink(ctx.scope.workspaceId, input.token)),

  create: asOperator
    .input(createShareLinkInput)
    .output(shareLinkCreated)
    .mutation(({ ctx, input }) => createShareLink({ scope: ctx.scope, input })),

  revoke: asOperator
    .input(shareLinkInput)
    .output(shareLinkRevoked)
    .mutation(({ ctx, input }) => revokeShareLink({ scope: ctx.scope, linkId: input.linkId })),
});
