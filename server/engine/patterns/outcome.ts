import { type Conclusion, type Part, STOPPED } from "./policy";

export function isDone({ end }: Part): boolean {
  return end?.status === "completed";
}

/** That nobody came to a result is an answer like any other, with what became of each (AGT-ADV-13…16). */
export function noResult(parts: readonly Part[], sentence: string): { do: "answer" } & Conclusion {
  const lines = parts.map(({ agent, end }) => `- ${agent}: ${end?.reason ?? STOPPED}`);
  return { do: "answer", text: [sentence, "", ...lines].join("\n"), reason: sentence, source: "policy" };
}
