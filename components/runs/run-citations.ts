type Node = {
  type: string;
  value?: string;
  children?: Node[];
  data?: { hName: string; hProperties?: { title: string } };
};

/** `docs/durability.md#effects` or `3` between brackets; not a Markdown link, which the parser has already taken. */
const SOURCE = String.raw`[^\][\s]*[./#][^\][\s]*|\d{1,3}`;
/** What stands between several sources in one pair of brackets. */
const BETWEEN = / ?[,;] ?/;
/** Text in these is shown as it is. */
const LITERAL = new Set(["code", "inlineCode", "link"]);

/**
 * A remark plugin: bracketed sources become `<cite>`. `known` marks are found whatever their names are made of (spaces,
 * brackets), also several between one pair of brackets, and also where the model has set them as code.
 */
export function markCitations(known: readonly string[] = []) {
  const pattern = bracketed(known);
  const marks = new Map(known.map((mark) => [mark.replaceAll(/\s+/g, " "), mark]));
  return (tree: Node) => mark(tree, { pattern, marks });
}

type Reading = { pattern: RegExp; marks: ReadonlyMap<string, string> };

function bracketed(known: readonly string[]): RegExp {
  // The longest first, so that "a.md#12" is not read as "a.md#1". A line may break within a name.
  const escaped = [...known]
    .sort((a, b) => b.length - a.length)
    .map((mark) => mark.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`));
  const one = escaped.length > 0 ? `(?:${escaped.join("|")})` : "(?!)";
  return new RegExp(String.raw`\[(${one}(?:\s*[,;]\s*${one})*|${SOURCE})\](?!\()`, "g");
}

function mark(node: Node, reading: Reading): void {
  if (!node.children || LITERAL.has(node.type)) return;
  node.children = node.children.flatMap((child) => {
    if (child.type === "text" && child.value) return split(child.value, reading);
    if (child.type === "inlineCode" && child.value && namesKnown(child.value, reading)) {
      return split(child.value, reading);
    }
    mark(child, reading);
    return [child];
  });
}

/** Code that holds known marks and nothing else. */
function namesKnown(code: string, { pattern, marks }: Reading): boolean {
  const rest = code.replaceAll(pattern, (whole, inside: string) =>
    [inside, ...inside.split(BETWEEN)].some((one) => marks.has(one)) ? "" : whole,
  );
  return rest !== code && rest.trim() === "";
}

function split(text: string, { pattern, marks }: Reading): Node[] {
  const parts: Node[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) parts.push({ type: "text", value: text.slice(from, match.index) });
    parts.push(...citations((match[1] ?? "").replaceAll(/\s+/g, " "), marks));
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ type: "text", value: text.slice(from) });
  return parts;
}

function citations(inside: string, marks: Reading["marks"]): Node[] {
  const several = marks.has(inside) ? [inside] : inside.split(BETWEEN);
  const all = several.length > 1 && several.every((one) => marks.has(one)) ? several : [inside];
  return all.flatMap((one, index) => {
    const cite: Node = {
      type: "citation",
      data: { hName: "cite" },
      children: [{ type: "text", value: marks.get(one) ?? one }],
    };
    return index > 0 ? [{ type: "text", value: " " }, cite] : [cite];
  });
}
