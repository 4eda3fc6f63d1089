import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server";
import { z } from "zod";
import { callTrpc, queryTrpc } from "./product";
import type { Visitor } from "./web";

export type Procedure = {
  path: string;
  type: "query" | "mutation" | "subscription";
  /** JSON schema of the input; null for a procedure that takes none. */
  input: { properties: Record<string, unknown>; required: string[]; strict: boolean } | null;
};

/** Every procedure a router answers, so that a new one is under test before anybody remembers to write one. */
export function listProcedures(router: AnyTRPCRouter): Procedure[] {
  const procedures = router._def.procedures as Record<string, AnyTRPCProcedure>;
  return Object.entries(procedures).map(([path, { _def }]) => {
    const parsers = (_def as unknown as { inputs: unknown[] }).inputs;
    return {
      path,
      type: _def.type as Procedure["type"],
      input: parsers.length === 0 ? null : describeInput(path, parsers),
    };
  });
}

function describeInput(path: string, parsers: unknown[]): NonNullable<Procedure["input"]> {
  const [parser] = parsers;
  if (parsers.length !== 1 || !(parser instanceof z.ZodObject)) {
    throw new Error(`${path}: its input is not one z.strictObject, so these tests cannot read it`);
  }
  const schema = z.toJSONSchema(parser, { io: "input", unrepresentable: "any" });
  return {
    properties: schema.properties ?? {},
    required: schema.required ?? [],
    strict: schema.additionalProperties === false,
  };
}

/** Fields of an input that name a row. `lastEventId` is a position in a stream. */
export function idFields({ input }: Procedure): string[] {
  return Object.keys(input?.properties ?? {}).filter((field) => /(^id|Id)$/.test(field) && field !== "lastEventId");
}

/** An input that passes the schema: required fields and all ids, taken from `values`. */
export function sampleInput(
  procedure: Procedure,
  values: Record<string, unknown>,
): Record<string, unknown> | undefined {
  if (!procedure.input) return undefined;
  const fields = new Set([...procedure.input.required, ...idFields(procedure)]);
  return Object.fromEntries(
    [...fields].map((field) => {
      if (!(field in values)) throw new Error(`${procedure.path}: add a sample value for "${field}" to this test`);
      return [field, values[field]];
    }),
  );
}

/** Sends a call the way the browser does for that kind of procedure. */
export function send(visitor: Visitor, { path, type }: Procedure, input: unknown): Promise<Response> {
  return type === "mutation" ? callTrpc(visitor, path, input ?? {}) : queryTrpc(visitor, path, input);
}

const READ_FOR_MS = 10_000;

/**
 * Status and error of an answer. A subscription answers 200 and says what went wrong as its first message, or sends
 * data; either is waited for, and the stream is left.
 */
export async function outcomeOf(response: Response): Promise<{ status: number; error: unknown; body: string }> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const body = isStream ? await readFirstMessage(response) : await response.text();
  if (isStream) {
    const error = /event: serialized-error\ndata: (.*)/.exec(body)?.[1];
    const shape = error ? (JSON.parse(error) as { json: { data: { httpStatus: number } } }).json : null;
    return { status: shape?.data.httpStatus ?? response.status, error: shape, body };
  }
  const parsed = body.startsWith("{") ? (JSON.parse(body) as { error?: unknown }) : {};
  return { status: response.status, error: parsed.error ?? null, body };
}

async function readFirstMessage(response: Response): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const deadline = setTimeout(() => reader?.cancel(), READ_FOR_MS);
  let text = "";
  while (reader && !/event: serialized-error\ndata: .*\n|^data: .*"type".*\n/m.test(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  clearTimeout(deadline);
  await reader?.cancel();
  return text;
}
