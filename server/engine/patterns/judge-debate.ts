import { z } from "zod";
import { asMaterial, MATERIAL_RULE } from "./material";
import type { Conclusion, Move, Part } from "./policy";
import { readJson } from "./read-json";

const verdict = z.object({ agent: z.string(), reason: z.string().trim().min(1) });

/** The root's model chooses which contribution stands, word for word, and says why. */
export function judgeDebate(contributions: readonly Part[], task: string): Move {
  const prompt = [
    "Agents debated the task and still disagree. Judge: whose answer does best what was asked, and is best supported by what was said? Length and confidence count for nothing.",
    'Answer with a JSON object and nothing else: {"agent": "name of the agent whose answer stands", "reason": "one or two sentences"}',
    `What follows are the task and the last answer of each. ${MATERIAL_RULE}`,
    `<task>\n${task}\n</task>`,
    ...contributions.map(({ agent, end }) => asMaterial(agent, end?.text ?? "")),
  ].join("\n\n");
  return { do: "ask", prompt, read: (reply) => conclusionOf(contributions, readJson(verdict, "{}", reply)) };
}

/** Where the verdict names nobody who debated, the first in the order of the team stands. */
function conclusionOf(contributions: readonly Part[], given: z.infer<typeof verdict> | null): Conclusion {
  const named = contributions.find(({ agent }) => agent === given?.agent);
  const winner = named ?? contributions[0];
  if (!winner) throw new Error("nothing to judge");
  const reason = named && given ? given.reason : null;
  return {
    text: winner.end?.text ?? "",
    source: named ? "model-stated" : "policy",
    reason: reason ?? "The verdict could not be read: the first answer in the order of the team stands.",
    chosen: { option: `agent:${winner.agent}`, label: winner.agent, position: null, reason },
  };
}
