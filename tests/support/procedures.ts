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

/** Of fields that exclude each other a sample takes the first: a run is of a team or of an agent. */
const ALTERNATIVES: readonly (readonly [string, string])[] = [["teamId", "agentId"]];

/** Fields of an input that name a row. `lastEventId` is a position in a stream. */
export function idFields({ input }: Procedure): string[] {
  const fields = Object.keys(input?.properties ?? {}).filter(
    (field) => /(^id|Id)$/.test(field) && field !== "lastEventId",
  );
  const isOptional = (field: string) => fields.includes(field) && !input?.required.includes(field);
  const dropped = ALTERNATIVES.filter((pair) => pair.every(isOptional)).map(([, second]) => second);
  return fields.filter((field) => !dropped.includes(field));
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

/** What the forms of agents and teams send besides ids: a first draft, and the version it may go back to. */
export const FORM_SAMPLES = {
  ...{ draftRevision: 1, number: 1 },
  ...{
    role: "viewer",
    token: "nobody-made-this-token",
    currentPassword: "not the one",
    newPassword: "long enough to pass",
  },
  config: { purpose: "Looks things up.", instructions: "Look it up." },
  draft: { description: "", pattern: "coordinate", example: "", root: null },
  ...{ description: "", settings: {}, embeddingModel: "built-in", query: "anything", mark: "handbook.pdf#1" },
  entryKind: "decision",
  edit: { kind: "model", model: "nobody/nothing" },
  ...{ what: "providers", workspaceName: "Nobody's", verdict: "right", which: "older", part: "reply" },
  ...{ type: "positive", content: "It takes 14 days, not 30." },
  ...{ storageMb: null, uploadMb: 50, documentsPerBase: null, runsPerDay: null, runsAtOnce: null },
  ...{ spendPerDayNanoUsd: null, tokensPerDay: null, limits: { maxCostNanoUsd: null, maxTokens: null } },
  // Ages nothing in a test has: a dry run finds nothing to remove.
  ...{ runDays: 365, conversationDays: null, uploadDays: null, asOf: "2026-01-01T00:00:00.000Z" },
  ...{ tags: ["later"], archived: true, filters: {}, seq: 1, afterSeq: 0, place: null, days: 7 },
  // An address: no name is looked up, and nothing is sent by saving it.
  ...{ endpoint: "https://1.1.1.1/v1/traces", headers: [], withContent: false, redactsPii: false },
  ...{ address: "https://1.1.1.1/hooks", events: ["run.failed"], linkOrigin: "https://troupe.example.test" },
  models: [
    { name: "picked", kind: "chat", contextTokens: null, inputNanoUsdPerMtok: null, outputNanoUsdPerMtok: null },
  ],
  // A program that is not there: testing it starts nothing.
  ...{
    transport: "stdio",
    url: "",
    command: "no-such-program",
    enabled: true,
    tool: "look",
    effect: "reads",
    policy: {},
  },
};
