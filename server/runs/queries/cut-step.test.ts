import { expect, test } from "vitest";
import { estimateTokensOf, type MessageView, type StepDetail } from "../step-schema";
import { cutStep } from "./cut-step";

const LONG = "word ".repeat(4_000);
const message = (over: Partial<MessageView>): MessageView => ({
  ...{ role: "user", content: null, calls: [], callId: null },
  ...over,
});
const step = (over: Partial<StepDetail>) => ({ request: null, reply: null, call: null, ...over }) as StepDetail;

test("what is short stays as it is", () => {
  const short = step({
    reply: message({ content: "Yes." }),
    call: { name: "look", arguments: "{}", result: null },
    request: {
      model: "m",
      temperature: null,
      isCleaned: false,
      messages: [message({ content: "x".repeat(8_192) })],
      tools: [],
    },
  });
  expect(cutStep(short)).toEqual(short);
});

test("what is long is its beginning, and how much it is", () => {
  const size = { bytes: 20_000, tokens: 5_000 };
  const cut = cutStep(
    step({
      reply: message({ content: LONG, calls: [{ id: "1", name: "look", arguments: LONG }] }),
      call: { name: "look", arguments: LONG, result: LONG },
    }),
  );
  expect(cut.reply).toMatchObject({ content: LONG.slice(0, 1_000), cut: size });
  expect(cut.reply?.calls[0]).toMatchObject({
    arguments: LONG.slice(0, 1_000),
    cut: { ...size, tokens: estimateTokensOf(`look${LONG}`) },
  });
  expect(cut.call).toMatchObject({ argumentsCut: size, resultCut: size, result: LONG.slice(0, 1_000) });
});

test("a tool with much to say comes without its parameters", () => {
  const tool = { name: "look", description: "Looks.", parameters: { type: "object", description: LONG } };
  const request = { model: "m", temperature: null, isCleaned: false, messages: [], tools: [tool] };
  const bytes = JSON.stringify(tool).length;
  expect(cutStep(step({ request })).request?.tools).toEqual([
    { ...tool, parameters: {}, cut: { bytes, tokens: Math.ceil(bytes / 4) } },
  ]);
});

test("no character is cut in two", () => {
  const content = `${"x".repeat(999)}${"🦜".repeat(5_000)}`;
  expect(cutStep(step({ reply: message({ content }) })).reply?.content).toBe("x".repeat(999));
});
