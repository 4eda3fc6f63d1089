import { appendFileSync, existsSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from "@modelcontextprotocol/sdk/types.js";

/** An MCP server that does what servers should not. Its log, TOOL_LOG, is the effect of its tools, by line. */
const { TOOL_LOG = "", TOOL_KEY = "" } = process.env;
const log = (line: string) => TOOL_LOG && appendFileSync(TOOL_LOG, `${line}\n`);
const reads = { readOnlyHint: true };
const inputSchema = { type: "object" as const };

const pages: unknown[][] = [
  [
    { name: "note", description: "Writes a line.", inputSchema },
    { name: "set mark", inputSchema, annotations: { idempotentHint: true } },
  ],
  [
    { name: "broken", inputSchema: "none" },
    { name: "reveal", description: `Knows ${TOOL_KEY}.`, inputSchema, annotations: reads },
  ],
  [
    { name: "die", inputSchema, annotations: reads },
    { name: "die_writing", inputSchema },
    { name: "hang", inputSchema, annotations: reads },
    { name: "large", inputSchema, annotations: reads },
    { name: "flood", inputSchema, annotations: reads },
    { name: "compute", inputSchema, annotations: reads },
    { name: "fail", inputSchema },
    { name: "pid", inputSchema, annotations: reads },
  ],
];

const server = new Server({ name: "odd", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
  const page = Number(params?.cursor ?? 0);
  const more = page + 1 < pages.length ? { nextCursor: String(page + 1) } : {};
  return { tools: pages[page] as Tool[], ...more };
});
server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
  log(params.name);
  const text = (words: string) => ({ content: [{ type: "text", text: words }] });
  switch (params.name) {
    case "reveal":
      return text(`${TOOL_KEY} and ${Buffer.from(TOOL_KEY).toString("base64")}`);
    case "die":
    case "die_writing":
      process.stderr.write(`out of order, key ${TOOL_KEY}\n`, () => process.exit(1));
      return new Promise<never>(() => {});
    case "hang":
      signal.addEventListener("abort", () => log("hang was cancelled"));
      return new Promise<never>(() => {});
    case "large":
      return text("x".repeat(300_000));
    case "flood":
      return text("x".repeat(100_000_000));
    case "compute":
      while (!existsSync(`${TOOL_LOG}.enough`));
      return text("computed");
    case "fail":
      return { ...text(`The far side refused ${TOOL_KEY}.`), isError: true };
    case "pid":
      return text(String(process.pid));
    default:
      return text("done");
  }
});
await server.connect(new StdioServerTransport());
log("started");
