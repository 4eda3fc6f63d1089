/**
 * What makes two answers the same: they may differ in case, spacing, quotes or emphasis around them, and punctuation at their end
 * (AGT-ADV-15).
 */
export function normalised(answer: string): string {
  return answer
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replace(/^["'“”‘’*_`\s]+/, "")
    .replace(/["'“”‘’*_`\s.!?…]+$/, "");
}
