import { logger } from "@/server/logger";
import { mostCostOf } from "@/server/models/cost";
import { type Model, ModelError, type ModelMessage, type ToolSpec } from "@/server/models/model";
import { ASK_OFFER, askAtShare } from "./ask-at-share";
import { decide, ownOrdinal } from "./decide";
import { estimateTokens } from "./estimate-tokens";
import type { Execution } from "./execution";
import { figure } from "./figure";
import { FenceLostError } from "./journal/unit";
import type { Offer } from "./offers";

/** Longest reply asked for where a limit on spending holds and nobody said otherwise. */
const RESERVED_OUTPUT_TOKENS = 4_096;

const OFFERS: Offer[] = [
  {
    key: "suspend",
    kind: "action",
    label: "Suspend the run",
    description: "It goes on when somebody raises the limit.",
  },
  {
    key: "stop",
    kind: "action",
    label: "End this agent run",
    description: "Its supervisor, if it has one, is told and decides.",
  },
  { key: "call", kind: "action", label: "Make the call", description: "Allowed only within every limit." },
  ASK_OFFER,
];

type Refusal = {
  /** share: it fits, and a person is asked first. */
  scope: "run" | "agent" | "day" | "lost" | "share";
  unit: "usd" | "tokens" | "price";
  /** nano-USD or tokens; a limit in nano-USD where the price is missing. */
  limit: number;
  used: number;
  /** Calls under way in that scope. */
  flying: number;
  /** Whose limit it is, in scope `agent`. */
  agent: string | null;
};

export type Reserved =
  /** The call may be made; `maxOutputTokens` is the longest reply to ask for. */
  { may: true; maxOutputTokens: number | null } | Overspent;

/**
 * The call may not be made: this agent run ends, or the whole run is suspended. Or a person had the run suspended at that share of its limit,
 * or stopped.
 */
export type Overspent =
  | { may: false; end: "agent" | "run"; reason: string }
  | { may: false; end: "suspend" | "stop"; reason: string; share: string };

/** A model call that is about to be made. */
export type NextCall = {
  position: number;
  /** "provider/model" */
  modelRef: string;
  messages: readonly ModelMessage[];
  tools: readonly ToolSpec[];
  maxOutputTokens: number;
};

/**
 * Reserves what the next model call of the agent may cost. At a limit it records the decision and says what ends. Without limits it asks
 * nothing. `modelRef`: "provider/model" that is called.
 */
export async function reserveCall(execution: Execution, position: number, modelRef: string): Promise<Reserved> {
  const { config, journal } = execution;
  if (!journal.isBudgeted) return { may: true, maxOutputTokens: config.maxOutputTokens };
  const maxOutputTokens = config.maxOutputTokens ?? RESERVED_OUTPUT_TOKENS;
  const messages = await execution.nextConversation();
  const call = { position, modelRef, messages, tools: execution.toolSpecs, maxOutputTokens };
  const overspent = await reserve(execution, call, true);
  if (!overspent) return { may: true, maxOutputTokens };
  // Stopping the run says so itself.
  if (overspent.end !== "stop") await recordRefusal(execution, position, overspent);
  return overspent;
}

/**
 * Reserves what a model call may cost at most, in every limit that holds for it (LLM-ADV-15, LLM-ADV-16). Waits while calls that are
 * under way may leave enough. Returns null when the call may be made, also where no limit holds. `asks`: a person is asked before it takes
 * the run past the share of its limit that is set for that (LLM-ADV-14); calls of the engine's own never ask.
 */
export async function reserve(execution: Execution, call: NextCall, asks = false): Promise<Overspent | null> {
  const { journal, resources, row } = execution;
  if (!journal.isBudgeted) return null;
  const model = await findModel(execution, call.modelRef);
  // A call that cannot be made costs nothing: it fails by itself, and says why.
  if (!model) return null;
  const estimate = estimateOf(call, model);
  const attempt = async (passing: string | null): Promise<Refusal | null> => {
    const { rows } = await resources.pool.query<{ refusal: Refusal | null }>({
      name: "reserve_call",
      text: "select reserve_call($1, $2, $3, $4, $5, $6, $7) as refusal",
      values: [row.id, row.epoch, call.position, estimate.costNanoUsd, estimate.tokens, asks, passing],
    });
    return rows[0]?.refusal ?? null;
  };
  for (let passing: string | null = null; ; ) {
    // What is under way may use less than it reserved.
    const refusal = await execution.bounded(() =>
      resources.hub.waitFor("settled", row.workspaceId, execution.signal, async () => {
        const now = await attempt(passing);
        return now && now.flying > 0 && now.unit !== "price" ? undefined : { now };
      }),
    );
    // Held, ended, or executed by somebody else meanwhile.
    if (refusal.now?.scope === "lost") throw new FenceLostError(row.id);
    if (!refusal.now) return null;
    const reason = sentenceOf(refusal.now, { model: call.modelRef, ...estimate });
    // An agent's limits belong to its published version: more cannot be given to a run that is under way.
    if (refusal.now.scope !== "share")
      return { may: false, end: refusal.now.scope === "agent" ? "agent" : "run", reason };
    const share = `${refusal.now.unit}:${refusal.now.limit}`;
    const answer = await askAtShare(execution, { position: call.position, share, reason, offers: OFFERS });
    if (answer !== "go_on") {
      const what = answer === "suspend" ? "suspended" : "stopped";
      return { may: false, end: answer, reason: `${reason} A person was asked, and had it ${what}.`, share };
    }
    passing = share;
  }
}

