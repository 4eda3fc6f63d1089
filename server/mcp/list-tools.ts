import { z } from "zod";
import type { ToolServerConnection } from "./connect";
import { ToolServerConnectError } from "./connect-error";

const MOST_TOOLS = 500;
const MOST_PAGES = 100;
/** Of one tool as JSON; a larger one would fill a model's context by itself. */
const LARGEST_TOOL = 100_000;

/** Looser than the SDK's own: one tool that breaks the rules must not hide all others. */
const toolsPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
const listedTool = z.object({
  name: z.string().min(1).max(200),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.looseObject({ type: z.literal("object") }),
  annotations: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
export type ListedTool = z.infer<typeof listedTool>;

/**
 * All tools of a server, page by page, without its secrets. What does not follow the protocol is left out and counted.
 * Throws ToolServerConnectError not-mcp when there is no list.
 */
export async function listServerTools(
  { client, redact }: ToolServerConnection,
  signal?: AbortSignal,
): Promise<{ tools: ListedTool[]; leftOut: number }> {
  if (!client.getServerCapabilities()?.tools) return { tools: [], leftOut: 0 };
  const tools: ListedTool[] = [];
  let leftOut = 0;
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const request = { method: "tools/list" as const, ...(cursor === undefined ? {} : { params: { cursor } }) };
    const listed = await client.request(request, toolsPage, signal ? { signal } : {}).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw new ToolServerConnectError("not-mcp", "The server did not give a list of its tools.", error);
    });
    for (const tool of listed.tools) {
      const parsed = listedTool.safeParse(tool);
      const isUsable = parsed.success && tools.length < MOST_TOOLS && JSON.stringify(tool).length <= LARGEST_TOOL;
      if (isUsable) tools.push(redact(parsed.data));
      else leftOut++;
    }
    if (listed.nextCursor === undefined || listed.nextCursor === cursor) break;
    cursor = listed.nextCursor;
  }
  return { tools, leftOut };
}
