import { z } from "zod";
import { callPolicy } from "@/server/engine/resilience/policy";

/** Longest time limit an owner may set, and the one that holds where nobody set one. In ms. */
const LONGEST_TIMEOUT_MS = 30 * 60_000;
const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_TTL_SECONDS = 3600;
const LONGEST_TTL_SECONDS = 30 * 24 * 3600;

/** AGT-LRR-16: what the far side makes of the key it is sent. */
export const KEY_HINTS = ["none", "optional", "required"] as const;
/** IDEM-02: what a call's key is made of. */
export const KEY_STRATEGIES = ["none", "hash_input", "explicit", "uuid"] as const;
export type KeyStrategy = (typeof KEY_STRATEGIES)[number];
/** IDEM-03: what becomes of a call whose key is known. */
export const HIT_BEHAVIOURS = ["return_cached", "return_cached_if_success", "fail_fast"] as const;
/** IDEM-13: within what the same key means the same call. */
export const KEY_SCOPES = ["workspace", "run", "turn"] as const;

/** A path into the arguments: `title`, `issue.id`, `items.0.sku`. */
const fieldPath = z
  .string()
  .trim()
  .max(200)
  .regex(/^[^.\s]+(\.[^.\s]+)*$/, "A name, or names joined by dots, e.g. issue.id.");

const idempotency = z
  .strictObject({
    /** none: it keeps no keys · optional: it does one key once · required: the same, and a call without a key is not sent. */
    hint: z.enum(KEY_HINTS).default("none"),
    strategy: z.enum(KEY_STRATEGIES).default("none"),
    /** For `explicit`: the arguments that make the key. */
    fields: z.array(fieldPath).max(20).default([]),
    /** How long an outcome counts for the same key. */
    ttlSeconds: z.int().min(1).max(LONGEST_TTL_SECONDS).default(DEFAULT_TTL_SECONDS),
    onHit: z.enum(HIT_BEHAVIOURS).default("return_cached"),
    /** Keep failures, too: a call that failed is not made again (IDEM-04). */
    cacheFailures: z.boolean().default(false),
    scope: z.enum(KEY_SCOPES).default("workspace"),
    /** Why it is so, for whoever reads it later. */
    description: z.string().trim().max(500).default(""),
  })
  .superRefine(({ hint, strategy, fields }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (hint === "required" && !identifiesCalls(strategy)) {
      refuse(
        "strategy",
        "A required key must be the same when the same call is made again. Choose the arguments, or fields of them.",
      );
    }
    if (strategy === "explicit" && fields.length === 0) refuse("fields", "Name at least one argument.");
    if (new Set(fields).size < fields.length) refuse("fields", "An argument is there twice.");
  });

/** How a tool is called: what an owner may say of each tool. The defaults are how a tool is called that nobody said anything of. */
export const toolPolicy = z.strictObject({
  timeoutMs: z.int().min(1000).max(LONGEST_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS),
  idempotency: idempotency.prefault({}),
  /** How its calls are guarded (AGT-RES-01); a part that is left out is its agent's. */
  resilience: callPolicy.default({}),
});
export type ToolPolicy = z.infer<typeof toolPolicy>;

/** Whose breaker, rate limit and slots they are, for a tool by the name agents call it. */
export const toolSubject = (name: string) => `tool:${name}`;

/** Whether a strategy gives two equal calls one key, so that the second is known for a repetition (IDEM-02). */
export function identifiesCalls(strategy: KeyStrategy): boolean {
  return strategy === "hash_input" || strategy === "explicit";
}

/** Whether the far side is told the key of each call: it keeps keys, or its owner said what they are made of (IDEM-05). */
export function sendsKey({ idempotency: { hint, strategy } }: ToolPolicy): boolean {
  return hint !== "none" || strategy !== "none";
}

/** `honours`: the tool's own word that a repeated call changes nothing more. It counts until an owner says otherwise. */
export function defaultPolicy({ honours }: { honours: boolean }): ToolPolicy {
  return toolPolicy.parse({ idempotency: { hint: honours ? "optional" : "none" } });
}
