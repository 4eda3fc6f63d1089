import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { refusalIn } from "@/server/outgoing/refused";
import { NEEDS_PERMISSION } from "@/server/tool-servers/schema";

export type ConnectCode = "private-host" | "unauthorized" | "unreachable" | "not-mcp" | "failed";

/** A tool server cannot be used. `message` is a sentence for people and models, without secrets. Nothing was called. */
export class ToolServerConnectError extends Error {
  readonly code: ConnectCode;

  constructor(code: ConnectCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ToolServerConnectError";
    this.code = code;
  }
}

/** Codes of the system and the HTTP client that only a connection that was never made can have. */
const NEVER_CONNECTED = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];
/** The server read the request and would not take it up. */
const NOT_TAKEN_UP = [400, 401, 403, 404, 405, 406, 413, 415, 429];
/** What the guard refuses before it sends anything; the rest it finds in the answer. */
const REFUSED_AT_ONCE = ["private-host", "bad-url", "unsupported-body"];

/** Whether the call that failed so certainly never reached the tool. */
export function isUnsent(error: unknown): boolean {
  const refused = refusalIn(error);
  if (refused) return REFUSED_AT_ONCE.includes(refused.code);
  if (error instanceof StreamableHTTPError) return NOT_TAKEN_UP.includes(error.code ?? 0);
  return NEVER_CONNECTED.includes(systemCodeOf(error) ?? "");
}

/** What stands in the way of a server at `url`, in a sentence. */
export function httpProblem(error: unknown, url: string): ToolServerConnectError {
  const at = hostOf(url);
  const refused = refusalIn(error);
  if (refused?.code === "private-host") {
    return new ToolServerConnectError("private-host", `${at} ${NEEDS_PERMISSION}`, error);
  }
  if (refused) return new ToolServerConnectError("failed", refused.message, error);
  const notMcp = (why: string) =>
    new ToolServerConnectError("not-mcp", `${at} answers, but not as an MCP server: ${why}`, error);
  if (error instanceof StreamableHTTPError) {
    const { code = 0 } = error;
    if (code === 401 || code === 403) {
      const sentence = `${at} refused the credentials (${code}). Check the headers, then test again.`;
      return new ToolServerConnectError("unauthorized", sentence, error);
    }
    if (code >= 500) {
      return new ToolServerConnectError("failed", `${at} has a problem of its own (${code}). Try again later.`, error);
    }
    if (code >= 300 && code < 400) return notMcp("it redirects elsewhere. Give the address it leads to.");
    if (code === -1) return notMcp("it sent something else. Check the path of the address, often /mcp.");
    return notMcp(`it said ${code}. Check the path of the address, often /mcp.`);
  }
  if (isTimeout(error)) {
    return new ToolServerConnectError("unreachable", `${at} did not answer in time.`, error);
  }
  if (systemCodeOf(error) !== undefined || error instanceof TypeError) {
    const sentence = `Nobody answers at ${at}. Check the address, and that the server runs.`;
    return new ToolServerConnectError("unreachable", sentence, error);
  }
  return notMcp("what it sent could not be read.");
}

/** What stands in the way of a program. `lastWords`: the end of its standard error, already without secrets. */
export function programProblem(error: unknown, command: string, lastWords: string): ToolServerConnectError {
  const failed = (sentence: string) => new ToolServerConnectError("failed", sentence, error);
  switch (systemCodeOf(error)) {
    case "ENOENT":
      return failed(`The program “${command}” was not found on the server. Give its full path, or install it there.`);
    case "EACCES":
      return failed(`The program “${command}” may not be started: the server has no permission.`);
  }
  const words = lastWords.trim();
  const said = words ? ` Its last words: ${words}` : " It said nothing.";
  if (isTimeout(error)) return failed(`The program “${command}” started but did not answer as an MCP server.${said}`);
  if (isClosed(error)) return failed(`The program “${command}” ended before it answered.${said}`);
  const sentence = `The program “${command}” answers, but not as an MCP server.${words ? said : ""}`;
  return new ToolServerConnectError("not-mcp", sentence, error);
}

const CONNECTION_CLOSED = -32000;
const REQUEST_TIMEOUT = -32001;
const isClosed = (error: unknown) =>
  (error instanceof McpError && error.code === CONNECTION_CLOSED) || systemCodeOf(error) === "EPIPE";
const isTimeout = (error: unknown) =>
  (error instanceof McpError && error.code === REQUEST_TIMEOUT) ||
  (error instanceof Error && error.name === "TimeoutError") ||
  ["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"].includes(systemCodeOf(error) ?? "");

/** The code that the system or the HTTP client gave, however deeply it is wrapped. */
function systemCodeOf(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return undefined;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "The address";
}
