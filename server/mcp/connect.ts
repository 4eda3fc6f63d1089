import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { AppError } from "@/server/errors";
import { httpProblem, programProblem, ToolServerConnectError } from "./connect-error";
import { httpTransport } from "./http-transport";
import { openValues, redactorOf, type SecretValues } from "./server-secrets";
import { stdioProgram } from "./stdio-transport";
import type { StoredToolServer } from "./stored-server";

/** A program may fetch itself first (npx); an address answers or does not. */
const START_WITHIN_MS = { stdio: 60_000, http: 20_000 };
const GOODBYE_WITHIN_MS = 1000;
/** The SDK lets a program end by itself for 2 s, asks for 2 s, then kills it. */
const CLOSED_WITHIN_MS = 5000;
const within = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());

export type ToolServerConnection = {
  client: Client;
  /** Blots this server's secrets out of a text or a JSON value. */
  redact: <T>(value: T) => T;
  /** False from the moment the program or the connection was seen to end. */
  isOpen(): boolean;
  closed: Promise<void>;
  /** The end of what a program wrote to standard error, redacted; empty for http. */
  lastWords(): string;
  close(): Promise<void>;
};

type Way = {
  transport: Transport;
  lastWords(): string;
  problem(error: unknown, lastWords: string): ToolServerConnectError;
  beforeClose(): Promise<unknown>;
  cleanUp(): Promise<void>;
};

/**
 * Connects to a tool server, or starts its program, and shakes hands (LOK-MCP-02, LOK-MCP-03).
 * Throws ToolServerConnectError with a sentence that holds no secrets; the signal's reason when that stops it.
 */
export async function connectToolServer(
  server: StoredToolServer,
  { signal }: { signal?: AbortSignal } = {},
): Promise<ToolServerConnection> {
  const secrets = readSecrets(server);
  const redact = redactorOf(secrets);
  const way = server.transport === "stdio" ? await program(server, secrets) : await address(server, secrets);
  const lastWords = () => redact(way.lastWords());
  const client = new Client({ name: "troupe", version: "0.1.0" });
  let isOpen = true;
  // For a program this is its end; it may come long before anybody closes the connection.
  const closed = new Promise<void>((resolve) => {
    client.onclose = () => {
      isOpen = false;
      resolve(way.cleanUp());
    };
  });
  const close = async () => {
    if (isOpen) await way.beforeClose();
    await client.close();
    // A failed handshake has closed it already, and does not wait for the program's end.
    await Promise.race([closed, within(CLOSED_WITHIN_MS)]);
    await way.cleanUp();
  };
  try {
    await client.connect(way.transport, { timeout: START_WITHIN_MS[server.transport], ...(signal ? { signal } : {}) });
  } catch (error) {
    await close();
    signal?.throwIfAborted();
    const problem = way.problem(error, lastWords());
    throw new ToolServerConnectError(problem.code, redact(problem.message), error);
  }
  return { client, redact, isOpen: () => isOpen, closed, lastWords, close };
}

function readSecrets(server: StoredToolServer): SecretValues {
  try {
    return openValues(server);
  } catch (error) {
    if (error instanceof AppError) throw new ToolServerConnectError("failed", error.userMessage, error);
    throw error;
  }
}

async function program(server: StoredToolServer, secrets: SecretValues): Promise<Way> {
  const { transport, lastWords, cleanUp } = await stdioProgram(server, secrets);
  return {
    transport,
    lastWords,
    problem: (error, words) => programProblem(error, server.command ?? "", words),
    beforeClose: async () => {},
    cleanUp,
  };
}

async function address(server: StoredToolServer, secrets: SecretValues): Promise<Way> {
  const transport = await httpTransport(server, secrets);
  const goodbye = async () => {
    // Lets the server forget the session at once. One that does not listen forgets it by itself.
    await Promise.race([transport.terminateSession().catch(() => {}), within(GOODBYE_WITHIN_MS)]);
  };
  return {
    // The class declares its optional session id in a way that exact optional types tell apart from the interface's.
    transport: transport as Transport,
    lastWords: () => "",
    problem: (error) => httpProblem(error, server.url ?? ""),
    beforeClose: goodbye,
    cleanUp: async () => {},
  };
}
