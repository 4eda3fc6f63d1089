import { formatCount, formatDuration } from "@/components/ui/format";
import type { StepError, StepRow } from "@/server/engine/events";
import type { ErrorDetails } from "@/server/engine/resilience/error-details";

/** What is known of an error beside its words, for people. */
export function errorFacts(details: ErrorDetails): { word: string; value: string }[] {
  const { type, delayMs, attempts, retryAfterMs, remainingQuota, allowedTokens, actualTokens, host, port } = details;
  return [
    ...(type === null ? [] : [{ word: "Type", value: type }]),
    ...(details.httpStatus === undefined ? [] : [{ word: "HTTP status", value: String(details.httpStatus) }]),
    ...(allowedTokens === undefined ? [] : [{ word: "Takes at most", value: `${formatCount(allowedTokens)} tokens` }]),
    ...(actualTokens === undefined ? [] : [{ word: "Was sent", value: `${formatCount(actualTokens)} tokens` }]),
    ...(host === undefined ? [] : [{ word: "Far side", value: port === undefined ? host : `${host}:${port}` }]),
    ...(details.timeoutMs === undefined ? [] : [{ word: "Time limit", value: formatDuration(details.timeoutMs) }]),
    ...(retryAfterMs === undefined ? [] : [{ word: "Asked to wait", value: formatDuration(retryAfterMs) }]),
    ...(remainingQuota === undefined ? [] : [{ word: "Calls left", value: formatCount(remainingQuota) }]),
    {
      word: "Worth a retry",
      value: attempts === 0 ? "No" : `Up to ${attempts} times, after ${formatDuration(delayMs)}; the policy decides`,
    },
  ];
}

/** AGT-ERR-08: all of it in one line, to send to somebody. */
export function errorLine({ kind, name, error }: Pick<StepRow, "kind" | "name"> & { error: StepError }): string {
  const { code, stableCode, category, retryable, message } = error;
  const parts = [
    `[${kind.toUpperCase()}] '${name}' failed: ${message.replace(/\s+/g, " ")}`,
    ...(category ? [category] : []),
    ...(retryable === undefined ? [] : [retryable ? "may pass" : "does not pass"]),
    stableCode ? `${stableCode} (${code})` : code,
  ];
  return parts.join(" | ");
}
