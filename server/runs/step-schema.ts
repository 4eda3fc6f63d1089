import { z } from "zod";
import { requestView, stepRow } from "@/server/engine/events";
import { errorDetails } from "@/server/engine/resilience/error-details";
import { runContext } from "@/server/engine/run-context";
import { answerRequestInput } from "@/server/requests/schema";

const id = z.uuid();
const instant = z.iso.datetime();

export const stepInput = z.strictObject({ runId: id, agentRunId: id, position: z.int().min(0) });
export type StepInput = z.infer<typeof stepInput>;

/** `askBeforeWrites`: before each call that writes; else only before those of tools that had acted after the step. */
export const retryFromInput = stepInput.extend({ askBeforeWrites: z.boolean().default(true) });
export type RetryFromInput = z.infer<typeof retryFromInput>;

const editedCall = z.strictObject({
  name: z.string().min(1).max(200),
  /** A JSON object, as a model would write it. */
  arguments: z.string().max(50_000, "At most 50,000 characters."),
});

/**
 * What is otherwise in a fork: what the model replied at a step, what a call returned, what was answered there, what its agent is told first,
 * or which model answers.
 */
export const whatIfEdit = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("reply"),
    text: z.string().max(50_000, "At most 50,000 characters."),
    calls: z.array(editedCall).max(8, "At most 8 calls."),
  }),
  z.strictObject({ kind: z.literal("result"), content: z.string().max(200_000, "At most 200,000 characters.") }),
  z.strictObject({ kind: z.literal("answer"), answer: answerRequestInput.shape.answer }),
  z.strictObject({
    kind: z.literal("instructions"),
    content: z.string().trim().min(1, "Say what the agent is told.").max(200_000, "At most 200,000 characters."),
    /** What it is asked to do; absent: what it was. */
    task: z
      .string()
      .trim()
      .min(1, "Say what it is asked to do.")
      .max(200_000, "At most 200,000 characters.")
      .optional(),
  }),
  z.strictObject({ kind: z.literal("model"), model: z.string().min(1, "Choose a model.").max(300) }),
]);
export type WhatIfEdit = z.infer<typeof whatIfEdit>;

export const whatIfInput = retryFromInput.extend({ edit: whatIfEdit });
export type WhatIfInput = z.infer<typeof whatIfInput>;

/** A side effect of a run after the step it is retried from. */
const effectAfter = z.object({
  agentName: z.string(),
  agentRunId: id,
  position: z.int(),
  tool: z.string(),
  status: z.string(),
  at: instant,
});
export type EffectAfter = z.infer<typeof effectAfter>;

/** What a retry from a step would keep, and what stays done whatever it does. */
export const retryPlan = z.object({
  agentName: z.string(),
  stepName: z.string(),
  keptSteps: z.int(),
  /** What the kept steps cost where they were made; it is not counted again. */
  reusedCostNanoUsd: z.int(),
  /** The first of them, as they happened. */
  effects: z.array(effectAfter),
  effectsTotal: z.int(),
  /** A person is asked before each call of these, always. */
  tools: z.array(z.string()),
});
export type RetryPlan = z.infer<typeof retryPlan>;

export const rerunPlanInput = z.strictObject({ runId: id, version: z.int().min(1).nullish() });
/** What repeating a run as a whole would do: with which versions it can be, what it had done outside, what it may do again. */
export const rerunPlan = z.object({
  /** Of its team or agent, the newest first; the newest hundred. */
  versions: z.array(z.object({ number: z.int(), publishedAt: instant, isOfRun: z.boolean() })),
  /** What it was about when it began; null: nothing. */
  context: runContext.nullable(),
  /** Calls of it that wrote, or may have. They stay done. */
  effectsTotal: z.int(),
  effectTools: z.array(z.string()),
  /** Tools of the chosen version that write. */
  writes: z.array(z.string()),
});
export type RerunPlan = z.infer<typeof rerunPlan>;

