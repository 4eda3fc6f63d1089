import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { allowedHosts } from "@/server/outgoing/allowed-hosts";
import { guardedFetch } from "@/server/outgoing/guarded-fetch";
import { keyedFetch } from "./call-key";
import { watchingFetch } from "./call-streams";
import { LARGEST_ANSWER } from "./largest-answer";
import type { StoredToolServer } from "./stored-server";

/** Streamable HTTP (LOK-MCP-03) through the guard: what an owner allowed is read for each connection. */
export async function httpTransport(
  server: StoredToolServer,
  headers: Readonly<Record<string, string>>,
): Promise<StreamableHTTPClientTransport> {
  const allowPrivate = await allowedHosts(server.workspaceId);
  const outgoing = guardedFetch({ allowPrivate, maxResponseBytes: LARGEST_ANSWER });
  return new StreamableHTTPClientTransport(new URL(server.url ?? ""), {
    requestInit: { headers: { ...headers } },
    fetch: watchingFetch(keyedFetch(withoutListening(outgoing))),
  });
}

/**
 * Answers the client's request for a stream of the server's own messages with the protocol's "not offered": nothing
 * here uses them, and each would hold a connection open. Going on with a broken reply is another matter, and is let through.
 */
function withoutListening(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const isListening = init?.method === "GET" && !new Headers(init.headers).has("last-event-id");
    return isListening ? new Response(null, { status: 405 }) : fetch(input, init);
  };
}
