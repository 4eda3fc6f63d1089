import type { ModelError } from "@/server/models/model";
import {
  compactionRequest,
  failedLately,
  messagesToSend,
  type Plan,
  planCompaction,
  summaryMessage,
} from "./compaction";
import { decide } from "./decide";
import { estimateTokens } from "./estimate-tokens";
import type { Execution } from "./execution";
import { figure } from "./figure";
import { merged } from "./journal/merged";
import type { JournalUnit } from "./journal/unit";
import type { Offer } from "./offers";
import { findModel, type Overspent, recordRefusal } from "./reserve-call";
import { type SideCallEnd, sideCall } from "./side-call";

/** What a condensing call may write at the least, in tokens. */
const FEWEST_OUTPUT_TOKENS = 2_000;

const CONDENSE = "Condense older messages";
const GO_ON = "Leave it as it is";
const OFFERS: Offer[] = [
  { key: "condense", kind: "action", label: CONDENSE, description: "A model condenses all but the newest." },
  { key: "go_on", kind: "action", label: GO_ON, description: "The whole conversation is sent." },
];

/** `condensed` and `failed` are recorded as a step. */
export type Room = "as-it-is" | "condensed" | "failed" | Overspent;

/** Why a conversation is condensed, in a sentence, and how long it is. */
type Occasion = { reason: string; tokens: number; isRefused: boolean };

type Step = { position: number; turn: number; kind: "summary"; name: string };

/** Whether there is anything to condense in a conversation that a provider refused. */
export function canCondense(execution: Execution): boolean {
  const { compaction } = execution.config;
  return compaction.enabled && !!planCompaction(execution.stored(), execution.compaction, compaction.preserveLastN);
}

/** The decision about a model call that was refused as too long, taken with its step. */
export function decideToCondense(execution: Execution, position: number, { code }: ModelError): JournalUnit {
  const tokens = estimateTokens(execution.conversation(), execution.toolSpecs);
  return decide(execution, {
    position,
    kind: "compaction",
    chosen: [{ option: "condense", label: CONDENSE, position: position + 1, reason: null }],
    reason: `${code}: about ${figure(tokens)} tokens were sent. Older messages are condensed, then the call is made again.`,
    source: "runtime-rule",
    offers: OFFERS,
  });
}

/**
 * Before a call of that model: condenses the conversation when it fills the model's context (INT-CTX-03), or, with `isRefused`, because the
 * provider has refused it as too long (AGT-ERR-05). The step has this position. What it cannot condense stays as it is: only where
 * nothing else is left to do does a limit on spending count as one.
 */
export async function makeRoom(
  execution: Execution,
  { position, modelRef, isRefused }: { position: number; modelRef: string; isRefused: boolean },
): Promise<Room> {
  const { compaction: config } = execution.config;
  if (!config.enabled || (!isRefused && failedLately(execution.steps))) return "as-it-is";
  const stored = await execution.nextStored();
  const sent = messagesToSend(stored, execution.compaction);
  if (!isRefused && sent.length < config.minMessages) return "as-it-is";
  const window = (await findModel(execution, modelRef))?.contextTokens;
  if (!isRefused && window === undefined) return "as-it-is";
  const tokens = estimateTokens(sent, execution.toolSpecs);
  if (!isRefused && tokens < config.thresholdRatio * (window ?? 0)) return "as-it-is";
  const plan = planCompaction(stored, execution.compaction, config.preserveLastN);
  if (!plan) return "as-it-is";
  const reason = isRefused
    ? `${modelRef} refused about ${figure(tokens)} tokens as too long.`
    : `About ${figure(tokens)} of the ${figure(window ?? 0)} tokens ${modelRef} takes would be sent; ${Math.round(config.thresholdRatio * 100)} % are the most.`;
  return condense(execution, { position, modelRef }, plan, { reason, tokens, isRefused });
}

