import type { EntryStart } from "@/components/knowledge/write-entry-dialog";
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
  const { chosen, reason, source } = decision;
  const stated = SOURCES[source].word.toLowerCase();
  const choices = chosen.map((choice) =>
    choice.reason && choice.reason !== reason ? `- ${choice.label}: ${choice.reason}` : `- ${choice.label}`,
  );
  const parts = [
    choices.length > 0 && `Chosen:\n\n${choices.join("\n")}`,
    reason ? `Reason (${stated}):\n\n${quoted(reason)}` : choices.length > 0 && `Reason: ${stated}.`,
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

/** One line that fits. */
function titleOf(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();
  return line.length > MOST_TITLE_CHARACTERS ? `${line.slice(0, MOST_TITLE_CHARACTERS - 1).trimEnd()}…` : line;
}
