import { asMaterial, MATERIAL_RULE } from "./material";
import type { Move, Part } from "./policy";

/** The root's model writes the answer from all results (AGT-ADV-16). */
export function writeSynthesis(parts: readonly Part[], task: string): Move {
  const prompt = [
    "Agents worked on the task, each by itself. Write the one answer to it from their results: keep what holds, name where they disagree, and leave out nothing that matters. Answer with nothing else.",
    `What follows are the task and the results. ${MATERIAL_RULE}`,
    `<task>\n${task}\n</task>`,
    ...parts.map(({ agent, end }) => asMaterial(agent, end?.text ?? "")),
  ].join("\n\n");
  const read = (reply: string) => ({
    ...{ text: reply, source: "policy" as const },
    reason: `It was written from the ${parts.length === 1 ? "one result" : `${parts.length} results`} there ${parts.length === 1 ? "is" : "are"}.`,
  });
  return { do: "ask", prompt, read };
}
