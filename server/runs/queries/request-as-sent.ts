import type { CallSettings } from "@/server/engine/call-settings";
import { messagesToSend } from "@/server/engine/compaction";
import type { Compaction } from "@/server/engine/journal/opened";
import { cleanArguments, cleanContent } from "@/server/models/clean-content";
import type { ModelMessage } from "@/server/models/model";
import { sentArguments } from "@/server/models/sent-arguments";
import type { Redaction } from "@/server/secrets/redaction";
import type { MessageView, StepDetail } from "../step-schema";
import { toMessageView } from "./messages";

/** What was sent with the messages; stored once by hash. */
type RequestBlob = Pick<CallSettings, "model"> &
  /** Of a request from before they were kept some are absent. */
  Partial<CallSettings> & {
    tools: NonNullable<StepDetail["request"]>["tools"];
    /** Which of the stored messages were sent; absent: all. */
    compaction?: Compaction;
    /** Of a call of the engine's own, whose messages belong to no conversation. */
    messages?: ModelMessage[];
  };

/**
 * The exact request of a model call: `content` of its blob, and the messages stored before it. `redaction` is what takes secrets and personal
 * data out of what is sent; null: it was done already.
 */
export function requestAsSent(
  content: string,
  stored: readonly MessageView[],
  redaction: Redaction | null,
): NonNullable<StepDetail["request"]> {
  const { model, temperature, maxOutputTokens, tools, compaction, messages } = JSON.parse(content) as RequestBlob;
  const kept = messages?.map(toMessageView) ?? messagesToSend(stored, compaction ?? null);
  const cleaned = redaction === null ? kept : kept.map((message, at) => clean(message, redaction, at === 0));
  return {
    model,
    temperature: temperature ?? null,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    messages: cleaned.map(asSent),
    isCleaned: cleaned.some((message, at) => message !== kept[at]),
    tools,
  };
}

/** What was stored before it was a secret, or before personal data was taken out, is sent without. Untouched it is the same object. */
function clean(message: MessageView, redaction: Redaction, isFirst: boolean): MessageView {
  const content = message.content === null ? null : cleanContent(message.role, message.content, redaction, isFirst);
  const calls = message.calls.map((call) => ({ ...call, arguments: cleanArguments(call.arguments, redaction) }));
  const isSame =
    content === message.content && calls.every((call, at) => call.arguments === message.calls[at]?.arguments);
  return isSame ? message : { ...message, content, calls };
}

function asSent(message: MessageView): MessageView {
  const calls = message.calls.map((call) => {
    const sent = sentArguments(call.arguments);
    return sent === call.arguments ? call : { ...call, arguments: sent, isRewritten: true as const };
  });
  return { ...message, calls };
}
