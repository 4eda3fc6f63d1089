import { collectAll, spawn } from "./engine-scripts";
import type { Script } from "./scripted-model";

/** Agents that one supervisor has speak at the same time, each as fast as a quick model writes. */
export const TALKERS = 20;
export const TOKENS_PER_S = 50;
/** The shortest talk, 45 s long; each next one goes on for a second more, so that they end one after the other. */
const FEWEST_TOKENS = 45 * TOKENS_PER_S;
/** Of every piece of the wire. */
export const TOKEN_CHARACTERS = 8;

const TASK = /^Talk (\d+)$/;

/** What a talker says, each word its own number: a piece that is lost or comes out of order shows. */
export function talkOf(talker: number): string {
  const words = Array.from({ length: FEWEST_TOKENS + talker * TOKENS_PER_S }, (_, word) => `${talker}.${word}`);
  return words.map((word) => word.padEnd(TOKEN_CHARACTERS)).join("");
}

/** Whoever may start agents starts all talkers at once and collects them; a talker talks. */
export const talkers: Script = (request, { step }) => {
  const task = request.messages.findLast(({ role }) => role === "user")?.content ?? "";
  const [, talker] = TASK.exec(task) ?? [];
  if (talker) return { text: talkOf(Number(talker)), gapMs: 1000 / TOKENS_PER_S };
  const offered = request.tools?.find(({ function: { name } }) => name === "agent__spawn");
  const agent = offered?.function.parameters?.properties?.agent?.enum?.[0] ?? "";
  if (step === 0) return { calls: Array.from({ length: TALKERS }, (_, talker) => spawn(agent, `Talk ${talker}`)) };
  return step === 1 ? collectAll(request) : { text: "All have spoken." };
};
