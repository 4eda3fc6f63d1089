/** A text with every occurrence of what was looked for marked. */
export function Found({ text, search }: { text: string; search: string }) {
  return splitAt(text, search).map(({ part, isFound, at }) => (isFound ? <mark key={at}>{part}</mark> : part));
}

/** The text in parts, in order; `at` is where a part begins. */
export function splitAt(text: string, search: string): { part: string; isFound: boolean; at: number }[] {
  if (!search) return [{ part: text, isFound: false, at: 0 }];
  const pattern = new RegExp(search.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), "gi");
  const parts: { part: string; isFound: boolean; at: number }[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) parts.push({ part: text.slice(from, match.index), isFound: false, at: from });
    parts.push({ part: match[0], isFound: true, at: match.index });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ part: text.slice(from), isFound: false, at: from });
  return parts;
}