export const toolSpec = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
});
export const toolCall = z.object({ id: z.string(), name: z.string(), arguments: z.string() });

/** Texts of a step of more bytes than this are sent as their beginning, and whole when somebody unfolds them. */
export const WHOLE_TEXT_BYTES = 8_192;
/** How much there is of what was sent as its beginning; absent: it was sent whole. */
const textCut = z.object({ bytes: z.int(), tokens: z.int() });
export type TextCut = z.infer<typeof textCut>;
const cut = textCut.optional();

/** Chinese, Japanese and Korean write about a word with each character. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const CHARACTERS_PER_TOKEN = 4;

/** Tokens of a text, estimated: four characters of Latin text make one, and each of Chinese, Japanese or Korean is one (TID-TOK-01). */
export function estimateTokensOf(text: string): number {
  const cjk = text.match(CJK)?.length ?? 0;
  return Math.ceil((text.length - cjk) / CHARACTERS_PER_TOKEN) + cjk;
}

export const messageView = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string().nullable(),
  /** Of its content. */
  cut,
  /** `cut`: bytes of the arguments, tokens of name and arguments. */
  calls: z.array(
    toolCall.extend({
      cut,
      /** Of a request: it was sent in this form, as what the model had written is no JSON. */
      isRewritten: z.literal(true).optional(),
    }),
  ),
  callId: z.string().nullable(),
});
export type MessageView = z.infer<typeof messageView>;

/** `whole`: long texts too. */
export const stepDetailInput = stepInput.extend({ whole: z.boolean().default(false) });

/** A text of a step, by where it stands in its detail. Of a tool that was offered it is all of it as JSON. */
export const stepPart = z
  .string()
  .regex(
    /^(request\.messages\.\d{1,6}(\.calls\.\d{1,6})?|request\.tools\.\d{1,6}|reply(\.calls\.\d{1,6})?|call\.(arguments|result))$/,
    "There is no such part of a step.",
  );
export const stepTextInput = stepInput.extend({ part: stepPart });
export type StepTextInput = z.infer<typeof stepTextInput>;
export const stepText = z.object({ text: z.string() });

/** Longest reply that was asked for; null: none was named; absent: the request is from before it was kept. */
const askedOutputTokens = z.int().nullable().optional();

/** Input and output of one step, loaded when it is opened. */
export const stepDetail = z.object({
  step: stepRow,
  /** Null: it did not fail, or was recorded before errors had any. */
  errorDetails: errorDetails.nullable(),
  decisionId: id.nullable(),
  /** Model calls: the exact request, rebuilt from the messages it names. */
  request: z
    .object({
      model: z.string(),
      temperature: z.number().nullable(),
      maxOutputTokens: askedOutputTokens,
      messages: z.array(messageView),
      /** What the workspace hides now was taken out of what is stored, as it is of what is sent. */
      isCleaned: z.boolean(),
      /** `cut`: of all of it as JSON; its parameters were not sent then. */
      tools: z.array(toolSpec.extend({ cut })),
    })
    .nullable(),
  /** Model calls: what came back. */
  reply: messageView.nullable(),
  /** What the provider sent of what the model thought before it replied; null: nothing. */
  reasoning: z.string().nullable(),
  /** Tool calls: the arguments as the model wrote them, and the result it was given. */
  call: z
    .object({
      ...{ name: z.string(), arguments: z.string(), result: z.string().nullable() },
      ...{ argumentsCut: cut, resultCut: cut },
    })
    .nullable(),
  effect: z
    .object({
      key: z.string(),
      status: z.string(),
      honoursKey: z.boolean(),
      /** The key the far side was sent, where that is not `key`. */
      sentKey: z.string().nullable(),
      /** Which of its tool's calls are the same call, when it was made; null: nobody said. */
      strategy: z.string().nullable(),
      /** The key such calls have in common. */
      callKey: z.string().nullable(),
      /** The step of the same call made before; null: this one was made. `runId` is null once that run is removed. */
      repeats: z.object({ runId: id.nullable(), agentRunId: id, position: z.int() }).nullable(),
      intendedAt: instant,
      settledAt: instant.nullable(),
    })
    .nullable(),
  humanRequest: requestView.nullable(),
});
export type StepDetail = z.infer<typeof stepDetail>;

