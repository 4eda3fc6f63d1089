import { estimateTokensOf, type MessageView, type StepDetail, type TextCut, WHOLE_TEXT_BYTES } from "../step-schema";

const PREVIEW_CHARACTERS = 1_000;

/** The detail of a step with its long texts as their beginning, and how much each is: what fills a request can be told without them. */
export function cutStep({ request, reply, call, ...step }: StepDetail): StepDetail {
  return {
    ...step,
    request: request && { ...request, messages: request.messages.map(cutMessage), tools: request.tools.map(cutTool) },
    reply: reply && cutMessage(reply),
    call: call && {
      ...call,
      ...cutField("arguments", call.arguments),
      ...(call.result !== null && cutField("result", call.result)),
    },
  };
}

function cutMessage({ content, calls, ...message }: MessageView): MessageView {
  const cut = content === null ? null : cutOf(content);
  return {
    ...message,
    ...(cut ? { content: beginningOf(content ?? ""), cut } : { content }),
    calls: calls.map((call) => {
      const isLong = cutOf(call.arguments);
      if (!isLong) return call;
      // The meter counts a call as one text.
      const tokens = estimateTokensOf(call.name + call.arguments);
      return { ...call, arguments: beginningOf(call.arguments), cut: { ...isLong, tokens } };
    }),
  };
}

type Tool = NonNullable<StepDetail["request"]>["tools"][number];

function cutTool(tool: Tool): Tool {
  const cut = cutOf(JSON.stringify(tool));
  return cut ? { ...tool, description: beginningOf(tool.description), parameters: {}, cut } : tool;
}

function cutField<Name extends "arguments" | "result">(name: Name, text: string) {
  const cut = cutOf(text);
  return cut ? { [name]: beginningOf(text), [`${name}Cut`]: cut } : {};
}

function cutOf(text: string): TextCut | null {
  const bytes = Buffer.byteLength(text);
  return bytes > WHOLE_TEXT_BYTES ? { bytes, tokens: estimateTokensOf(text) } : null;
}

/** Half of a character beyond the basic plane is none. */
const beginningOf = (text: string) => text.slice(0, PREVIEW_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
