import { z } from "zod";
import { asOwner, inWorkspace, router } from "@/server/trpc/procedures";
import { listToolServers } from "./queries";
import {
  createToolServerInput,
  removedToolServer,
  setToolEffectInput,
  setToolPolicyInput,
  toolServerCheck,
  toolServerIdInput,
  toolServerView,
  updateToolServerInput,
} from "./schema";
import { checkToolServer } from "./service/check-tool-server";
import { createToolServer } from "./service/create-tool-server";
import { removeToolServer } from "./service/remove-tool-server";
import { setToolEffect } from "./service/set-tool-effect";
import { setToolPolicy } from "./service/set-tool-policy";
import { updateToolServer } from "./service/update-tool-server";

/** All changes are an owner's: a program runs with the server's rights, and headers and environments hold secrets. */
export const toolServersRouter = router({
  list: inWorkspace.output(z.array(toolServerView)).query(({ ctx }) => listToolServers(ctx.scope.workspaceId)),

  create: asOwner
    .input(createToolServerInput)
    .output(toolServerView)
    .mutation(({ ctx, input }) => createToolServer({ scope: ctx.scope, input })),

  update: asOwner
    .input(updateToolServerInput)
    .output(toolServerView)
    .mutation(({ ctx, input }) => updateToolServer({ scope: ctx.scope, input })),

  setToolEffect: asOwner
    .input(setToolEffectInput)
    .output(toolServerView)
    .mutation(({ ctx, input }) => setToolEffect({ scope: ctx.scope, input })),

  setToolPolicy: asOwner
    .input(setToolPolicyInput)
    .output(toolServerView)
    .mutation(({ ctx, input }) => setToolPolicy({ scope: ctx.scope, input })),

  check: asOwner
    .input(toolServerIdInput)
    .output(toolServerCheck)
    .mutation(({ ctx, input, signal }) => checkToolServer({ scope: ctx.scope, input, signal })),

  remove: asOwner
    .input(toolServerIdInput)
    .output(removedToolServer)
    .mutation(({ ctx, input }) => removeToolServer({ scope: ctx.scope, input })),
});
