import type { StoredEventBody } from "../events";
import type { JournalUnit } from "./unit";

/** Several units as one commit; later values win where only one can be. */
export function merged(...units: JournalUnit[]): JournalUnit {
  const result: Record<string, unknown> = {};
  for (const unit of units) {
    for (const [key, value] of Object.entries(unit)) {
      const before = result[key];
      if (Array.isArray(value)) result[key] = [...((before as unknown[]) ?? []), ...value];
      else if (value) result[key] = { ...(before as object), ...value };
    }
  }
  return result as JournalUnit;
}

/** A run event, typed. */
export function runEvent(body: StoredEventBody): NonNullable<JournalUnit["events"]>[number] {
  return { agentRunId: null, body };
}