/** One model call as a record (LLM-OBS-01), without what was said. Null stands for what nobody told. */
export const modelCall = z.object({
  callId: id,
  startedAt: instant,
  completedAt: instant,
  elapsedMs: z.int(),
  provider: z.string().nullable(),
  /** As it was asked for. */
  model: z.string(),
  /** As the endpoint names what answered; null: nothing did, or it names nothing. */
  responseModel: z.string().nullable(),
  /** Base address it was sent to; empty: to none, or nobody knows. */
  endpoint: z.string(),
  parameters: z.object({ temperature: z.number().nullable(), maxOutputTokens: askedOutputTokens }),
  /** How much the model takes; null: nobody said. */
  contextTokens: z.int().nullable(),
  /** Which of the two were not kept with the call: they are as they are set now. */
  ofToday: z.object({ endpoint: z.boolean(), contextTokens: z.boolean() }),
  /** Messages that were there when it was made. */
  messages: z.int().nullable(),
  /** A summary of earlier messages was sent in their place. */
  isCondensed: z.boolean(),
  /** Calls of the run, with this one, that were offered the very same tools and settings. */
  sameRequests: z.int(),
  /** `hash`: SHA-256 over names and schemas, the same for the same tools. */
  tools: z.object({ names: z.array(z.string()), hash: z.string() }).nullable(),
  /** `isKnown` false: the endpoint counted nothing, which does not mean that nothing was used. */
  usage: z
    .object({
      ...{ prompt: z.int(), completion: z.int(), cached: z.int(), reasoning: z.int().nullable(), total: z.int() },
      isKnown: z.boolean(),
    })
    .nullable(),
  cost: z
    .object({
      /** Null: its price was unknown. */
      nanoUsd: z.int().nullable(),
      /** What it was billed at, by the price version of these four; null: there was no price, or they were not kept then. */
      rates: z
        .object({
          version: z.string(),
          ...{ inputNanoUsdPerMtok: z.int(), cachedNanoUsdPerMtok: z.int().nullable() },
          ...{ outputNanoUsdPerMtok: z.int(), reasoningNanoUsdPerMtok: z.int().nullable() },
        })
        .nullable(),
      /** What it comes to by what its tokens were; the discount comes off the rest. Null as the rates. */
      parts: z
        .object({
          ...{ promptNanoUsd: z.int(), cachedDiscountNanoUsd: z.int() },
          ...{ completionNanoUsd: z.int(), reasoningNanoUsd: z.int() },
        })
        .nullable(),
    })
    .nullable(),
  /** In the endpoint's word: stop, length, tool_calls, content_filter… */
  finishReason: z.string().nullable(),
  error: z.object({ class: z.string().nullable(), code: z.string(), message: z.string() }).nullable(),
  /** Null: the reply was not streamed, or nobody told. */
  stream: z.object({ firstPieceMs: z.int().nullable(), pieces: z.int() }).nullable(),
  /**
   * What of it counts against the limits on spending: settled at what it used; released, as it failed before it could cost anything;
   * unconfirmed at what was reserved, as nobody knows. Null: no limit held.
   */
  reservation: z
    .object({
      status: z.enum(["reserved", "settled", "released", "unconfirmed"]),
      ...{ costNanoUsd: z.int(), tokens: z.int() },
    })
    .nullable(),
  /** Failed calls in a row just before it. */
  retryAttempt: z.int(),
  /** Taken over from another run. */
  isReused: z.boolean(),
});
export type ModelCall = z.infer<typeof modelCall>;
