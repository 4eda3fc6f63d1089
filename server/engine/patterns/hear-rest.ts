import type { Execution } from "../execution";
import { type Asked, askRoot } from "./ask-root";
import { asMaterial, MATERIAL_RULE } from "./material";
import { readPlaced } from "./record";

/**
 * What people say when no agent is left to be told: the root's model is asked once for each time they do, and works it into the answer.
 * Where it cannot be asked the answer stays as it is, and the decision says why.
 * @param answer of the pattern
 * @param asked how often the pattern asked the root's model
 */
export async function hearRest(execution: Execution, answer: string, asked: number): Promise<Asked> {
  const replies = execution.steps.filter(({ kind, status }) => kind === "model" && status === "completed").length;
  let text = answer;
  for (let nth = asked; ; nth++) {
    const placed = await readPlaced(execution);
    if (nth >= replies && placed.unheard.length === 0) return { end: "answered", text };
    const prompt = promptOf(placed.standing.task, text, placed.unheard);
    const read = (reply: string) => ({
      ...{ text: reply, source: "policy" as const },
      reason:
        "Somebody said something when no agent was left to be told: the supervisor's model works it into the answer.",
    });
    const end = await askRoot(execution, placed, { prompt, read }, { nth, keepsAnswer: true });
    if (end.end === "failed") return { end: "answered", text };
    if (end.end === "overspent") return end;
    text = end.text;
  }
}

function promptOf(task: string, answer: string, said: readonly string[]): string {
  return [
    "Agents worked on the task, and came to the answer below. Then somebody said what follows it. Give the whole answer again, changed as far as what was said asks for it; answer with nothing else.",
    `<task>\n${task}\n</task>`,
    asMaterial("the agents", answer),
    MATERIAL_RULE,
    ...said,
  ].join("\n\n");
}
