import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * A tool server over streamable HTTP that answers a great deal of JSON and does not say so first: `flood` a hundred megabytes, `large`
 * somewhat less than is taken, in many small parts, which is the most work to read.
 */
const PART = '{"type":"text","text":"part"},';
const PIECE = PART.repeat(Math.floor(1_000_000 / PART.length));
const PIECES: Record<string, number> = { flood: 100, large: 2 };

type Request = { id?: number; method: string; params?: { name?: string } };

function resultOf(method: string): object {
  if (method === "initialize") {
    const serverInfo = { name: "flooding", version: "1.0.0" };
    return { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo };
  }
  if (method === "tools/list") {
    const also = { inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };
    return { tools: Object.keys(PIECES).map((name) => ({ name, ...also })) };
  }
  return {};
}

function* answerTo(id: number, tool: string): Generator<string> {
  yield `{"jsonrpc":"2.0","id":${id},"result":{"content":[`;
  for (let piece = 0; piece < (PIECES[tool] ?? 0); piece++) yield PIECE;
  yield `{"type":"text","text":"the last"}]}}`;
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const { id, method, params }: Request = text ? JSON.parse(text) : { method: "" };
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  response.writeHead(200, { "content-type": "application/json" });
  if (method !== "tools/call") {
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: resultOf(method) }));
    return;
  }
  // Whoever has read enough hangs up.
  await pipeline(Readable.from(answerTo(id, params?.name ?? "")), response).catch(() => {});
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on("end", () => process.exit(0));