async function condense(
  execution: Execution,
  call: { position: number; modelRef: string },
  plan: Plan,
  occasion: Occasion,
): Promise<Room> {
  const { position } = call;
  const { maxSummaryTokens, prompt } = execution.config.compaction;
  const modelRef = execution.config.compaction.model ?? call.modelRef;
  const model = await findModel(execution, modelRef);
  const step: Step = { position, turn: execution.turn() + 1, kind: "summary", name: model?.name ?? modelRef };
  await execution.journal.append(await execution.announce(step));
  const room = roomFor(model?.contextTokens, maxSummaryTokens, occasion);
  const messages = compactionRequest(plan.condensed, { prompt, maxSummaryTokens, room });
  // A model that thinks first, or writes a little more, is not cut off: the words ask for the length.
  const maxOutputTokens = Math.max(FEWEST_OUTPUT_TOKENS, 2 * maxSummaryTokens);
  const end = await sideCall(execution, { position, modelRef, messages, maxOutputTokens });
  if (end.ended === "refused" && occasion.isRefused) {
    await recordRefusal(execution, position, end.overspent);
    return end.overspent;
  }
  return record(execution, step, { plan, modelRef, end, why: occasion.reason });
}

/** Commits what the condensing call came to, and with a summary what is sent from then on. */
async function record(
  execution: Execution,
  step: Step,
  { plan, modelRef, end, why }: { plan: Plan; modelRef: string; end: SideCallEnd; why: string },
): Promise<Room> {
  const { journal } = execution;
  const index = execution.messages.size;
  const text = end.ended === "replied" ? end.text : "";
  const kept = execution.stored().slice(plan.from);
  const { row, todo, config } = execution;
  // Of an agent that notes nothing it is what its first message says, which stays.
  const context = config.notesContext ? execution.context : null;
  const summary = summaryMessage({ task: row.task, summary: text, todo, context }, kept);
  const isShorter = estimateTokens([summary], []) < estimateTokens(plan.condensed, []);
  const error =
    errorOf(end) ?? (isShorter ? null : { code: "not_shorter", message: "What came back was not shorter." });
  const made = end.ended === "replied" ? end.made : null;
  const spent = made?.spent ?? { inputTokens: 0, outputTokens: 0, costNanoUsd: null };
  const outputBytes = Buffer.byteLength(text);
  const recorded = merged(
    end.ended === "replied" ? end.unit : {},
    execution.finish(
      { ...step, status: error ? "failed" : "completed", error, ...spent, inputBytes: 0, outputBytes },
      { sent: index, ...(made ? { request: made.request } : {}), ...(error ? {} : { reply: index }) },
    ),
    decide(execution, {
      position: step.position,
      kind: "compaction",
      chosen: [
        error
          ? { option: "go_on", label: GO_ON, position: null, reason: null }
          : { option: "condense", label: CONDENSE, position: null, reason: null },
      ],
      reason: error
        ? `${why} ${figure(plan.condensed.length)} messages were to be condensed by ${modelRef}, and are left as they are: ${error.message}`
        : `${why} ${figure(plan.condensed.length)} messages were condensed by ${modelRef} to ${figure(text.length)} characters; the newest ${plan.kept} are kept as they are.`,
      source: "runtime-rule",
      offers: OFFERS,
    }),
  );
  if (error) {
    await journal.append(recorded);
    return "failed";
  }
  const inForce = { summary: index, from: plan.from };
  execution.messages.set(index, summary);
  execution.compaction = inForce;
  await journal.append(merged(recorded, journal.message(index, summary), { agent: { compaction: inForce } }));
  return "condensed";
}

/** Why there is no summary; null when there is one. */
function errorOf(end: SideCallEnd): { code: string; message: string } | null {
  if (end.ended === "refused") return { code: "budget_exhausted", message: end.overspent.reason };
  if (end.ended === "failed") return { code: end.code, message: end.message };
  return end.text ? null : { code: "empty_reply", message: "The model answered with nothing." };
}

/** Of the condensing model's context, for what it needs besides: its instructions, and what the estimate is wrong by. */
const SPARE = 0.2;

/** The longest conversation the condensing model is sent, in tokens. How long a refused one may be nobody knows: half of it. */
function roomFor(window: number | undefined, maxSummaryTokens: number, { isRefused, tokens }: Occasion): number | null {
  const limits = [
    ...(window === undefined ? [] : [window * (1 - SPARE) - maxSummaryTokens]),
    ...(isRefused ? [tokens / 2] : []),
  ];
  return limits.length ? Math.max(0, Math.floor(Math.min(...limits))) : null;
}