/** Errors after which the provider may have charged for the call. */
const MAYBE_CHARGED: ReadonlySet<ModelError["code"]> = new Set([
  "timeout",
  "connection_lost",
  "malformed_reply",
  "cancelled",
]);

export function isMaybeCharged({ code }: ModelError): boolean {
  return MAYBE_CHARGED.has(code);
}

/** Gives back what was reserved for a call that failed, unless it may have cost something. */
export async function releaseCall(execution: Execution, position: number, error: ModelError): Promise<void> {
  await release(execution, position, isMaybeCharged(error) ? "unconfirmed" : "released");
}

/** Gives back what was reserved for a call that was not made. */
export async function giveBack(execution: Execution, position: number): Promise<void> {
  // What is not given back counts as if it had been spent.
  await release(execution, position, "released").catch((error: unknown) =>
    logger.warn({ err: error }, "what was reserved for a call was not given back"),
  );
}

async function release({ journal, resources, row }: Execution, position: number, as: "released" | "unconfirmed") {
  if (!journal.isBudgeted) return;
  await resources.pool.query({
    name: "release_call",
    text: "select release_call($1, $2, $3, $4)",
    values: [row.id, row.epoch, position, as],
  });
}

/** The model that is named; null when there is none of that name any more. */
export async function findModel(execution: Execution, modelRef: string): Promise<Model | null> {
  try {
    return await execution.resources.models.find(execution.row.workspaceId, modelRef);
  } catch (error) {
    if (error instanceof ModelError) return null;
    throw error;
  }
}

type Estimate = { costNanoUsd: number | null; tokens: number };

function estimateOf({ messages, tools, maxOutputTokens }: NextCall, model: Model): Estimate {
  const inputTokens = estimateTokens(messages, tools);
  return {
    costNanoUsd: mostCostOf({ inputTokens, outputTokens: maxOutputTokens }, model.price),
    tokens: inputTokens + maxOutputTokens,
  };
}

/** Records that a limit was reached by the call at this position. */
export async function recordRefusal(execution: Execution, position: number, { end, reason }: Overspent): Promise<void> {
  await execution.journal.append(
    decide(execution, {
      position,
      ordinal: ownOrdinal(execution, 1),
      kind: "budget",
      chosen: [
        end === "agent"
          ? { option: "stop", label: "End this agent run", position: null, reason: null }
          : { option: "suspend", label: "Suspend the run", position: null, reason: null },
      ],
      reason,
      source: "policy",
      offers: OFFERS,
    }),
  );
}

/** In words, e.g. "This run may cost $0.10: $0.098 are spent or reserved, and the next call may cost up to $0.003." */
function sentenceOf(refusal: Refusal, call: Estimate & { model: string }): string {
  const agent = refusal.agent ?? "This agent";
  const who = { run: "This run", share: "This run", agent, day: "This workspace", lost: "This run" }[refusal.scope];
  const span = refusal.scope === "day" ? " a day (UTC)" : "";
  if (refusal.unit === "price") {
    return (
      `${who} may cost ${usd(refusal.limit)}${span}, and nobody said what ${call.model} costs. ` +
      "Give it a price on the page Models, or lift the limit."
    );
  }
  if (refusal.unit === "usd") {
    return (
      `${who} may cost ${usd(refusal.limit)}${span}: ${usd(refusal.used)} are spent or reserved, ` +
      `and the next call may cost up to ${usd(call.costNanoUsd ?? 0)}.`
    );
  }
  return (
    `${who} may use ${figure(refusal.limit)} tokens${span}: ${figure(refusal.used)} are used or reserved, ` +
    `and the next call may use up to ${figure(call.tokens)}.`
  );
}

/** At least two decimals, and as many as it takes to show three digits that count. */
function usd(nanoUsd: number): string {
  const dollars = nanoUsd / 1e9;
  const digits = dollars > 0 && dollars < 1 ? Math.min(9, 2 - Math.floor(Math.log10(dollars))) : 2;
  const text = dollars.toFixed(digits).replace(/0+$/, "");
  const [whole = "0", decimals = ""] = text.split(".");
  return `$${whole}.${decimals.padEnd(2, "0")}`;
}
