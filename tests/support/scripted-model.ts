import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { embeddingsBody, SCRIPTED_MODELS, scriptedVector } from "./scripted-embeddings";
import { type Answer, completionBody, completionEvents, sendEvents } from "./scripted-model-wire";

/** A scripted OpenAI-compatible server over real HTTP, which counts what it was asked and what it answered. */

export type ChatMessage = {
  role: "system" | "user" | "assistant" | "tool";
  content: string | null;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
};
type ChatTool = {
  function: {
    name: string;
    description?: string;
    parameters?: { properties?: Record<string, { enum?: string[] }>; required?: string[] };
  };
};
export type ChatRequest = { model: string; messages: ChatMessage[]; tools?: ChatTool[]; stream?: boolean };

type Fault =
  | { fault: "status"; status: number; headers?: Record<string, string>; message?: string }
  /** Closes the socket in the middle of this answer. */
  | { fault: "drop"; answer: Answer }
  /** Ends the stream properly, but without a finish_reason. */
  | { fault: "unfinished"; answer: Answer }
  /** Never answers. */
  | { fault: "hang" }
  /** Begins to stream and then falls silent. */
  | { fault: "stall"; text: string }
  | { fault: "malformed" };

/**
 * `step` is the number of assistant messages so far; `attempt` counts requests for this step of this conversation, and
 * `callNumber` all requests of the conversation, both from 0.
 */
export type CallPlace = { conversation: string; step: number; attempt: number; callNumber: number };
export type Script = (request: ChatRequest, place: CallPlace) => Answer | Fault;

/** `closed`: the client went away before it had the whole answer. */
type Outcome = "answered" | "failed" | "closed";

type StepCount = { requested: number } & Record<Outcome, number>;
type ConversationCount = {
  label: string;
  requested: number;
  steps: Record<number, StepCount>;
  /** When the newest request of a step arrived, in ms since 1970. */
  lastRequestedAt: Record<number, number>;
};
export type ScriptedModelStats = {
  requests: number;
  /** Texts embedded so far. */
  embedded: number;
  conversations: Record<string, ConversationCount>;
};

export type ScriptedModel = {
  /** For MODEL_BASE_URL. */
  url: string;
  port: number;
  stats(): ScriptedModelStats;
  close(): Promise<void>;
};

type ScriptedModelOptions = {
  port?: number;
  /** A file to which every request and outcome is appended as a line of JSON; survives a kill of this process. */
  log?: string;
  /** Asked for as bearer token, else 401. Left out: none is asked for. */
  apiKey?: string;
  /** The answer to GET /models: a body, or a status to fail with. */
  models?: object | number;
  /** The vector of a text, or a status to refuse the request with that holds it; else one of its words. */
  vectorOf?: (text: string) => number[] | number;
  /** Before each answer, to widen the window in which a test kills something. */
  latencyMs?: number;
  /** A call is not answered before this: whoever asks stays at work until the test has seen enough. */
  answersAfter?: (place: CallPlace) => Promise<unknown> | undefined;
};

/**
 * Conversations are told apart by their system message and first user message: give each run of a test its own words,
 * or two runs share their counts and their once-only faults.
 */
function conversationKey(request: ChatRequest): string {
  const opening = request.messages.filter(({ role }) => role === "system" || role === "user").slice(0, 2);
  return createHash("sha256").update(JSON.stringify(opening)).digest("hex").slice(0, 12);
}

