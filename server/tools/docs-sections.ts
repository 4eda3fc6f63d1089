import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Section } from "./text-index";

/** README.md and docs/**.md, cut at their headings. Decision records explain the code, not the product: left out. */
export function readDocsSections(root = repositoryRoot()): Section[] {
  const pages = existsSync(join(root, "docs"))
    ? readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
        .map((path) => join("docs", path).replaceAll("\\", "/"))
        .filter((path) => path.endsWith(".md") && !path.startsWith("docs/decisions/"))
        .sort()
    : [];
  const readme = existsSync(join(root, "README.md")) ? ["README.md"] : [];
  return [...readme, ...pages].flatMap((path) =>
    sectionsOf(path, readFileSync(join(/*turbopackIgnore: true*/ root, path), "utf8")),
  );
}

/** A section a heading; its citation is the address of that heading, so it stays the same while the text changes. */
export function sectionsOf(path: string, markdown: string): Section[] {
  const sections: Section[] = [];
  const used = new Map<string, number>();
  let page = path;
  let open: { title: string; anchor: string; lines: string[] } = { title: path, anchor: "", lines: [] };
  const close = () => {
    const text = open.lines.join("\n").trim();
    const title = open.title === page ? page : `${page}: ${open.title}`;
    if (text) sections.push({ citation: `[${path}${open.anchor}]`, title, text });
  };
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const heading = isCode ? null : /^(#{1,3})\s+(.+?)\s*$/.exec(line);
    if (!heading?.[1] || !heading[2]) {
      open.lines.push(line);
      continue;
    }
    close();
    const title = heading[2].replaceAll("`", "");
    if (heading[1].length === 1) page = title;
    open = { title, anchor: heading[1].length === 1 ? "" : `#${anchorOf(title, used)}`, lines: [] };
  }
  close();
  return sections;
}

/** As GitHub makes them, so that a citation can be opened. */
function anchorOf(title: string, used: Map<string, number>): string {
  const base = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .replace(/\s/g, "-");
  const times = used.get(base) ?? 0;
  used.set(base, times + 1);
  return times === 0 ? base : `${base}-${times}`;
}

/** Upwards from where the process runs: a bundled file no longer knows where it came from. */
function repositoryRoot(): string {
  for (let at = process.cwd(); ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at;
    if (dirname(at) === at) return process.cwd();
  }
}
