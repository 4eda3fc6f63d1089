type Node = { type: string; value?: string; children?: Node[]; data?: { hName: string } };

/** `[docs/durability.md#effects]` or `[3]`; not a Markdown link, which the parser has already taken. */
const CITATION = /\[([^\][\s]*[./#][^\][\s]*|\d{1,3})\](?!\()/g;
/** Text in these is shown as it is. */
const LITERAL = new Set(["code", "inlineCode", "link"]);

/** A remark plugin: bracketed sources become `<cite>`. */
export function markCitations() {
  return (tree: Node) => mark(tree);
}

function mark(node: Node): void {
  if (!node.children || LITERAL.has(node.type)) return;
  node.children = node.children.flatMap((child) => {
    if (child.type === "text" && child.value) return split(child.value);
    mark(child);
    return [child];
  });
}

function split(text: string): Node[] {
  const parts: Node[] = [];
  let from = 0;
  for (const match of text.matchAll(CITATION)) {
    if (match.index > from) parts.push({ type: "text", value: text.slice(from, match.index) });
    parts.push({ type: "citation", data: { hName: "cite" }, children: [{ type: "text", value: match[1] ?? "" }] });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ type: "text", value: text.slice(from) });
  return parts;
}
