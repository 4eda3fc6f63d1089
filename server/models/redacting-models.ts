import type { FindRedaction, Redaction } from "@/server/secrets/redaction";
import { cleanArguments, cleanContent } from "./clean-content";
import type { Model, ModelDirectory, ModelMessage, ModelReply } from "./model";

/** Messages are never changed once they are there: of each it is known what is sent in its place. */
const sentInstead = new WeakMap<Redaction, WeakMap<ModelMessage, ModelMessage>>();

/**
 * Models that are sent nothing a workspace keeps secret, and nothing personal in the workspaces that want it so; their replies hold none of it
 * either. What was stored before is sent without, too. Agents' instructions are an owner's words: of what is personal they keep it. Replies
 * are not streamed where personal data is taken out: a piece may end in the middle of a number.
 */
export function redactingModels(models: ModelDirectory, find: FindRedaction): ModelDirectory {
  return {
    async find(workspaceId, ref) {
      const [model, redaction] = await Promise.all([models.find(workspaceId, ref), find(workspaceId)]);
      return redacting(model, redaction);
    },
  };
}

function redacting(model: Model, redaction: Redaction): Model {
  const { redact, hideInPieces, takesPii } = redaction;
  return {
    ...model,
    async complete({ onText, ...request }) {
      const messages = request.messages.map((message, i) => cleanMessage(message, redaction, i === 0));
      const pieces = onText && !takesPii ? hideInPieces(onText) : undefined;
      try {
        const reply = await model.complete({ ...request, messages, ...(pieces ? { onText: pieces.add } : {}) });
        pieces?.end();
        return cleanReply(reply, redaction);
      } catch (error) {
        if (error instanceof Error) error.message = redact(error.message);
        throw error;
      }
    },
  };
}

function cleanMessage(message: ModelMessage, redaction: Redaction, isFirst: boolean): ModelMessage {
  const sent = sentInstead.get(redaction) ?? new WeakMap<ModelMessage, ModelMessage>();
  sentInstead.set(redaction, sent);
  const known = sent.get(message);
  if (known) return known;
  const clean = redactMessage(message, redaction, isFirst);
  sent.set(message, clean);
  return clean;
}

function redactMessage(message: ModelMessage, redaction: Redaction, isFirst: boolean): ModelMessage {
  if (message.role !== "assistant") {
    return { ...message, content: cleanContent(message.role, message.content, redaction, isFirst) };
  }
  return {
    ...message,
    content: message.content === null ? null : cleanContent(message.role, message.content, redaction, isFirst),
    calls: message.calls.map((call) => cleanCall(call, redaction)),
  };
}

function cleanReply(reply: ModelReply, redaction: Redaction): ModelReply {
  return {
    ...reply,
    ...(reply.reasoning === undefined ? {} : { reasoning: redaction.redact(reply.reasoning) }),
    text: redaction.redact(reply.text),
    calls: reply.calls.map((call) => cleanCall(call, redaction)),
  };
}

function cleanCall(call: ModelReply["calls"][number], redaction: Redaction) {
  return { ...call, arguments: cleanArguments(call.arguments, redaction) };
}
