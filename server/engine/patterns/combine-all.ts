import type { Move, Part } from "./policy";

/** All results under the names of their agents; who came to none is said, too (AGT-ADV-12). */
export function combineAll(parts: readonly Part[]): Move {
  const sections = parts.map(({ agent, end }) =>
    end?.status === "completed"
      ? `## ${agent}\n\n${end.text}`
      : `## ${agent}\n\nNo result: ${end?.reason ?? end?.status}`,
  );
  const done = parts.filter(({ end }) => end?.status === "completed").length;
  const reason = `${done} of ${parts.length} agents came to a result; their answers stand side by side.`;
  return { do: "answer", text: sections.join("\n\n"), reason, source: "policy" };
}
