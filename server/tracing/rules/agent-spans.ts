import type { ChosenOption, DecisionKind, StepKind } from "@/server/engine/events";
import type { StoredFacts, ToolSpec } from "@/server/models/model";
import type { MessageView } from "@/server/runs/step-schema";
import { cut, inputMessages, outputMessages, systemInstructions, toolDefinitions } from "./content";
import { providerName } from "./provider-name";
import { agentSpanId, condensingSpanId, stepSpanId, traceIdOf } from "./span-ids";

/** What is sent of a run, before it is encoded. Times in milliseconds since 1970. */
export type TraceSpan = {
  traceId: string;
  spanId: string;
  /** Null: the root of the trace. */
  parentSpanId: string | null;
  name: string;
  kind: "internal" | "client";
  startMs: number;
  endMs: number;
  attributes: Record<string, string | number | boolean | string[]>;
  events: { name: string; atMs: number; attributes: TraceSpan["attributes"] }[];
  /** Null: it went well. `message` may quote what was said: only where content is sent. */
  error: { message: string | null } | null;
};

export type TracedAgent = {
  id: string;
  runId: string;
  workspaceId: string;
  conversationId: string | null;
  forkedFromRunId: string | null;
  name: string;
  handle: string;
  depth: number;
  agentId: string;
  version: number;
  status: string;
  statusReason: string | null;
  startMs: number;
  endMs: number;
  inputTokens: number;
  outputTokens: number;
  costNanoUsd: number;
  /** "provider/model" it was set up with. */
  modelRef: string;
  temperature: number | null;
  /** Knowledge bases it searches; without a name they are deleted. */
  bases: { id: string; name: string | null }[];
  /** The span it was started by; null for the root of a run. */
  parentSpanId: string | null;
  /** Only where content is sent. */
  said: { task: string; result: string | null } | null;
};

export type TracedStep = {
  position: number;
  turn: number;
  kind: StepKind;
  name: string;
  status: string;
  error: { code: string; message: string } | null;
  callId: string | null;
  isReused: boolean;
  startMs: number;
  endMs: number;
  inputBytes: number;
  outputBytes: number;
  /** Of an answered model call. */
  usage: {
    provider: string;
    model: string;
    inputTokens: number;
    cachedTokens: number;
    outputTokens: number;
    reasoningTokens: number | null;
    costNanoUsd: number | null;
  } | null;
  /** Where that provider is reached; null: not one of the workspace's. */
  baseUrl: string | null;
  /** What the endpoint told beside its reply. */
  told: StoredFacts | null;
  /** Only where content is sent. */
  said: {
    request: { messages: readonly MessageView[]; tools: readonly ToolSpec[] } | null;
    reply: MessageView | null;
    call: { arguments: string; result: string | null } | null;
  } | null;
};

export type TracedDecision = {
  id: string;
  position: number;
  kind: DecisionKind;
  source: string;
  chosen: readonly ChosenOption[];
  reason: string | null;
  costSoFarNanoUsd: number;
  atMs: number;
};

const KNOWLEDGE_TOOL = "knowledge_search";

/** The span of an agent run. `decisions`: those that no recorded step took. */
export function agentSpan(agent: TracedAgent, decisions: readonly TracedDecision[]): TraceSpan {
  const failed = agent.status === "failed" || agent.status === "aborted";
  const reason = agent.statusReason === null ? null : codeOf(agent.statusReason);
  return {
    ...{ traceId: traceIdOf(agent.runId), spanId: agentSpanId(agent.id), parentSpanId: agent.parentSpanId },
    ...{ name: `invoke_agent ${agent.name}`, kind: "internal", startMs: agent.startMs, endMs: agent.endMs },
    attributes: {
      ...operation(agent, "invoke_agent"),
      "gen_ai.provider.name": providerName(providerOf(agent.modelRef), null),
      "gen_ai.request.model": modelOf(agent.modelRef),
      "gen_ai.agent.version": String(agent.version),
      "gen_ai.usage.input_tokens": agent.inputTokens,
      "gen_ai.usage.output_tokens": agent.outputTokens,
      "troupe.run.id": agent.runId,
      "troupe.workspace.id": agent.workspaceId,
      "troupe.agent_run.handle": agent.handle,
      "troupe.agent_run.depth": agent.depth,
      "troupe.status": agent.status,
      "troupe.cost.nano_usd": agent.costNanoUsd,
      ...(reason === null ? {} : { "troupe.status.reason": reason }),
      ...(agent.forkedFromRunId === null ? {} : { "troupe.run.forked_from": agent.forkedFromRunId }),
      ...(failed ? { "error.type": reason ?? agent.status } : {}),
      ...(agent.said === null
        ? {}
        : {
            "gen_ai.input.messages": inputMessages([asMessage("user", agent.said.task)]).json,
            ...(agent.said.result === null
              ? {}
              : { "gen_ai.output.messages": outputMessages(asMessage("assistant", agent.said.result), "stop") }),
          }),
    },
    events: decisions.map((decision) => decisionEvent(decision, agent.said !== null)),
    error: failed ? { message: agent.said === null ? null : agent.statusReason } : null,
  };
}

