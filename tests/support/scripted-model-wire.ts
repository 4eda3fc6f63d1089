import type { ServerResponse } from "node:http";

/** `id`: one is made unless given. */
export type ScriptedCall = { id?: string; name: string; arguments: Record<string, unknown> | string };

/** How the bytes of a streamed answer are cut: `plain` one write an event, `awkward` anywhere, also inside a character. */
type Cutting = "plain" | "awkward";

export type Answer = {
  text?: string;
  /** What it thinks before it speaks, under the name its server gives it. */
  reasoning?: string;
  reasoningName?: "reasoning_content" | "reasoning";
  calls?: ScriptedCall[];
  cutting?: Cutting;
  /** Between two pieces of text; 0 by default. */
  gapMs?: number;
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens?: number;
    prompt_tokens_details?: { cached_tokens: number };
    completion_tokens_details?: { reasoning_tokens: number };
  } | null;
};

const PLAIN_USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
/** Lengths the pieces take in turn: odd and small, so that they fall inside keys, escapes and characters. */
const TEXT_CUTS = [1, 9, 4, 23, 2];
const ARGUMENT_CUTS = [1, 5, 2, 11, 3];
const BYTE_CUTS = [3, 61, 1, 17, 129, 2, 40];

/** The answer as one JSON body. */
export function completionBody(answer: Answer, id: string): string {
  const calls = answer.calls ?? [];
  const message = {
    role: "assistant",
    content: answer.text ?? null,
    ...thought(answer, answer.reasoning ?? ""),
    ...(calls.length > 0
      ? {
          tool_calls: calls.map((call, index) => ({
            ...opening(call, id, index),
            function: { name: call.name, arguments: written(call) },
          })),
        }
      : {}),
  };
  return JSON.stringify({
    id,
    object: "chat.completion",
    created: 1,
    model: "scripted",
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }],
    ...(answer.usage === null ? {} : { usage: answer.usage ?? PLAIN_USAGE }),
  });
}

/** The answer as server-sent events, in order. The usage comes in a last chunk of its own. */
export function completionEvents(answer: Answer, id: string): string[] {
  const awkward = answer.cutting === "awkward";
  const events: string[] = [];
  // A field without the space after its colon and a comment line are both allowed, and both break naive readers.
  const push = (body: object, colon = "data: ") =>
    events.push(
      `${colon}${JSON.stringify({ id, object: "chat.completion.chunk", created: 1, model: "scripted", ...body })}\n\n`,
    );
  const delta = (fields: object, finish: string | null = null) =>
    push(
      { choices: [{ index: 0, delta: fields, finish_reason: finish }] },
      awkward && events.length % 3 === 1 ? "data:" : "data: ",
    );

  delta({ role: "assistant", content: "" });
  if (awkward) events.push(": keep-alive\n\n");
  for (const piece of cut(answer.reasoning ?? "", awkward ? TEXT_CUTS : [8])) delta(thought(answer, piece));
  for (const piece of cut(answer.text ?? "", awkward ? TEXT_CUTS : [8])) delta({ content: piece });
  const calls = answer.calls ?? [];
  if (awkward) {
    calls.forEach((call, index) => {
      delta({ tool_calls: [{ ...opening(call, id, index), function: { name: call.name, arguments: "" } }] });
    });
    for (const { index, piece } of interleaved(calls.map((call) => cut(written(call), ARGUMENT_CUTS)))) {
      delta({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  } else {
    calls.forEach((call, index) => {
      delta({ tool_calls: [{ ...opening(call, id, index), function: { name: call.name, arguments: written(call) } }] });
    });
  }
  delta({}, calls.length > 0 ? "tool_calls" : "stop");
  if (answer.usage !== null) push({ choices: [], usage: answer.usage ?? PLAIN_USAGE });
  events.push("data: [DONE]\n\n");
  return events;
}

/** Writes the events as separate pieces on the socket. Ends early, and quietly, when the client has gone. */
export async function sendEvents(response: ServerResponse, events: readonly string[], answer: Answer): Promise<void> {
  response.socket?.setNoDelay(true);
  const gapMs = answer.gapMs ?? 0;
  const sinceMs = performance.now();
  const chunks: readonly (string | Uint8Array)[] =
    answer.cutting === "awkward" ? cutBytes(Buffer.from(events.join("")), BYTE_CUTS) : events;
  for (const [index, chunk] of chunks.entries()) {
    if (response.destroyed) return;
    response.write(chunk);
    // By the clock: timers are late, and over a long answer that would add up.
    const leftMs = sinceMs + (index + 1) * gapMs - performance.now();
    // Without a turn of the event loop the pieces would leave as one.
    await new Promise((resolve) => (leftMs > 0 ? setTimeout(resolve, leftMs) : setImmediate(resolve)));
  }
}

function thought({ reasoningName = "reasoning_content" }: Answer, piece: string) {
  return piece ? { [reasoningName]: piece } : {};
}

function opening(call: ScriptedCall, id: string, index: number) {
  return { index, id: call.id ?? `call_${id}_${index}`, type: "function" };
}

function written(call: ScriptedCall): string {
  return typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
}

/** By code points: a provider never sends half a surrogate pair. */
function cut(text: string, lengths: readonly number[]): string[] {
  const points = [...text];
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < points.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    pieces.push(points.slice(at, at + length).join(""));
    at += length;
  }
  return pieces;
}

function cutBytes(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

function interleaved(rows: readonly string[][]): { index: number; piece: string }[] {
  const longest = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: longest }, (_, at) =>
    rows.flatMap((row, index) => (row[at] === undefined ? [] : [{ index, piece: row[at] }])),
  ).flat();
}
