import { splitAt } from "./found";

type Node = { type: string; value?: string; children?: Node[]; data?: { hName: string } };

/** Files that are turned into Markdown when they are read (server/retrieval). */
export function isConverted(documentName: string): boolean {
  return /\.(docx|html?)$/i.test(documentName);
}

/** A remark plugin: every occurrence of what was looked for is marked. */
export function markFound(search: string) {
  return (tree: Node) => {
    if (search) mark(tree, search);
  };
}

function mark(node: Node, search: string): void {
  node.children = node.children?.flatMap((child) => {
    if (child.type === "text" && child.value) {
      return splitAt(child.value, search).map(({ part, isFound }): Node => {
        const text = { type: "text", value: part };
        return isFound ? { type: "found", data: { hName: "mark" }, children: [text] } : text;
      });
    }
    mark(child, search);
    return [child];
  });
}

/** The text without its marks, for a few lines in a list; a table becomes its cells. */
export function withoutMarks(text: string): string {
  return text
    .replaceAll(/^[ \t]*\|?([ \t]*:?-{3,}:?[ \t]*\|)+[ \t]*:?-*:?[ \t]*$/gm, "")
    .replaceAll(/^ {0,3}(#{1,6}|>|[-*+]|\d+\.)[ \t]+/gm, "")
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, "$1")
    .replaceAll(/(\*\*|__|~~|`)(?=\S)(.+?)\1/g, "$2")
    .replaceAll(/(?<![\w*])([*_])(?=\S)([^*_\n]+)\1(?![\w*])/g, "$2")
    .replaceAll(/^[ \t]*\|[ \t]*|[ \t]*\|[ \t]*$/gm, "")
    .replaceAll(/[ \t]*\|[ \t]*/g, " · ")
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!|>~])/g, "$1")
    .replaceAll(/\n\s*\n/g, "\n")
    .trim();
}
