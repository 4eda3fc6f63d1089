import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const FOLDERS = ["app", "components", "server", "prisma/seed", "tests"];
/** Published by others, and kept as they publish it. */
const NOT_OURS = ["tests/support/opentelemetry-proto"];
const EXTENSIONS = ["", ".ts", ".tsx", ".mts", ".mjs", ".js", ".css", ".json"];

export type Import = {
  /** As written. */
  specifier: string;
  /** Path from the root without extension, for a file of ours; null for a package or a Node module. */
  target: string | null;
  /** Gone after compilation. */
  typeOnly: boolean;
};

export type SourceFile = {
  /** From the root, with extension. */
  path: string;
  text: string;
  imports: Import[];
};

/** All files of ours, by path. Folders of tools (node_modules, .next) are not among them. */
export function allFiles(folders: readonly string[] = FOLDERS): string[] {
  const found: string[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.name.startsWith(".") || NOT_OURS.includes(path)) continue;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) found.push(path);
    }
  };
  for (const folder of folders) if (existsSync(join(ROOT, folder))) walk(folder);
  return found.sort();
}

export const isTest = (path: string) => path.startsWith("tests/") || /\.test\.tsx?$/.test(path);

/** What the text imports, exports again, loads with import() or names as import("…").Type. */
export function importsOf(path: string, text: string): Import[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const imports: Import[] = [];
  const add = (node: ts.Node | undefined, typeOnly: boolean) => {
    if (node && ts.isStringLiteralLike(node)) {
      imports.push({ specifier: node.text, target: resolved(path, node.text), typeOnly });
    }
  };
  const visit = (node: ts.Node): void => {
    // Without `type` before the braces an import is kept, even if all it names are types (verbatimModuleSyntax).
    if (ts.isImportDeclaration(node))
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    if (deep) ts.forEachChild(node, visit);
  };
  const deep = /\bimport\s*\(/.test(text);
  source.statements.forEach(visit);
  return imports;
}

function resolved(from: string, specifier: string): string | null {
  const base = specifier.startsWith("@/")
    ? specifier.slice(2)
    : specifier.startsWith(".")
      ? relative(ROOT, join(ROOT, dirname(from), specifier))
      : null;
  if (base === null) return null;
  const found = EXTENSIONS.map((extension) => base + extension).find((path) => KNOWN.has(path));
  return (found ?? base).replace(/\.(ts|tsx|mts|mjs|js)$/, "");
}

/** `file → import` for all that break a rule, so that a failing test names them. */
export function broken(
  of: (path: string) => boolean,
  mayImport: (imported: Import, path: string) => boolean,
  files: SourceFile[] = sourceFiles(),
): string[] {
  return files
    .filter(({ path }) => of(path))
    .flatMap(({ path, imports }) =>
      imports.filter((imported) => !mayImport(imported, path)).map(({ specifier }) => `${path} → ${specifier}`),
    );
}

const KNOWN = new Set(allFiles());

/** TypeScript and JavaScript files with what they import. Read at import, which no test's time limit counts. */
const SOURCE_FILES: SourceFile[] = [...KNOWN]
  .filter((path) => /\.(ts|tsx|mts|mjs|js)$/.test(path))
  .map((path) => {
    const text = readFileSync(join(ROOT, path), "utf8");
    return { path, text, imports: importsOf(path, text) };
  });

export function sourceFiles(): SourceFile[] {
  return SOURCE_FILES;
}
