import { styleText } from "node:util";
import type { CheckState, Report } from "@/server/system/schema";

const SIGNS: Record<CheckState, { sign: string; word: string; colour: "green" | "yellow" | "red" | "gray" }> = {
  ok: { sign: "✓", word: "ok", colour: "green" },
  warning: { sign: "!", word: "warning", colour: "yellow" },
  problem: { sign: "✗", word: "problem", colour: "red" },
  unknown: { sign: "?", word: "unknown", colour: "gray" },
};

/** One line a check, problems first; advice and facts under what is not well. */
export function printReport({ checks }: Report, print: (line: string) => void = console.log): void {
  const width = Math.max(...checks.map(({ title }) => title.length));
  for (const { title, state, says, advice, facts } of checks) {
    const { sign, word, colour } = SIGNS[state];
    print(`${styleText(colour, `${sign} ${word.padEnd(7)}`)}  ${title.padEnd(width)}  ${says}`);
    if (state === "ok") continue;
    const indent = " ".repeat(width + 13);
    if (advice) print(`${indent}→ ${advice}`);
    for (const { label, value } of facts) print(styleText("gray", `${indent}  ${label}: ${value}`));
  }
  const count = (state: CheckState) => checks.filter((check) => check.state === state).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  print("");
  print(
    problems + warnings === 0
      ? "Nothing is wrong."
      : `${problems} ${problems === 1 ? "problem" : "problems"}, ${warnings} ${warnings === 1 ? "warning" : "warnings"}.`,
  );
}
