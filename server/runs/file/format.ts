import { z } from "zod";
import {
  chosenOption,
  DECISION_KINDS,
  MAIL_KINDS,
  REASON_SOURCES,
  REQUEST_KINDS,
  requestOption,
  runEventBody,
  STEP_KINDS,
  STEP_STATUSES,
  stepError,
  stepReused,
  TASK_STATUSES,
  todo,
} from "@/server/engine/events";
import { errorDetails } from "@/server/engine/resilience/error-details";
import { runContext } from "@/server/engine/run-context";
import { runLimits } from "@/server/engine/run-limits";
import { TERMINAL_STATUSES } from "@/server/engine/state";
import { scoredPassage } from "@/server/knowledge/schema";
import { offeredOption } from "../schema";
import { toolCall, toolSpec } from "../step-schema";

/**
 * A run as one file: gzip of JSON lines. First the header, then the rows as ["table", {…}] in the order of `PARTS`, then the end with the
 * SHA-256 of all lines before it. Raised when a file of an older form could no longer be read.
 */
export const FORMAT = 1;
export const FILE_ENDING = ".troupe-run.gz";

const INT4 = 2_147_483_647;
const id = z.uuid();
const text = z.string();
const place = z.int().min(0).max(INT4);
const count = z.int().min(0);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** Within what every database and browser can hold. */
const instant = z.iso
  .datetime({ offset: true })
  .refine((at) => Math.abs(Date.parse(at)) < Date.UTC(2200, 0), "A time this far away is none.");
const ended = z.enum(TERMINAL_STATUSES);
/** Any plain value: the reader looked at all of the line. */
const json = z.unknown();

export const PART_NAMES = [
  ...["versions", "blobs", "agent_runs", "decisions", "decision_labels", "steps", "usages", "messages", "effects"],
  ...["reasonings", "human_requests", "steers", "tasks", "mails", "citations", "retrievals", "events"],
] as const;
export type PartName =
  | "versions"
  | "blobs"
  | "agent_runs"
  | "decisions"
  | "decision_labels"
  | "steps"
  | "usages"
  | "messages"
  | "effects"
  | "reasonings"
  | "human_requests"
  | "steers"
  | "tasks"
  | "mails"
  | "citations"
  | "retrievals"
  | "events";

/** First line of a run file. */
export const runFileHeader = z.strictObject({
  troupeRun: z.literal(FORMAT),
  savedAt: instant,
  savedBy: text.max(200),
  workspace: z.strictObject({ id, name: text.max(200) }),
  run: z.strictObject({
    id,
    title: text.max(2_000),
    input: text,
    status: ended,
    status_reason: text.nullable(),
    model: text.max(400),
    answer: text.nullable(),
    last_seq: place,
    input_tokens: count,
    output_tokens: count,
    cost_nano_usd: count,
    unpriced_calls: place,
    limits: runLimits,
    active_ms: count,
    created_at: instant,
    started_at: instant.nullable(),
    finished_at: instant,
  }),
  startedBy: text.max(200).nullable(),
  target: z.strictObject({ kind: z.enum(["team", "agent"]), name: text.min(1).max(200), version: place }),
  tags: z.array(text.min(1).max(200)).max(200),
  /** Rows of each part. */
  counts: z.partialRecord(z.enum(PART_NAMES), place),
});
export type RunFileHeader = z.infer<typeof runFileHeader>;

/** Last line. */
export const runFileEnd = z.strictObject({ end: z.strictObject({ sha256: hash }) });

const modelMessage = z.discriminatedUnion("role", [
  z.looseObject({ role: z.literal("system"), content: text }),
  z.looseObject({ role: z.literal("user"), content: text }),
  z.looseObject({ role: z.literal("assistant"), content: text.nullable(), calls: z.array(toolCall) }),
  z.looseObject({ role: z.literal("tool"), callId: text, content: text }),
]);
/** What was told beside a long reply lies beside its blob. */
const inBlob = z.strictObject({ blob: hash, bytes: count, told: z.looseObject({}).optional() });

/** What a blob must hold to stand where it is named. */
export const BLOB_SHAPES = {
  options: z.array(offeredOption),
  request: z.looseObject({
    model: text,
    temperature: z.number().nullish(),
    ...{ maxOutputTokens: count.nullish(), endpoint: text.nullish(), contextTokens: count.nullish() },
    tools: z.array(toolSpec),
    compaction: z.looseObject({ summary: place, from: place }).nullish(),
    messages: z.array(modelMessage).optional(),
  }),
  message: modelMessage,
} as const;
export type BlobShape = keyof typeof BLOB_SHAPES;

