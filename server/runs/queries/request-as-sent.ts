import { messagesToSend } from "@/server/engine/compaction";
import type { Compaction } from "@/server/engine/journal/opened";
import type { ModelMessage } from "@/server/models/model";
import type { MessageView, StepDetail } from "../step-schema";
import { toMessageView } from "./messages";

/** What was sent with the messages; stored once by hash. */
type RequestBlob = {
  model: string;
  temperature?: number | null;
  tools: NonNullable<StepDetail["request"]>["tools"];
  /** Which of the stored messages were sent; absent: all. */
  compaction?: Compaction;
  /** Of a call of the engine's own, whose messages belong to no conversation. */
  messages?: ModelMessage[];
};

/** The exact request of a model call: `content` of its blob, and the messages stored before it. */
export function requestAsSent(content: string, stored: readonly MessageView[]): NonNullable<StepDetail["request"]> {
  const { model, temperature, tools, compaction, messages } = JSON.parse(content) as RequestBlob;
  return {
    model,
    temperature: temperature ?? null,
    messages: messages?.map(toMessageView) ?? messagesToSend(stored, compaction ?? null),
    tools,
  };
}
