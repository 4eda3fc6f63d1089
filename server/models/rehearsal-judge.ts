import { citedSentencesIn } from "./rehearsal-text";

/** Asked for a verdict or for scores in JSON, it counts citations: the result with most of them is the best, of equal ones the first. */
export function judgeByCitations(prompt: string): string | null {
  const isVerdict = prompt.startsWith("Agents debated ");
  if (!isVerdict && !prompt.includes("Answer with a JSON array")) return null;
  const results = [...prompt.matchAll(/^<result of="(.+)">\n([\s\S]*?)\n<\/result>$/gm)].map(
    ([, agent = "", text = ""]) => ({
      agent,
      citations: citedSentencesIn(text).length,
    }),
  );
  const words = (citations: number) => `It holds ${citations} cited ${citations === 1 ? "sentence" : "sentences"}.`;
  if (!isVerdict) {
    const scores = results.map(({ agent, citations }) => ({
      ...{ agent, score: Math.min(10, citations), reason: words(citations) },
    }));
    return JSON.stringify(scores);
  }
  const [best] = results.toSorted((a, b) => b.citations - a.citations);
  return best ? JSON.stringify({ agent: best.agent, reason: words(best.citations) }) : null;
}
