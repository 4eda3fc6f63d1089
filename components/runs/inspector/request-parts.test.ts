import { expect, it } from "vitest";
import { estimateTokensOf, type MessageView } from "@/server/runs/step-schema";
import { fullness } from "./fullness";
import { partsOfRequest } from "./request-parts";

const message = (role: MessageView["role"], content: string | null, more: Partial<MessageView> = {}): MessageView => ({
  ...{ role, content, calls: [], callId: null },
  ...more,
});

it("estimates four Latin characters a token, and one Chinese, Japanese or Korean", () => {
  expect(estimateTokensOf("")).toBe(0);
  expect(estimateTokensOf("abcd efgh")).toBe(3);
  expect(estimateTokensOf("你好世界")).toBe(4);
  expect(estimateTokensOf("ひらカタ한글abcd")).toBe(7);
});

it("warns from three quarters of the window, and again from nine tenths", () => {
  expect(fullness(740, 1000).level).toBe("fine");
  expect(fullness(750, 1000).level).toBe("warning");
  expect(fullness(900, 1000).level).toBe("danger");
  expect(fullness(1_500, 1000)).toEqual({ share: 1.5, level: "danger" });
});

it("sorts what was sent: instructions, tools, memory, knowledge and messages", () => {
  const call = (id: string, name: string) => ({ id, name, arguments: "{}" });
  const request = {
    ...{ model: "m", temperature: null },
    messages: [
      message("system", "Lead."),
      message("user", "Earlier: they searched."),
      message("user", "Go on."),
      message("assistant", "", { calls: [call("1", "knowledge_search"), call("2", "notes__write")] }),
      message("tool", "passages", { callId: "1" }),
      message("tool", "written down", { callId: "2" }),
    ],
    tools: [{ name: "notes__write", description: "", parameters: {} }],
  };
  const names = (isCondensed: boolean) => partsOfRequest(request, isCondensed).map(({ name, bytes }) => [name, bytes]);
  expect(names(true)).toEqual([
    ["System", 5],
    ["Tool definitions", JSON.stringify(request.tools[0]).length],
    ["Memory: summary of earlier messages", 23],
    ["Knowledge", 8],
    ["Task and answers of people", 6],
    ["What it said before", 32],
    ["Tool results", 12],
  ]);
  expect(names(false).map(([name]) => name)).not.toContain("Memory: summary of earlier messages");
});

it("counts what was not sent whole as what it is", () => {
  const call = { id: "1", name: "look", arguments: "{", cut: { bytes: 9_000, tokens: 2_000 } };
  const request = {
    ...{ model: "m", temperature: null },
    messages: [
      message("user", "begi", { cut: { bytes: 20_000, tokens: 5_000 } }),
      message("assistant", null, { calls: [call] }),
    ],
    tools: [{ name: "t", description: "d", parameters: {}, cut: { bytes: 10_000, tokens: 2_500 } }],
  };
  expect(partsOfRequest(request, false).map(({ name, bytes, tokens }) => [name, bytes, tokens])).toEqual([
    ["Tool definitions", 10_000, 2_500],
    ["Task and answers of people", 20_000, 5_000],
    ["What it said before", 9_004, 2_000],
  ]);
});
