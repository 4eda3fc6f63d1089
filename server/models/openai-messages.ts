import type OpenAI from "openai";
import type { ModelMessage, ModelRequest, ToolSpec } from "./model";
import { sentArguments } from "./sent-arguments";

type Params = OpenAI.ChatCompletionCreateParams;

/** Their models think before they answer and refuse `max_tokens`; other endpoints often know no other name. */
const NEWER_LIMIT_HOSTS = new Set(["api.openai.com"]);

/** Our request in the words of the chat completions API, as the endpoint of that host understands them. */
export function toChatParams(name: string, request: ModelRequest, host: string): Omit<Params, "stream"> {
  const params: Omit<Params, "stream"> = { model: name, messages: request.messages.map(toChatMessage) };
  if (request.tools.length > 0) params.tools = request.tools.map(toChatTool);
  if (request.temperature !== undefined) params.temperature = request.temperature;
  if (request.maxOutputTokens !== undefined) {
    params[NEWER_LIMIT_HOSTS.has(host) ? "max_completion_tokens" : "max_tokens"] = request.maxOutputTokens;
  }
  return params;
}

function toChatMessage(message: ModelMessage): OpenAI.ChatCompletionMessageParam {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.content };
  if (message.role !== "assistant") return message;
  if (message.calls.length === 0) return { role: "assistant", content: message.content ?? "" };
  return {
    role: "assistant",
    content: message.content,
    tool_calls: message.calls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: sentArguments(call.arguments) },
    })),
  };
}

function toChatTool({ name, description, parameters }: ToolSpec): OpenAI.ChatCompletionFunctionTool {
  return { type: "function", function: { name, description, parameters } };
}
