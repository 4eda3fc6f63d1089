import type { FindRedaction } from "@/server/secrets/pii-setting";
import type { Tool, Toolbox } from "./tool";

/** Tools whose results and errors hold nothing personal, in the workspaces that want it, before anything of them is stored or sent. */
export function redactingToolbox(toolbox: Toolbox, find: FindRedaction): Toolbox {
  return async (request) => {
    const found = await toolbox(request);
    return { ...found, tools: new Map([...found.tools].map(([name, tool]) => [name, redacting(tool, find)])) };
  };
}

function redacting(tool: Tool, find: FindRedaction): Tool {
  return {
    ...tool,
    async run(args, context) {
      // Asked first: a result that nobody knows what to do with could not be kept.
      const redact = await find(context.workspaceId);
      if (!redact) return tool.run(args, context);
      try {
        return redact(await tool.run(args, context));
      } catch (error) {
        // The error itself: what becomes of it depends on its class.
        if (error instanceof Error) error.message = redact(error.message);
        throw error;
      }
    },
  };
}
