import type { ToolSpec } from "./model";
import type { Next, PastCall } from "./rehearsal";
import {
  bestSentences,
  type Cited,
  citedSentencesIn,
  covering,
  keywordsOf,
  overlap,
  passagesIn,
} from "./rehearsal-text";

type Agent = { task: string; instructions: string; tools: readonly ToolSpec[]; past: readonly PastCall[] };

/** Fewer passages than this is "found little", and a second search with other words follows. */
const ENOUGH_PASSAGES = 2;
const KEYWORDS_A_SEARCH = 8;
/** Share of a claim's words a passage must hold to support it. */
const SUPPORT = 0.5;

/** The next step of an agent that can search; undefined for one that cannot. */
export function nextOfSearcher({ task, instructions, tools, past }: Agent): Next | undefined {
  const searching = tools.filter((candidate) => queryParameter(candidate));
  // One's own documents before anything else that can be searched.
  const tool = searching.find(({ name }) => name === "knowledge_search") ?? searching[0];
  if (!tool) return undefined;
  const words = keywordsOf(requestIn(task));
  const searches = past.filter(({ name }) => name === tool.name);
  const passages = searches.flatMap(({ result }) => passagesIn(result));
  if (searches.length === 0)
    return searchFor(tool, words.slice(0, KEYWORDS_A_SEARCH), "The task is searched for first.");
  const longest = [...words].sort((a, b) => b.length - a.length).slice(0, Math.ceil(words.length / 2));
  if (searches.length === 1 && passages.length < ENOUGH_PASSAGES && words.length > 1) {
    return searchFor(tool, longest, "The first search found little.");
  }
  const isChecker = /\b(fact|check|verif)/i.test(instructions);
  return { text: isChecker ? reportSupport(task, words, passages) : reportFindings(words, passages) };
}

/** A search tool has one required argument, a string called query or q; a required reason does not count. */
function queryParameter({ parameters }: ToolSpec): string | undefined {
  const required = ((parameters.required ?? []) as string[]).filter((name) => name !== "reason");
  return required.length === 1 ? required.find((name) => name === "query" || name === "q") : undefined;
}

function searchFor(tool: ToolSpec, words: string[], reason: string): Next {
  const query = words.join(" ");
  const takesReason = "reason" in ((tool.parameters.properties ?? {}) as object);
  const args = { [queryParameter(tool) ?? "query"]: query, ...(takesReason ? { reason } : {}) };
  return { text: `Searching for: ${query}`, calls: [{ name: tool.name, arguments: args }] };
}

function reportFindings(words: readonly string[], passages: readonly Cited[]): string {
  const sentences = bestSentences(passages, words, 8);
  if (sentences.length === 0) return "No passage was found for this task.";
  return `Read ${passages.length} passages.\n\n${list(sentences)}`;
}

/** Claims are the cited sentences of the task, or else the best of the passages; each is held against every passage. */
function reportSupport(task: string, words: readonly string[], passages: readonly Cited[]): string {
  const given = citedSentencesIn(task);
  const claims = given.length > 0 ? given : bestSentences(passages, words, 6);
  if (claims.length === 0) return "No passage was found, so nothing could be checked.";
  const lines = claims.map((claim) => {
    const held = passages.map(({ text, mark }) => ({ mark, share: overlap(keywordsOf(claim.text), text) }));
    const supporting = held.filter(({ share }) => share >= SUPPORT).sort((a, b) => b.share - a.share);
    const marks = [...new Set(supporting.map(({ mark }) => mark))].slice(0, 2);
    return marks.length > 0 ? `- Supported: ${claim.text} ${marks.join(" ")}` : `- No passage supports “${claim.text}”`;
  });
  return `Checked ${claims.length} claims against ${passages.length} passages.\n\n${lines.join("\n")}`;
}

/**
 * An answer out of the findings in a prompt, citations kept. "Short" and "detailed" count only before the findings:
 * these may use the same words about something else.
 */
export function composeAnswer(prompt: string): string {
  const [head = "", ...findings] = prompt.split(/^Findings/m);
  const words = keywordsOf(requestIn(prompt));
  const cited = citedSentencesIn(findings.length > 0 ? findings.join("\n") : prompt);
  if (cited.length === 0) return "The findings hold no passage to cite, so there is no answer to give.";
  const count = /\bshort/i.test(head) ? 3 : /\bdetailed\b/i.test(head) ? 12 : 6;
  return list(covering(cited, words, count));
}

/** The request inside a prompt: what follows "Request:", or else all of it. */
export function requestIn(prompt: string): string {
  return /^Request:\s*(.+)$/m.exec(prompt)?.[1] ?? prompt;
}

function list(sentences: readonly Cited[]): string {
  return sentences.map(({ text, mark }) => `- ${text} ${mark}`).join("\n");
}
