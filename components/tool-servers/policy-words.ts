import { policyWords as guardWords } from "@/components/resilience/policy-words";
import { formatSpan } from "@/components/ui/format";
import { effectivePolicy } from "@/server/engine/resilience/policy";
import { identifiesCalls, type ToolPolicy } from "@/server/tools/tool-policy";

/** How a tool is called, in sentences: what follows from its settings together. */
export function policyWords({ timeoutMs, idempotency, resilience }: ToolPolicy, writes: boolean): string[] {
  return [
    `A call is given up after ${formatSpan(timeoutMs)}.`,
    ...(writes ? [sameCallWords(idempotency), hitWords(idempotency), keyWords(idempotency)] : []),
    Object.keys(resilience).length === 0
      ? null
      : `Guarded by: ${guardWords(effectivePolicy(resilience), usualRetry(writes, idempotency)).join(", ")}. What is off here is as its agents say.`,
  ].filter((words) => words !== null);
}

/** The same in a few words; null where it is called as usual. */
export function policySummary({ timeoutMs, idempotency, resilience }: ToolPolicy, writes: boolean): string | null {
  const { strategy, hint, ttlSeconds } = idempotency;
  const parts = [
    ...(timeoutMs === USUAL_TIMEOUT_MS ? [] : [`given up after ${formatSpan(timeoutMs)}`]),
    ...(writes && identifiesCalls(strategy) ? [`same call once in ${formatSpan(ttlSeconds * 1000)}`] : []),
    ...(writes && hint === "required" ? ["key required"] : []),
    ...(Object.keys(resilience).length > 0
      ? guardWords(effectivePolicy(resilience), usualRetry(writes, idempotency))
      : []),
  ];
  return parts.length > 0 ? parts.join(", ") : null;
}

/** What is done where nobody says otherwise: a call that may do something twice is never made again by itself. */
function usualRetry(writes: boolean, { hint }: Idempotency): string {
  return writes && hint !== "none" ? "2 retries, first after 0.2 s" : "no retries";
}

const USUAL_TIMEOUT_MS = 60_000;

const quoted = (names: readonly string[]) => names.map((name) => `“${name}”`);

type Idempotency = ToolPolicy["idempotency"];

const PLACES: Record<Idempotency["scope"], string> = {
  workspace: ", in whatever run,",
  run: " in the same run",
  turn: " in the same turn of an agent",
};

function sameCallWords({ strategy, fields, scope }: Idempotency): string | null {
  if (strategy === "none") return "Every call is made, also one with the same arguments as another.";
  if (strategy === "uuid") return "Every call is made, each with a random key.";
  const same =
    strategy === "hash_input" ? "the same arguments" : `the same ${quoted(fields).join(" and ") || "fields"}`;
  return `Calls with ${same}${PLACES[scope]} are one call.`;
}

function hitWords({ strategy, ttlSeconds, onHit, cacheFailures }: Idempotency): string | null {
  if (!identifiesCalls(strategy)) return null;
  const span = formatSpan(ttlSeconds * 1000);
  if (onHit === "fail_fast") {
    const which = cacheFailures ? "one that was made" : "one that succeeded";
    return `For ${span} after ${which}, the same call is refused, and the agent is told.`;
  }
  const failed = cacheFailures && onHit === "return_cached" ? "A failure, too." : "One that failed is made again.";
  return `For ${span} the agent gets what it came to before, and nothing is sent. ${failed}`;
}

function keyWords({ hint, strategy }: Idempotency): string {
  if (hint === "none") {
    const sent = strategy === "none" ? "" : " It is sent the key all the same.";
    return `The server keeps no keys: after a crash in the middle of a call a person is asked what happened.${sent}`;
  }
  const again = "The server does what one key asks for once: after a crash the call is sent again under its key.";
  return hint === "required" ? `${again} A call whose key is missing is not sent.` : again;
}
