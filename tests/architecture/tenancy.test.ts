import ts from "typescript";
import { expect, test } from "vitest";
import { isTest, sourceFiles } from "./source-files";

/** Reads that need no workspace: people exist beside workspaces, and one look-up is what the proof is made from. */
const WITHOUT_SCOPE = ["findSessionUser", "findCredentials", "isSetupNeeded", "findMembership"];

/** Exported functions of a file that touch the database through pool() or db(), with the type of their first parameter. */
function readers(path: string, text: string): { name: string; first: string }[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return source.statements.filter(ts.isFunctionDeclaration).flatMap((node) => {
    const exported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!exported || !/\b(pool|db)\(\)/.test(node.getText())) return [];
    return [{ name: node.name?.text ?? "", first: node.parameters[0]?.type?.getText() ?? "" }];
  });
}

test("every exported read takes the proof of a workspace first", () => {
  const queries = sourceFiles().filter(({ path }) => /^server\/[a-z-]+\/queries[./]/.test(path) && !isTest(path));
  const all = queries.flatMap(({ path, text }) => readers(path, text).map((reader) => ({ path, ...reader })));
  expect(all.length).toBeGreaterThan(8);
  const unproven = all.filter(
    ({ first, name }) => !/\b(WorkspaceId|Scope)\b/.test(first) && !WITHOUT_SCOPE.includes(name),
  );
  expect(unproven.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});

test("the proof of a workspace is made in one place", () => {
  const makers = sourceFiles()
    .filter(({ path, text }) => !isTest(path) && /\bprovenWorkspace\(/.test(text))
    .map(({ path }) => path);
  // Where it is defined, where a member's request becomes a scope, and the seeds, which run without a request.
  expect(makers.filter((path) => !path.startsWith("prisma/seed/"))).toEqual([
    "server/auth/prove-scope.ts",
    "server/workspaces/scope.ts",
  ]);
});