/** The span of a step, under its agent's. `decisions`: those it took. */
export function stepSpan(agent: TracedAgent, step: TracedStep, decisions: readonly TracedDecision[]): TraceSpan {
  const { name, kind, attributes } = isModelStep(step) ? modelCall(agent, step) : toolCall(agent, step);
  return {
    traceId: traceIdOf(agent.runId),
    spanId: stepSpanId(agent.id, step.position),
    parentSpanId: agentSpanId(agent.id),
    ...{ name, kind, startMs: step.startMs, endMs: Math.max(step.startMs, step.endMs) },
    attributes: {
      ...attributes,
      "troupe.run.id": agent.runId,
      "troupe.step.kind": step.kind,
      "troupe.step.position": step.position,
      "troupe.step.turn": step.turn,
      "troupe.step.status": step.status,
      ...(step.isReused ? { "troupe.step.reused": true } : {}),
      ...(step.error ? { "error.type": codeOf(step.error.code) } : {}),
    },
    events: decisions.map((decision) => decisionEvent(decision, step.said !== null)),
    error: step.error || step.status !== "completed" ? { message: step.said && (step.error?.message ?? null) } : null,
  };
}

/** The span of the model call with which the engine condensed what a tool returned, under that tool's; null: there was none. */
export function condensingSpan(agent: TracedAgent, step: TracedStep): TraceSpan | null {
  if (isModelStep(step) || step.usage === null) return null;
  const request = step.said?.request ?? null;
  const said = step.said && { request, reply: null, call: null };
  const { name, kind, attributes } = modelCall(agent, { ...step, kind: "summary", told: null, said });
  return {
    traceId: traceIdOf(agent.runId),
    spanId: condensingSpanId(agent.id, step.position),
    parentSpanId: stepSpanId(agent.id, step.position),
    // When it was asked within the tool's time is not kept.
    ...{ name, kind, startMs: step.startMs, endMs: Math.max(step.startMs, step.endMs) },
    attributes: { ...attributes, "troupe.run.id": agent.runId, "troupe.step.position": step.position },
    ...{ events: [], error: null },
  };
}

const isModelStep = ({ kind }: TracedStep) => kind === "model" || kind === "summary";

type Described = Pick<TraceSpan, "name" | "kind" | "attributes">;

function modelCall(agent: TracedAgent, step: TracedStep): Described {
  const { usage, said, baseUrl, told } = step;
  const finishReason = told?.finishReason ?? null;
  const reasoning = usage?.reasoningTokens ?? told?.reasoningTokens;
  const model = usage?.model ?? step.name;
  // An endpoint that named the very model it was asked for is not quoted.
  const answeredBy = told === null || told.isUnnamed ? null : (told.model ?? model);
  const host = baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const port = host && (Number(host.port) || (host.protocol === "https:" ? 443 : 80));
  // Of a call that was not answered nothing is recorded but the model that was asked.
  const provider = usage?.provider ?? (modelOf(agent.modelRef) === step.name ? providerOf(agent.modelRef) : "_OTHER");
  return {
    name: `chat ${model}`,
    kind: provider === "rehearsal" ? "internal" : "client",
    attributes: {
      ...operation(agent, "chat"),
      "gen_ai.provider.name": providerName(provider, host?.hostname ?? null),
      "gen_ai.request.model": model,
      // Calls of the engine's own name none.
      ...(agent.temperature === null || step.kind === "summary"
        ? {}
        : { "gen_ai.request.temperature": agent.temperature }),
      ...(host && port ? { "server.address": host.hostname, "server.port": port } : {}),
      ...(usage
        ? {
            ...(answeredBy === null ? {} : { "gen_ai.response.model": answeredBy }),
            "gen_ai.usage.input_tokens": usage.inputTokens,
            "gen_ai.usage.output_tokens": usage.outputTokens,
            "gen_ai.usage.cache_read.input_tokens": usage.cachedTokens,
            ...(reasoning ? { "gen_ai.usage.reasoning.output_tokens": reasoning } : {}),
            ...(usage.costNanoUsd === null ? {} : { "troupe.cost.nano_usd": usage.costNanoUsd }),
          }
        : {}),
      ...(told?.pieces === undefined ? {} : { "gen_ai.request.stream": true }),
      ...(told?.firstPieceMs === undefined ? {} : { "gen_ai.response.time_to_first_chunk": told.firstPieceMs / 1000 }),
      ...(finishReason === null ? {} : { "gen_ai.response.finish_reasons": [finishReason] }),
      ...modelContent(said, finishReason),
    },
  };
}

