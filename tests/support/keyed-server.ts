import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { z } from "zod";

type Request = { method: string; key: string | null };
type Call = { to: string; key: string | null; meta: unknown };

const said = z.looseObject({ method: z.string() });

/**
 * An MCP server over streamable HTTP with one tool that writes, `order`. Keeps what each request and call carried. `honours`: a key it
 * saw before is answered as then, and orders nothing. `order` calls hang while `hold()` is in force.
 */
export async function startKeyedServer({ honours = false, annotations = {} } = {}) {
  const requests: Request[] = [];
  const calls: Call[] = [];
  const ordered: string[] = [];
  const receipts = new Map<string, string>();
  let gate: Promise<void> = Promise.resolve();
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body: unknown = text ? JSON.parse(text) : undefined;
    const method = said.safeParse(body).data?.method ?? request.method ?? "";
    const header = request.headers["idempotency-key"];
    const key = typeof header === "string" ? header : null;
    requests.push({ method, key });
    // Without sessions each request has a server of its own.
    const transport = new StreamableHTTPServerTransport();
    const mcp = new McpServer({ name: "keyed", version: "1.0.0" });
    mcp.registerTool("order", { inputSchema: { to: z.string() }, annotations }, async ({ to }, { _meta }) => {
      calls.push({ to, key, meta: _meta?.["troupe/idempotency-key"] ?? null });
      const before = honours && key !== null ? receipts.get(key) : undefined;
      if (before === undefined) ordered.push(to);
      const receipt = before ?? `receipt ${ordered.length}`;
      if (key !== null) receipts.set(key, receipt);
      await gate;
      if (to === "nobody") return { content: [{ type: "text", text: "There is no such customer." }], isError: true };
      return { content: [{ type: "text", text: receipt }] };
    });
    // The SDK's own classes differ in their optional fields from the interface they implement.
    await mcp.connect(transport as Transport);
    await transport.handleRequest(request, response, body);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}/mcp`, port, requests, calls, ordered },
    /** Answers nothing until the returned function is called; what was ordered is ordered. */
    hold: () => {
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}
