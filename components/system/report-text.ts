import { formatPlural } from "@/components/ui/format";
import type { CheckState, Report } from "@/server/system/schema";

export const STATE_WORDS: Record<CheckState, string> = {
  problem: "Problem",
  warning: "Warning",
  unknown: "Unknown",
  ok: "OK",
};

/** "1 problem, 2 warnings.", or that nothing is wrong. */
export function headline({ checks }: Report): string {
  const count = (state: CheckState) => checks.filter((check) => check.state === state).length;
  const words = [
    ...(count("problem") > 0 ? [formatPlural(count("problem"), "problem")] : []),
    ...(count("warning") > 0 ? [formatPlural(count("warning"), "warning")] : []),
  ];
  return words.length > 0 ? `${words.join(", ")}.` : "Nothing is wrong.";
}

/** The report as somebody pastes it when asking for help. */
export function toMarkdown(report: Report): string {
  const lines = [`# Troupe, ${report.at}`, "", headline(report), ""];
  for (const { title, state, says, advice, facts } of report.checks) {
    lines.push(`- **${title}**: ${STATE_WORDS[state]}. ${says}${advice ? ` ${advice}` : ""}`);
    for (const { label, value } of facts) lines.push(`  - ${label}: ${value}`);
  }
  return `${lines.join("\n")}\n`;
}
