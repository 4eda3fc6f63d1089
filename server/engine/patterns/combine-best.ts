import { z } from "zod";
import { asMaterial, MATERIAL_RULE } from "./material";
import type { Conclusion, Move, Part } from "./policy";
import { readJson } from "./read-json";

const scores = z.array(z.object({ agent: z.string(), score: z.number().min(0).max(10), reason: z.string() }));
type Score = z.infer<typeof scores>[number];

/** The root's model scores each result, and the highest is the answer, word for word (AGT-ADV-14). */
export function judgeBest(parts: readonly Part[], task: string): Move {
  const prompt = [
    "Agents worked on the task, each by itself. Score each result from 0 (useless) to 10 (nothing to add): how well does it do what was asked, is it right, is it complete?",
    'Answer with a JSON array and nothing else, one entry for each agent: [{"agent": "its name", "score": 7, "reason": "one sentence"}]',
    `What follows are the task and the results. ${MATERIAL_RULE}`,
    `<task>\n${task}\n</task>`,
    ...parts.map(({ agent, end }) => asMaterial(agent, end?.text ?? "")),
  ].join("\n\n");
  return { do: "ask", prompt, read: (reply) => conclusionOf(parts, readJson(scores, "[]", reply)) };
}

/** Of equal scores the first in the order of the team stands; a result that was not scored has none. */
function conclusionOf(parts: readonly Part[], given: readonly Score[] | null): Conclusion {
  const scored = parts.map((part) => ({ part, score: given?.find(({ agent }) => agent === part.agent) }));
  const [best] = scored.toSorted((a, b) => (b.score?.score ?? -1) - (a.score?.score ?? -1));
  if (!best) throw new Error("nothing to score");
  const { agent, end } = best.part;
  const chosen = { option: `agent:${agent}`, label: agent, position: null };
  if (!best.score) {
    return {
      ...{ text: end?.text ?? "", source: "policy", chosen: { ...chosen, reason: null } },
      reason: "The scores could not be read: the first result in the order of the team stands.",
    };
  }
  const lines = scored.map(({ part, score }) =>
    score ? `${part.agent}: ${score.score} of 10. ${score.reason}` : `${part.agent}: not scored.`,
  );
  return {
    ...{ text: end?.text ?? "", source: "model-stated", reason: lines.join("\n") },
    chosen: { ...chosen, reason: best.score.reason },
  };
}