export async function startScriptedModel(script: Script, options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const stats: ScriptedModelStats = { requests: 0, embedded: 0, conversations: {} };
  const log = (line: object) => {
    if (options.log) appendFileSync(options.log, `${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`);
  };

  async function complete(request: ChatRequest, response: ServerResponse) {
    const { place, count } = countRequest(stats, request);
    log({ event: "requested", ...place });
    if (options.latencyMs) await new Promise((resolve) => setTimeout(resolve, options.latencyMs));
    await options.answersAfter?.(place);
    let outcome: Outcome = "closed";
    // `close` comes last whatever happened, so every request has exactly one outcome.
    response.once("close", () => {
      count[outcome]++;
      log({ event: outcome, ...place });
    });
    const reply = script(request, place);
    const id = `${place.conversation}_${place.step}_${place.attempt}`;
    if ("fault" in reply) {
      outcome = "failed";
      return sendFault(response, reply, { id, stream: request.stream === true });
    }
    response.once("finish", () => {
      outcome = "answered";
    });
    if (!request.stream) return sendJson(response, 200, completionBody(reply, id));
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    await sendEvents(response, completionEvents(reply, id), reply);
    response.end();
  }

  const server = createServer((request, response) => {
    void (async () => {
      if (request.url?.endsWith("/__stats")) return sendJson(response, 200, JSON.stringify(stats));
      if (options.apiKey && request.headers.authorization !== `Bearer ${options.apiKey}`) {
        // Providers do quote what they were sent.
        const message = `Incorrect API key provided: ${request.headers.authorization}`;
        return sendJson(response, 401, JSON.stringify({ error: { message, code: "invalid_api_key" } }));
      }
      if (request.url?.endsWith("/models")) {
        const models = options.models ?? SCRIPTED_MODELS;
        const failed = typeof models === "number";
        const body = failed ? { error: { message: "scripted" } } : models;
        return sendJson(response, failed ? models : 200, JSON.stringify(body));
      }
      if (request.url?.endsWith("/embeddings")) {
        const asked = JSON.parse(await bodyOf(request)) as { model: string; input: string | string[] };
        const vectorOf = options.vectorOf ?? scriptedVector;
        const vectors = [asked.input].flat().map((text) => vectorOf(text));
        const refused = vectors.find((vector) => typeof vector === "number");
        if (refused) return sendJson(response, refused, JSON.stringify({ error: { message: "scripted refusal" } }));
        stats.embedded += [asked.input].flat().length;
        const made = vectors.filter((vector) => typeof vector !== "number");
        return sendJson(response, 200, embeddingsBody(asked, made));
      }
      if (!request.url?.endsWith("/chat/completions")) {
        return sendJson(response, 404, JSON.stringify({ error: { message: `no route ${request.url}` } }));
      }
      await complete(JSON.parse(await bodyOf(request)) as ChatRequest, response);
    })().catch((error: unknown) => {
      // A script that throws is a broken test: say so to the caller and in the test's output.
      console.error(error);
      if (!response.headersSent) sendJson(response, 500, JSON.stringify({ error: { message: String(error) } }));
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    stats: () => structuredClone(stats),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function countRequest(stats: ScriptedModelStats, request: ChatRequest): { place: CallPlace; count: StepCount } {
  const conversation = conversationKey(request);
  const step = request.messages.filter(({ role }) => role === "assistant").length;
  stats.conversations[conversation] ??= { label: labelOf(request), requested: 0, steps: {}, lastRequestedAt: {} };
  const counted = stats.conversations[conversation];
  counted.steps[step] ??= { requested: 0, answered: 0, failed: 0, closed: 0 };
  const count = counted.steps[step];
  counted.lastRequestedAt[step] = Date.now();
  stats.requests++;
  const place = { conversation, step, attempt: count.requested++, callNumber: counted.requested++ };
  return { place, count };
}

function labelOf(request: ChatRequest): string {
  return (request.messages.find(({ role }) => role === "user")?.content ?? "").slice(0, 120);
}

async function sendFault(response: ServerResponse, reply: Fault, call: { id: string; stream: boolean }): Promise<void> {
  switch (reply.fault) {
    case "status": {
      const body = JSON.stringify({ error: { message: reply.message ?? `scripted ${reply.status}`, code: null } });
      response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
      response.end(body);
      return;
    }
    case "malformed":
      response.writeHead(200, { "content-type": call.stream ? "text/event-stream" : "application/json" });
      response.end(call.stream ? 'data: {"choices": [{"delta": \n\n' : '{"choices": [');
      return;
    case "hang":
      return;
    case "stall": {
      response.writeHead(200, { "content-type": "text/event-stream" });
      await sendEvents(response, completionEvents({ text: reply.text }, call.id).slice(0, 2), {});
      return;
    }
    case "unfinished": {
      response.writeHead(200, { "content-type": "text/event-stream" });
      await sendEvents(response, completionEvents(reply.answer, call.id).slice(0, -3), reply.answer);
      response.end();
      return;
    }
    case "drop": {
      response.writeHead(200, { "content-type": call.stream ? "text/event-stream" : "application/json" });
      const all = call.stream ? completionEvents(reply.answer, call.id) : [completionBody(reply.answer, call.id)];
      const half = call.stream ? all.slice(0, Math.ceil(all.length / 2)) : [all.join("").slice(0, 40)];
      await sendEvents(response, half, reply.answer);
      response.socket?.destroy();
      return;
    }
  }
}

function sendJson(response: ServerResponse, status: number, body: string) {
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
