import { z } from "zod";
import { db } from "@/server/db";
import { toolSubject } from "@/server/tools/tool-policy";
import type { Scope } from "@/server/workspaces/scope";
import { getToolServer } from "../queries";
import type { SetToolPolicyInput, ToolServerView } from "../schema";
import { changeTool } from "./change-tool";

type SetToolPolicy = { scope: Scope; input: SetToolPolicyInput };

/**
 * An owner's word on how a tool is called (AGT-LRR-16, IDEM-01); null takes it back. Runs under way follow from their next execution on: a
 * call that was begun stays as it was begun. What cannot be read of other tools stays as it is. Throws NOT_FOUND for a tool it does not list.
 */
export async function setToolPolicy({ scope, input }: SetToolPolicy): Promise<ToolServerView> {
  const { workspaceId } = scope;
  const { toolServerId, tool, policy } = input;
  await changeTool({
    ...{ workspaceId, toolServerId, tool },
    change: ({ policies }) => {
      const said = z.record(z.string(), z.json()).parse(policies);
      const { [tool]: _, ...others } = said;
      return { policies: policy ? { ...others, [tool]: policy } : others };
    },
  });
  const server = await getToolServer(workspaceId, toolServerId);
  const name = server.tools.find((each) => each.name === tool)?.fullName;
  // What was counted by another policy counts no more.
  await db().gate.deleteMany({ where: { workspaceId, subject: toolSubject(name ?? tool) } });
  return server;
}
