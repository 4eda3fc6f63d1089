import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { v7 as uuid } from "uuid";
import type { PrismaClient } from "@/prisma/generated/client";
import { sealValues } from "@/server/mcp/server-secrets";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { bundled } from "./bundled";
import { freePort } from "./free-port";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const installed = (name: string) => join(root, "node_modules/@modelcontextprotocol", name, "dist/index.js");

/** Tool servers as an owner would enter them: the official ones, and ours that misbehaves. */
export const everything = {
  transport: "stdio",
  command: process.execPath,
  args: [installed("server-everything")],
} as const;
export const filesystem = (...folders: string[]) =>
  ({ transport: "stdio", command: process.execPath, args: [installed("server-filesystem"), ...folders] }) as const;
export const odd = {
  transport: "stdio",
  command: process.execPath,
  args: [await bundled("tests/support/odd-tool-server-main.ts")],
} as const;

type Reach = { transport: "stdio" | "http"; url?: string; command?: string; args?: readonly string[] };

/** A tool server as a row, with its secrets sealed. */
export async function aToolServer(
  db: PrismaClient,
  workspaceId: WorkspaceId,
  {
    name = "files",
    secrets = {},
    tools = [],
    args = [],
    ...reach
  }: Reach & { name?: string; secrets?: Record<string, string>; tools?: object[] },
): Promise<{ id: string; name: string }> {
  const id = uuid();
  const sealed = { secretSealed: sealValues({ id, workspaceId }, secrets), secretNames: Object.keys(secrets) };
  await db.toolServer.create({ data: { id, workspaceId, name, ...reach, args: [...args], tools, ...sealed } });
  return { id, name };
}

export type RunningServer = { url: string; child: ChildProcess; port: number; stop(): Promise<void> };

/** The official everything server over streamable HTTP; on a port of its own, or one it had before. */
export async function startEverything(port?: number): Promise<RunningServer> {
  const onPort = port ?? (await freePort());
  const child = spawn(process.execPath, [installed("server-everything"), "streamableHttp"], {
    env: { ...process.env, PORT: String(onPort) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  await new Promise<void>((resolve, reject) => {
    let words = "";
    child.stderr?.on("data", (chunk) => {
      words += chunk;
      if (words.includes("listening on port")) resolve();
    });
    child.once("exit", () => reject(new Error(`The everything server ended: ${words}`)));
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = () => {
    child.kill("SIGKILL");
    return ended;
  };
  return { url: `http://127.0.0.1:${onPort}/mcp`, child, port: onPort, stop };
}

/** A server over streamable HTTP with one tool, `hang`, which never answers. */
export async function startHangingServer() {
  let wasCalled = () => {};
  const called = new Promise<void>((resolve) => {
    wasCalled = resolve;
  });
  // Without sessions each request has a server of its own.
  const http = createServer(async (request, response) => {
    const transport = new StreamableHTTPServerTransport();
    const mcp = new McpServer({ name: "hanging", version: "1.0.0" });
    mcp.registerTool("hang", {}, () => {
      wasCalled();
      return new Promise<never>(() => {});
    });
    // The SDK's own classes differ in their optional fields from the interface they implement.
    await mcp.connect(transport as Transport);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      http.close(() => resolve());
      http.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/mcp`, port, called, stop };
}
