import type { FindRedaction, Redaction } from "@/server/secrets/redaction";
import type { Tool, Toolbox } from "./tool";

/**
 * Tools whose results and errors hold nothing a workspace keeps secret, and nothing personal in the workspaces that want it so, before anything of
 * them is stored or sent. What owners wrote, of tools and for agents, is told without secrets.
 */
export function redactingToolbox(toolbox: Toolbox, find: FindRedaction): Toolbox {
  return async (request) => {
    const [found, { hide }] = await Promise.all([toolbox(request), find(request.workspaceId)]);
    return {
      ...found,
      tools: new Map([...found.tools].map(([name, tool]) => [name, redacting(tool, { find, hide })])),
      clean: hide,
    };
  };
}

/** What is too deep to be looked through is cleaned as the text it is written as; what cannot be written is never kept (`resultText`). */
function cleanResult(value: unknown, redact: Redaction["redact"]): unknown {
  try {
    return redact(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  try {
    return redact(JSON.stringify(value));
  } catch {
    return value;
  }
}

function redacting(tool: Tool, { find, hide }: { find: FindRedaction; hide: Redaction["hide"] }): Tool {
  return {
    ...tool,
    description: hide(tool.description),
    parameters: hide(tool.parameters),
    async run(args, context) {
      // Asked first: a result that nobody knows what to do with could not be kept.
      const { redact } = await find(context.workspaceId);
      try {
        return cleanResult(await tool.run(args, context), redact);
      } catch (error) {
        // The error itself: what becomes of it depends on its class.
        if (error instanceof Error) error.message = redact(error.message);
        throw error;
      }
    },
  };
}
