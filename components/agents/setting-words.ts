import { policyWords, USUAL_TOOL_RETRY } from "@/components/resilience/policy-words";
import { formatCount, formatPlural, formatSpan } from "@/components/ui/format";
import type { AgentConfig } from "@/server/agents/schema";
import { effectivePolicy } from "@/server/engine/resilience/policy";
import { USUAL } from "./agent-values";

/** The settings few people change, in words that fit one line. Each of these is null where all of it is as usual. */

/** What it does with long results of its agents. */
export function condensingWords({
  summarizationThreshold: from,
  summarizationModel: model,
}: AgentConfig): string | null {
  if (from === null) return "long results never condensed";
  if (from === USUAL.summarizationThreshold && model === null) return null;
  return `results condensed from ${formatCount(from || 0)} characters${by(model)}`;
}

/** Its todo list, and how it is sent on. */
export function todoWords(config: AgentConfig): string | null {
  if (!config.autoContinue) return null;
  const prompt = config.continuationPrompt === null ? "" : ", in words of its own";
  const guidance = config.injectTodoInstructions ? "" : ", without guidance";
  return `keeps a todo list, sent on up to ${formatPlural(config.maxAutoContinues || 0, "time")}${prompt}${guidance}`;
}

/** Whether it notes what its run is about. */
export function contextWords({ notesContext }: AgentConfig): string | null {
  return notesContext ? "notes variables and entities" : null;
}

/** Whether it tells of things in events of its own. */
export function publishingWords({ publishesEvents }: AgentConfig): string | null {
  return publishesEvents ? "publishes events" : null;
}

/** Whom it asks, and for how long. */
export function escalationWords({ escalationTimeoutMs: waits }: AgentConfig): string | null {
  if (waits === USUAL.escalationTimeoutMs) return null;
  return waits > 0 ? `agents above have ${formatSpan(waits)} to answer` : "asks a person at once";
}

/** How long people may take to answer what it asks. */
export function deadlineWords({ questionTimeoutMs, approvalTimeoutMs }: AgentConfig): string | null {
  const parts = [
    ...(questionTimeoutMs === null ? [] : [`people have ${formatSpan(questionTimeoutMs)} to answer`]),
    ...(approvalTimeoutMs === null ? [] : [`calls refused after ${formatSpan(approvalTimeoutMs)} without an answer`]),
  ];
  return parts.length > 0 ? parts.join(", ") : null;
}

/** How calls of its tools are guarded. */
export function toolPolicyWords({ toolResilience }: AgentConfig): string | null {
  if (Object.keys(toolResilience).length === 0) return null;
  return policyWords(effectivePolicy(toolResilience), USUAL_TOOL_RETRY).join(", ");
}

/** When a repeated call is refused. */
export function guardWords({ maxRepeatedCalls: most }: AgentConfig): string | null {
  return most === null ? null : `same call at most ${formatPlural(most || 0, "time")} in a row`;
}

/** What becomes of a conversation that grows long. */
export function compactionWords({ compaction }: AgentConfig): string | null {
  const usual = USUAL.compaction;
  if (!compaction.enabled) return "never condensed";
  const parts = [
    ...(compaction.thresholdRatio === usual.thresholdRatio ? [] : [`at ${percent(compaction.thresholdRatio)}`]),
    ...(compaction.preserveLastN === usual.preserveLastN
      ? []
      : [`keeping the newest ${formatPlural(compaction.preserveLastN || 0, "message")}`]),
    ...(compaction.minMessages === usual.minMessages
      ? []
      : [`from ${formatPlural(compaction.minMessages || 0, "message")}`]),
    ...(compaction.model === null ? [] : [by(compaction.model).trim()]),
    ...(compaction.maxSummaryTokens === usual.maxSummaryTokens
      ? []
      : [`into ${formatPlural(compaction.maxSummaryTokens || 0, "token")}`]),
    ...(compaction.prompt === null ? [] : ["in words of its own"]),
  ];
  return parts.length > 0 ? `condensed ${parts.join(", ")}` : null;
}

/** "80 %". */
export function percent(share: number): string {
  return `${Math.round((share || 0) * 100)} %`;
}

/** Those that are not null, as one line that begins like a sentence; `usual` where all are. */
export function summaryOf(parts: readonly (string | null)[], usual: string): string {
  const told = parts.filter((part) => part !== null).join("; ") || usual;
  return told.charAt(0).toUpperCase() + told.slice(1);
}

const by = (model: string | null) => (model === null ? "" : ` by ${model}`);
