import type { ToolSpec } from "./model";
import type { Next, PastCall } from "./rehearsal";
import {
  bestSentences,
  type CitedSentence,
  citedSentencesOf,
  keywordsOf,
  overlap,
  type Passage,
  passagesIn,
} from "./rehearsal-text";

type Agent = { task: string; instructions: string; tools: readonly ToolSpec[]; past: readonly PastCall[] };

/** Fewer passages than this is "found little", and a second search with other words follows. */
const ENOUGH_PASSAGES = 2;
const KEYWORDS_A_SEARCH = 8;
/** Share of a claim's words a passage must hold to support it. */
const SUPPORT = 0.45;

/** The next step of an agent that can search; undefined for one that cannot. */
export function nextOfAgent({ task, instructions, tools, past }: Agent): Next | undefined {
  const search = searchTool(tools);
  if (!search) return undefined;
  const request = requestIn(task);
  const words = keywordsOf(request);
  const searches = past.filter((call) => call.name === search.tool.name);
  const passages = searches.flatMap((call) => passagesIn(call.result));
  if (searches.length === 0) return searchFor(search, words.slice(0, KEYWORDS_A_SEARCH), "first search for the task");
  const others = [...words].sort((a, b) => b.length - a.length).slice(0, Math.ceil(words.length / 2));
  if (searches.length === 1 && passages.length < ENOUGH_PASSAGES && others.length > 0) {
    return searchFor(search, others, "the first search found little");
  }
  const isChecker = /\b(fact|check|verif)/i.test(instructions);
  return { text: isChecker ? reportSupport(task, words, passages) : reportFindings(words, passages) };
}

type SearchTool = { tool: ToolSpec; parameter: string };

/** A tool whose one required argument is a string called query or q. A required reason is ours, not the tool's. */
function searchTool(tools: readonly ToolSpec[]): SearchTool | undefined {
  for (const tool of tools) {
    const required = (Array.isArray(tool.parameters.required) ? tool.parameters.required : []).filter(
      (name) => name !== "reason",
    );
    const parameter: unknown = required[0];
    if (required.length === 1 && (parameter === "query" || parameter === "q")) return { tool, parameter };
  }
  return undefined;
}

function searchFor({ tool, parameter }: SearchTool, words: string[], why: string): Next {
  const query = words.join(" ");
  return {
    text: `Searching for: ${query}`,
    calls: [{ name: tool.name, arguments: { [parameter]: query, reason: `Rehearsal rule: ${why}.` } }],
  };
}

function reportFindings(words: readonly string[], passages: readonly Passage[]): string {
  const sentences = bestSentences(passages, words, 8);
  if (sentences.length === 0) return "No passage was found for this task.";
  return `Found in ${new Set(passages.map((passage) => passage.mark)).size} passages:\n\n${list(sentences)}`;
}

/** Claims are the cited sentences of the task, or else what the passages say; each is held against every other passage. */
function reportSupport(task: string, words: readonly string[], passages: readonly Passage[]): string {
  const given = citedSentencesOf(task);
  const claims = given.length > 0 ? given : bestSentences(passages, words, 6);
  if (claims.length === 0) return "No passage was found, so nothing could be checked.";
  const lines = claims.map((claim) => {
    const claimWords = keywordsOf(claim.text);
    const others = passages.filter(({ text }) => !text.includes(claim.text) && overlap(claimWords, text) >= SUPPORT);
    const stated = passages.some(({ text }) => text.replace(/\s+/g, " ").includes(claim.text)) || given.length === 0;
    const marks = [...new Set([...(stated ? [claim.mark] : []), ...others.map((passage) => passage.mark)])].slice(0, 2);
    if (marks.length === 0) return `- Not supported by any passage found: “${claim.text}”`;
    return `- ${marks.length > 1 ? "Supported" : "Only here"}: ${claim.text} ${marks.join(" ")}`;
  });
  return `Checked ${claims.length} claims against ${passages.length} passages:\n\n${lines.join("\n")}`;
}

/**
 * An answer out of the findings in a prompt, citations kept. "Short" and "detailed" count where the prompt speaks of
 * the answer, before the findings: the findings may use the same words about something else.
 */
export function composeAnswer(prompt: string): string {
  const [head = "", ...findings] = prompt.split(/^Findings/m);
  const cited = citedSentencesOf(findings.length > 0 ? findings.join("\n") : prompt);
  if (cited.length === 0) return "The findings hold no passage to cite, so there is no answer to give.";
  const words = keywordsOf(requestIn(prompt));
  const ranked = cited
    .map((sentence) => ({ ...sentence, score: overlap(words, sentence.text) }))
    .sort((a, b) => b.score - a.score);
  if (/\bshort/i.test(head)) return list(ranked.slice(0, 3));
  if (/\bdetailed\b/i.test(head)) return list(ranked.slice(0, 12));
  return list(ranked.slice(0, 6));
}

/** The request inside a prompt: what follows "Request:", or else all of it. */
export function requestIn(prompt: string): string {
  return /^Request:\s*(.+)$/m.exec(prompt)?.[1] ?? prompt;
}

function list(sentences: readonly CitedSentence[]): string {
  return sentences.map(({ text, mark }) => `- ${text} ${mark}`).join("\n");
}
