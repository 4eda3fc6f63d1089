import type { EntryStart } from "@/components/knowledge/write-entry-dialog";
import { reasonsOf } from "@/components/runs/inspector/decision-parts";
import { decisionTitle } from "@/components/runs/run-labels";
import { decisionKey } from "@/components/runs/run-nodes";
import { SOURCES } from "@/components/ui/status";
import type { DecisionRow } from "@/server/engine/events";
import { MOST_TITLE_CHARACTERS } from "@/server/knowledge/entry-schema";

type Text = { runId: string; place: string | null; title: string; text: string };

/** An answer, or what a step came to, as the beginning of an entry. What kind it is, the person says. */
export function entryOfText({ runId, place, title, text }: Text): EntryStart {
  return { title: titleOf(title), text, entryKind: "", from: { runId, place } };
}

/** A decision as the beginning of an entry, with whose words its reason is in: a claim is not written down as a fact. */
export function entryOfDecision(runId: string, decision: DecisionRow): EntryStart {
  const { chosen, source } = decision;
  const stated = SOURCES[source].word.toLowerCase();
  const reasons = reasonsOf(decision).map(({ label, reason }) => quoted(label ? `${label}: ${reason}` : reason));
  const parts = [
    chosen.length > 0 && `Chosen: ${chosen.map(({ label }) => label).join(", ")}`,
    reasons.length > 0 ? `Reason (${stated}):\n\n${reasons.join("\n>\n")}` : `Reason: ${stated}.`,
  ];
  return {
    title: titleOf(decisionTitle(decision)),
    text: parts.filter((part) => part !== false).join("\n\n"),
    entryKind: "decision",
    from: { runId, place: decisionKey(decision.id) },
  };
}

const quoted = (text: string) =>
  text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

/** One line that fits, cut inside no character. */
function titleOf(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();
  if (line.length <= MOST_TITLE_CHARACTERS) return line;
  const begun = line.slice(0, MOST_TITLE_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/, "");
  return `${begun.trimEnd()}…`;
}
