import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type pg from "pg";
import { z } from "zod";
import type { ErrorCategory } from "@/server/engine/resilience/error-catalog";
import { type OfferedTool, serverNameOf, toolsOf } from "@/server/tool-servers/rules";
import { type Tool, type ToolContext, ToolError, UnreachedError } from "@/server/tools/tool";
import { sendsKey } from "@/server/tools/tool-policy";
import { keyMeta, underKey } from "./call-key";
import { failWhenStreamEnds, ReplyLost } from "./call-streams";
import type { ToolServerConnection } from "./connect";
import { httpProblem, isUnsent, ToolServerConnectError } from "./connect-error";
import { toolServerConnections } from "./connections";
import { type CallResult, callResult, flattenResult } from "./flatten-result";
import { findToolServer, findToolServersByName, type StoredToolServer } from "./stored-server";

/** The SDK's own limit comes that much later: it is only there to end what nobody waits for any more. */
const SDK_EXTRA_MS = 5000;
/** Answers of the protocol itself: the server understood that it would not call anything. */
const NOT_CALLED: number[] = [
  ErrorCode.ParseError,
  ErrorCode.InvalidRequest,
  ErrorCode.MethodNotFound,
  ErrorCode.InvalidParams,
];

const toolArguments = z.record(z.string(), z.unknown());

/** Tools of tool servers, and a sentence for each name that cannot be used. */
export type McpToolSet = { tools: Map<string, Tool>; missing: string[] };

/**
 * The named tools of this workspace's tool servers, as agents call them (`server__tool`). Nothing connects or starts:
 * what they are comes from the list stored at the last test, so a server cannot change its descriptions in between.
 */
export async function mcpTools(pool: pg.Pool, workspaceId: string, names: readonly string[]): Promise<McpToolSet> {
  const wanted = names.map((name) => ({ name, serverName: serverNameOf(name) ?? name }));
  const servers = await findToolServersByName(pool, workspaceId, [...new Set(wanted.map((w) => w.serverName))]);
  const offers = new Map(servers.map((server) => [server.name, { server, tools: toolsOf(server) }]));
  const tools = new Map<string, Tool>();
  const missing: string[] = [];
  for (const { name, serverName } of wanted) {
    const offer = offers.get(serverName);
    const tool = offer?.tools.find(({ fullName }) => fullName === name);
    if (!offer) missing.push(`The tool “${name}” is missing: there is no tool server “${serverName}”.`);
    else if (!offer.server.enabled) {
      missing.push(`The tool “${name}” cannot be used: the tool server “${serverName}” is turned off.`);
    } else if (!tool) missing.push(`The tool “${name}” is missing: the tool server “${serverName}” does not offer it.`);
    else if (!tool.canBeRead) missing.push(`The tool “${name}” cannot be used: ${tool.problem}`);
    else tools.set(name, toTool(pool, offer.server, tool));
  }
  return { tools, missing };
}

function toTool(pool: pg.Pool, { id, workspaceId, name: server }: StoredToolServer, offered: OfferedTool): Tool {
  const { name, fullName, description, parameters, writes, policy } = offered;
  return {
    name: fullName,
    description: description || `The tool ${name} of ${server}.`,
    parameters,
    sideEffect: writes ? "external" : "read",
    idempotency: writes ? policy.idempotency.hint : "none",
    timeoutMs: policy.timeoutMs,
    policy,
    async run(args, { signal, key }) {
      const parsed = toolArguments.safeParse(args ?? {});
      if (!parsed.success) throw new ToolError("The arguments must be a JSON object.", "PARAMETER");
      const stored = await findToolServer(pool, workspaceId, id);
      if (!stored?.enabled) throw new UnreachedError(`The tool server “${server}” was turned off or removed.`);
      const call = { tool: name, args: parsed.data, timeoutMs: policy.timeoutMs, signal };
      return callTool(stored, { ...call, key: writes && sendsKey(policy) ? key : null });
    },
  };
}

type Call = {
  tool: string;
  args: Record<string, unknown>;
  timeoutMs: number;
  signal: ToolContext["signal"];
  key: string | null;
};

/**
 * Throws ToolError for what certainly changed nothing, and for what the tool itself calls an error. Any other error
 * leaves open whether the tool acted.
 */
async function callTool(server: StoredToolServer, call: Call): Promise<unknown> {
  try {
    return await callOnce(server, call).catch((error: unknown) => {
      if (!(error instanceof NotTakenUp) || call.signal.aborted) throw error;
      // A connection kept from before, to a server that was started anew since: it has not heard of the call.
      toolServerConnections.forget(server.id);
      return callOnce(server, call);
    });
  } catch (error) {
    throw error instanceof ToolServerConnectError ? new UnreachedError(error.message, categoryOf(error)) : error;
  }
}

function categoryOf({ code }: ToolServerConnectError): ErrorCategory {
  if (code === "unreachable") return "NETWORK";
  return code === "failed" ? "SERVER_ERROR" : "CLIENT_ERROR";
}

/** The connection was there, and yet the call certainly did not get through. */
class NotTakenUp extends ToolServerConnectError {}

function callOnce(server: StoredToolServer, { tool, args, timeoutMs, signal, key }: Call): Promise<unknown> {
  return toolServerConnections.use(server, signal, async (connection) => {
    const { client, redact, isOpen } = connection;
    if (!isOpen()) throw new NotTakenUp("failed", `The tool server “${server.name}” ended.`);
    const request = { method: "tools/call" as const, params: { name: tool, arguments: args, ...keyMeta(key) } };
    const result = await failWhenStreamEnds(() =>
      underKey(key, () => client.request(request, callResult, { signal, timeout: timeoutMs + SDK_EXTRA_MS })),
    ).catch((error: unknown) => {
      throw told(error, server, connection);
    });
    return readResult(result, redact);
  });
}

function readResult(result: CallResult, redact: ToolServerConnection["redact"]): unknown {
  const value = flattenResult(result, redact);
  if (!result.isError) return value;
  const message = typeof value === "string" && value ? value : JSON.stringify(value || "The tool failed.");
  throw new ToolError(message, "MCP");
}

/** The error in a sentence without secrets, and with what the program said last. */
function told(error: unknown, server: StoredToolServer, { redact, lastWords, isOpen }: ToolServerConnection): unknown {
  if (!(error instanceof Error)) return error;
  if (isUnsent(error)) {
    const { code, message } = httpProblem(error, server.url ?? "");
    return new NotTakenUp(code, redact(message), error);
  }
  if (error instanceof McpError && NOT_CALLED.includes(error.code))
    return new ToolError(redact(error.message), "PARAMETER");
  // What fetch says of a broken connection helps nobody.
  const isLost = error instanceof TypeError || error instanceof ReplyLost;
  if (isOpen())
    return new Error(isLost ? `The tool server “${server.name}” went away before it answered.` : redact(error.message));
  const words = lastWords().trim();
  const said = words ? ` Its last words: ${words}` : "";
  return new Error(`The tool server “${server.name}” ended before it answered.${said}`);
}
