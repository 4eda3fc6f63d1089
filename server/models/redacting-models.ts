import type { Redact } from "@/server/secrets/pii";
import { redactJsonText } from "@/server/secrets/pii";
import type { FindRedaction } from "@/server/secrets/pii-setting";
import type { Model, ModelDirectory, ModelMessage, ModelReply } from "./model";

/** Messages are never changed once they are there: of each it is known what is sent in its place. */
const sentInstead = new WeakMap<ModelMessage, ModelMessage>();

/**
 * Models that are sent nothing personal, and whose replies hold nothing personal, in the workspaces that want it. What was stored before a
 * workspace wanted it is sent without, too. Agents' instructions are an owner's words and go as they are. Such replies are not streamed: a
 * piece may end in the middle of a number.
 */
export function redactingModels(models: ModelDirectory, find: FindRedaction): ModelDirectory {
  return {
    async find(workspaceId, ref) {
      const [model, redact] = await Promise.all([models.find(workspaceId, ref), find(workspaceId)]);
      return redact ? redacting(model, redact) : model;
    },
  };
}

function redacting(model: Model, redact: Redact): Model {
  return {
    ...model,
    async complete({ onText: _, ...request }) {
      const messages = request.messages.map((message, i) =>
        i === 0 && message.role === "system" ? message : cleanMessage(message, redact),
      );
      try {
        return cleanReply(await model.complete({ ...request, messages }), redact);
      } catch (error) {
        if (error instanceof Error) error.message = redact(error.message);
        throw error;
      }
    },
  };
}

function cleanMessage(message: ModelMessage, redact: Redact): ModelMessage {
  const known = sentInstead.get(message);
  if (known) return known;
  const clean = redactMessage(message, redact);
  sentInstead.set(message, clean);
  return clean;
}

function redactMessage(message: ModelMessage, redact: Redact): ModelMessage {
  if (message.role === "assistant") {
    return { ...message, content: redact(message.content), calls: message.calls.map(cleanCall) };
  }
  return { ...message, content: message.role === "tool" ? redactJsonText(message.content) : redact(message.content) };
}

function cleanReply(reply: ModelReply, redact: Redact): ModelReply {
  const reasoning = reply.reasoning === undefined ? {} : { reasoning: redact(reply.reasoning) };
  return { ...reply, ...reasoning, text: redact(reply.text), calls: reply.calls.map(cleanCall) };
}

function cleanCall(call: ModelReply["calls"][number]) {
  return { ...call, arguments: redactJsonText(call.arguments) };
}