function modelContent(said: TracedStep["said"], finishReason: string | null): TraceSpan["attributes"] {
  if (!said) return {};
  const { request, reply } = said;
  const instructions = request && systemInstructions(request.messages);
  const sent = request && inputMessages(request.messages);
  const tools = request && request.tools.length > 0 ? toolDefinitions(request.tools) : null;
  return {
    ...(instructions === null ? {} : { "gen_ai.system_instructions": instructions }),
    ...(sent === null ? {} : { "gen_ai.input.messages": sent.json }),
    ...(sent && sent.leftOut > 0 ? { "troupe.content.messages_left_out": sent.leftOut } : {}),
    ...(tools === null ? {} : { "gen_ai.tool.definitions": tools.json }),
    ...(tools && tools.leftOut > 0 ? { "troupe.content.tools_left_out": tools.leftOut } : {}),
    ...(reply === null ? {} : { "gen_ai.output.messages": outputMessages(reply, finishReason) }),
  };
}

function toolCall(agent: TracedAgent, step: TracedStep): Described {
  const { said } = step;
  const tool = step.name.slice(0, 128);
  const call = {
    "gen_ai.tool.name": tool,
    ...(step.callId === null ? {} : { "gen_ai.tool.call.id": step.callId }),
    "troupe.input.bytes": step.inputBytes,
    "troupe.output.bytes": step.outputBytes,
    ...(said?.call ? { "gen_ai.tool.call.arguments": cut(said.call.arguments) } : {}),
    ...(said?.call && said.call.result !== null ? { "gen_ai.tool.call.result": cut(said.call.result) } : {}),
  };
  if (step.kind !== "retrieval") {
    const attributes = { ...operation(agent, "execute_tool"), "gen_ai.tool.type": "function", ...call };
    return { name: `execute_tool ${tool}`, kind: "internal", attributes };
  }
  const [source, ...others] = agent.bases;
  // The documentation is searched by a tool of its own, which is no knowledge base.
  const only = others.length === 0 && tool === KNOWLEDGE_TOOL ? source : undefined;
  const query = said?.call ? queryOf(said.call.arguments) : null;
  return {
    name: only === undefined ? "retrieval" : `retrieval ${only.name ?? only.id}`,
    kind: "client",
    attributes: {
      ...operation(agent, "retrieval"),
      ...(only === undefined ? {} : { "gen_ai.data_source.id": only.id }),
      "gen_ai.tool.type": "datastore",
      ...call,
      ...(query === null ? {} : { "gen_ai.retrieval.query.text": query }),
    },
  };
}

/** Why it went on as it did. An answer of a person is what they said: it goes along only where content does. */
function decisionEvent(decision: TracedDecision, withContent: boolean): TraceSpan["events"][number] {
  const isSaid = decision.kind === "answer";
  const chosen = decision.chosen.map(({ option }) => option.slice(0, 128));
  return {
    name: "troupe.decision",
    atMs: decision.atMs,
    attributes: {
      "troupe.decision.id": decision.id,
      "troupe.decision.kind": decision.kind,
      "troupe.decision.source": decision.source,
      ...(isSaid && !withContent ? {} : { "troupe.decision.chosen": chosen }),
      "troupe.cost.so_far_nano_usd": decision.costSoFarNanoUsd,
      ...(withContent && decision.reason !== null ? { "troupe.decision.reason": cut(decision.reason) } : {}),
    },
  };
}

function operation(agent: TracedAgent, name: string): TraceSpan["attributes"] {
  return {
    "gen_ai.operation.name": name,
    "gen_ai.agent.id": agent.agentId,
    "gen_ai.agent.name": agent.name,
    // A run outside of any chat is a conversation of its own.
    "gen_ai.conversation.id": agent.conversationId ?? agent.runId,
  };
}

const providerOf = (ref: string) => (ref.includes("/") ? ref.slice(0, ref.indexOf("/")) : "_OTHER");
const modelOf = (ref: string) => ref.slice(ref.indexOf("/") + 1);

/** What stands before the words, as in "tool_loop_limit" or "model_failed: it said …". */
function codeOf(reason: string): string {
  return /^[\w.-]{1,80}/.exec(reason)?.[0] ?? "_OTHER";
}

function queryOf(written: string): string | null {
  try {
    const args: unknown = JSON.parse(written);
    const query = typeof args === "object" && args !== null && "query" in args ? args.query : null;
    return typeof query === "string" ? cut(query) : null;
  } catch {
    return null;
  }
}

function asMessage(role: "user" | "assistant", content: string): MessageView {
  return { role, content, calls: [], callId: null };
}
