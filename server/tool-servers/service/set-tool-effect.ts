import type { Scope } from "@/server/workspaces/scope";
import { getToolServer } from "../queries";
import { overridesOf } from "../rules";
import type { SetToolEffectInput, ToolServerView } from "../schema";
import { changeTool } from "./change-tool";

type SetToolEffect = { scope: Scope; input: SetToolEffectInput };

/** An owner's word on whether a tool writes, over the server's own. Throws NOT_FOUND for a tool it does not list. */
export async function setToolEffect({ scope, input }: SetToolEffect): Promise<ToolServerView> {
  const { workspaceId } = scope;
  const { toolServerId, tool, effect } = input;
  await changeTool({
    ...{ workspaceId, toolServerId, tool },
    change: ({ effects }) => {
      const overrides = overridesOf(effects);
      if (effect === "as-stated") overrides.delete(tool);
      else overrides.set(tool, effect);
      return { effects: Object.fromEntries(overrides) };
    },
  });
  return getToolServer(workspaceId, toolServerId);
}
