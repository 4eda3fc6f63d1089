import { decide } from "../decide";
import type { Execution } from "../execution";
import { merged } from "../journal/merged";
import type { Overspent } from "../reserve-call";
import { sideCall } from "../side-call";
import { ANSWER, chosenOf, endOffers, FAIL } from "./offers";
import type { Move } from "./policy";
import { beforeTask, type Placed } from "./record";
import { recordEnds } from "./record-ends";

/** What came of it. `overspent`: the call does not fit a limit on spending. */
export type Asked =
  | { end: "answered"; text: string }
  | { end: "failed"; code: string; message: string }
  | { end: "overspent"; position: number; overspent: Overspent };

/** Longest reply asked of the root's model where nobody said otherwise, in tokens. */
const LONGEST_REPLY = 4_096;

/**
 * Asks the root's own model once, without tools, and records its reply like any other; found there, it is not asked again.
 * @param options.nth of the calls of its model: those before it were answered
 * @param options.keepsAnswer there is an answer already, which stays as it is where this fails
 */
export async function askRoot(
  execution: Execution,
  { parts, nextPosition }: Placed,
  { prompt, read }: Pick<Extract<Move, { do: "ask" }>, "prompt" | "read">,
  { nth = 0, keepsAnswer = false }: { nth?: number; keepsAnswer?: boolean } = {},
): Promise<Asked> {
  const { journal, config, modelRef } = execution;
  const known = execution.steps.filter(({ kind, status }) => kind === "model" && status === "completed")[nth];
  const reply = known?.replyMessage == null ? undefined : execution.messages.get(known.replyMessage);
  if (reply) return { end: "answered", text: read(reply.content ?? "").text };
  const position = Math.max(nextPosition, (execution.steps.at(-1)?.position ?? -1) + 1);
  const step = { position, turn: execution.turn() + 1, kind: "model" as const, name: execution.modelName };
  const ends = recordEnds(execution, parts);
  await journal.append(merged(ends, execution.steers.takeHeard(), execution.begin([step])));
  const end = await sideCall(execution, {
    ...{ position, modelRef, maxOutputTokens: config.maxOutputTokens ?? LONGEST_REPLY },
    messages: [...beforeTask(execution), { role: "user", content: prompt }],
  });
  if (end.ended === "refused") return { end: "overspent", position, overspent: end.overspent };
  const index = execution.messages.size;
  const problem =
    end.ended === "failed"
      ? { code: end.code, message: end.message }
      : end.text
        ? null
        : { code: "empty_reply", message: `${modelRef} was asked for the answer, and replied with nothing.` };
  const made = end.ended === "replied" ? end.made : null;
  const text = end.ended === "replied" ? end.text : "";
  const finished = execution.finish(
    {
      ...step,
      ...{ status: problem ? "failed" : "completed", error: problem },
      ...(made?.spent ?? { inputTokens: 0, outputTokens: 0, costNanoUsd: null }),
      ...{ inputBytes: 0, outputBytes: Buffer.byteLength(text) },
    },
    { sent: index, ...(made ? { request: made.request } : {}), ...(problem ? {} : { reply: index }) },
  );
  const spent = end.ended === "replied" ? end.unit : {};
  const conclusion = problem ? null : read(text);
  const decision = decide(execution, {
    ...{ position, kind: "finish", offers: endOffers(execution) },
    ...(conclusion ? chosenOf(conclusion) : failureWords(problem?.message ?? "", keepsAnswer)),
  });
  if (!conclusion || problem) {
    await journal.append(merged(spent, finished, decision));
    return { end: "failed", code: "failed", message: "", ...problem };
  }
  const message = { role: "assistant" as const, content: text, calls: [] };
  execution.messages.set(index, message);
  await journal.append(merged(spent, finished, journal.message(index, message), decision));
  return { end: "answered", text: conclusion.text };
}

function failureWords(message: string, keepsAnswer: boolean) {
  if (!keepsAnswer) return { chosen: [FAIL], reason: message, source: "policy" as const };
  const reason = `What was said last could not be worked in, and the answer stays as it is: ${message}`;
  return { chosen: [ANSWER], reason, source: "runtime-rule" as const };
}