/** As it is stored: an agent run, a step and a decision are only named. */
const storedEvent = z.union([
  z.object({ kind: z.literal("agent.created"), agent: z.strictObject({ id, createdAt: instant }) }),
  z.object({ kind: z.literal("step.finished"), position: place }),
  z.object({ kind: z.literal("decision.made"), id }),
  runEventBody,
]);

const storedReused = stepReused.extend({
  call: z
    .strictObject({
      ...{ provider: text.max(400), model: text.max(400), cached: place, reasoning: place.optional() },
      ...{ inputRate: count.optional(), cachedRate: count.optional() },
      ...{ outputRate: count.optional(), reasoningRate: count.optional() },
    })
    .optional(),
});

type Part = {
  columns: z.ZodObject;
  /** Column with the row's own id; others may name it. */
  own?: string;
  /** Columns that name a row before them in the file, or of one named in `later`. */
  refs?: readonly string[];
  /** Columns that name a row further on in the file. */
  later?: readonly string[];
  /** Columns that name a row of another run, which is not in the file: they are left empty. */
  elsewhere?: readonly string[];
  /** Columns that name a blob, and what it must hold. */
  blobs?: Readonly<Record<string, BlobShape>>;
};

/** The parts of a file in their order, with the columns of their rows by their names in the database. */
export const PARTS: Readonly<Record<PartName, Part>> = {
  versions: {
    own: "id",
    columns: z.strictObject({
      ...{ id, name: text.min(1).max(200), number: place, purpose: text.max(500), instructions: text.max(20_000) },
      model: text.max(300).nullable(),
    }),
  },
  blobs: { columns: z.strictObject({ hash, part: place, content: text.max(1_000_000) }) },
  agent_runs: {
    own: "id",
    refs: ["parent_id", "agent_version_id"],
    later: ["spawned_by_id"],
    columns: z.strictObject({
      ...{ id, parent_id: id.nullable(), spawned_by_id: id.nullable(), agent_version_id: id },
      ...{
        handle: text.max(300),
        name: text.max(200),
        executor: z.enum(["prompt", "graph"]),
        depth: place,
        task: text,
      },
      ...{ status: z.enum([...TERMINAL_STATUSES, "interrupted"]), status_reason: text.nullable(), epoch: place },
      // Files from before there was one have none.
      ...{
        todo: todo.loose().nullable(),
        context: runContext.loose().nullable().default(null),
        compaction: json,
        handoff: json,
        result: text.nullable(),
      },
      ...{ collected_at: instant.nullable(), input_tokens: count, output_tokens: count, cost_nano_usd: count },
      ...{ created_at: instant, started_at: instant.nullable(), finished_at: instant.nullable() },
    }),
  },
  decisions: {
    own: "id",
    refs: ["agent_run_id"],
    blobs: { options_hash: "options" },
    columns: z.strictObject({
      ...{ id, agent_run_id: id, position: place, ordinal: place, kind: z.enum(DECISION_KINDS) },
      ...{ options_hash: hash.nullable(), chosen: z.array(chosenOption.loose()), reason: text.nullable() },
      ...{ source: z.enum(REASON_SOURCES), cost_so_far_nano_usd: count, at: instant },
    }),
  },
  decision_labels: {
    refs: ["decision_id"],
    columns: z.strictObject({
      ...{ decision_id: id, author: text.max(200).nullable(), verdict: z.enum(["right", "wrong", "better"]) },
      ...{ option: text.max(400).nullable(), words: text.nullable(), note: text.nullable() },
      ...{ at: instant, ended_at: instant.nullable() },
    }),
  },
  steps: {
    refs: ["agent_run_id"],
    blobs: { request_hash: "request" },
    columns: z.strictObject({
      ...{ agent_run_id: id, position: place, turn: place, kind: z.enum(STEP_KINDS), name: text.max(400) },
      status: z.enum(STEP_STATUSES),
      error: stepError.loose().extend({ details: errorDetails.loose().nullish() }).nullable(),
      ...{ call_id: text.nullable(), request_messages: place.nullable(), reply_message: place.nullable() },
      ...{ request_hash: hash.nullable(), input_bytes: place, output_bytes: place, reused: storedReused.nullable() },
      ...{ epoch: place, started_at: instant, finished_at: instant },
    }),
  },
  usages: {
    refs: ["agent_run_id"],
    columns: z.strictObject({
      ...{ agent_run_id: id, position: place, provider: text.max(400), model: text.max(400), input_tokens: place },
      ...{ cached_tokens: place, output_tokens: place, cost_nano_usd: count.nullable() },
      // Files from before rates were kept have none.
      ...{ reasoning_tokens: place.nullish(), input_rate: count.nullish(), cached_rate: count.nullish() },
      ...{ output_rate: count.nullish(), reasoning_rate: count.nullish() },
    }),
  },
  messages: {
    refs: ["agent_run_id"],
    blobs: { content: "message" },
    columns: z.strictObject({
      ...{ agent_run_id: id, index: place, role: z.enum(["system", "user", "assistant", "tool"]) },
      content: z.union([inBlob, modelMessage]),
    }),
  },
  effects: {
    refs: ["agent_run_id"],
    elsewhere: ["repeats_agent_run_id"],
    columns: z.strictObject({
      ...{ key: text.max(600), agent_run_id: id, position: place, tool: text.max(400), arguments_hash: text.max(200) },
      ...{ honours_key: z.boolean(), status: text.max(40), epoch: place, intended_at: instant },
      ...{ settled_at: instant.nullable(), sent_key: text.max(600).nullable() },
      ...{ repeats_agent_run_id: id.nullable(), repeats_position: place.nullable() },
    }),
  },
  // Files from before it was kept have none.
  reasonings: { refs: ["agent_run_id"], columns: z.strictObject({ agent_run_id: id, position: place, text }) },
  human_requests: {
    own: "id",
    refs: ["agent_run_id", "decision_id", "answered_by_agent_id"],
    columns: z.strictObject({
      ...{ id, agent_run_id: id, position: place, decision_id: id.nullable(), kind: z.enum(REQUEST_KINDS) },
      ...{ prompt: text, options: z.array(requestOption.loose()), schema: json },
      ...{ call: z.looseObject({ tool: text, arguments: text }).nullable(), arguments_hash: text.nullable() },
      ...{
        deadline_at: instant.nullable(),
        default_answer: json,
        status: z.enum(["answered", "expired", "withdrawn"]),
      },
      ...{ escalated_until: instant.nullable(), answer: json, answered_by_agent_id: id.nullable() },
      ...{ answered_by_name: text.max(200).nullable(), answered_at: instant.nullable(), created_at: instant },
    }),
  },
  steers: {
    own: "id",
    refs: ["agent_run_id"],
    columns: z.strictObject({
      ...{ id, agent_run_id: id, author: text.max(200), text, clears_todo: z.boolean() },
      ...{ created_at: instant, read_at: instant.nullable() },
    }),
  },
  tasks: {
    refs: ["agent_run_id", "child_id"],
    columns: z.strictObject({
      ...{ agent_run_id: id, number: place, subject: text, description: text, status: z.enum(TASK_STATUSES) },
      ...{ blocked_by: z.array(place), agent: text.nullable(), prompt: text.nullable(), child_id: id.nullable() },
      ...{ is_automatic: z.boolean(), created_at: instant, finished_at: instant.nullable() },
    }),
  },
  mails: {
    own: "id",
    refs: ["from_id", "to_id"],
    columns: z.strictObject({
      ...{ id, from_id: id, to_id: id, kind: z.enum(MAIL_KINDS), text, sent_at: instant, read_at: instant.nullable() },
    }),
  },
  citations: {
    refs: ["agent_run_id"],
    columns: z.strictObject({
      ...{ mark: text.max(600), agent_run_id: id, chunk_id: id, base_id: id, document_id: id, document_name: text },
      ...{ heading: text, page: place.nullable(), text, scores: json, at: instant },
    }),
  },
  // Files from before searches kept their scores have none.
  retrievals: {
    refs: ["agent_run_id"],
    columns: z.strictObject({
      ...{ agent_run_id: id, position: place },
      passages: z.array(scoredPassage.strict().extend({ mark: text.max(600) })),
    }),
  },
  events: {
    refs: ["agent_run_id"],
    columns: z.strictObject({
      ...{ seq: place.min(1), agent_run_id: id.nullable(), kind: text.max(60), body: json, at: instant },
    }),
  },
};

/** Whether an event's body is one of its kind. */
export function isEvent(row: { kind: unknown; body: unknown }): boolean {
  return (
    typeof row.body === "object" && row.body !== null && storedEvent.safeParse({ ...row.body, kind: row.kind }).success
  );
}
