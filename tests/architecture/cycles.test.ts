import { expect, test } from "vitest";
import { isTest, type SourceFile, sourceFiles } from "./source-files";

/** Groups of files that import one another in a ring once types are gone: Tarjan's strongly connected components. */
function rings(files: Pick<SourceFile, "path" | "imports">[]): string[][] {
  const name = (path: string) => path.replace(/\.(ts|tsx|mts|mjs|js)$/, "");
  const edges = new Map(
    files.map(({ path, imports }) => [
      name(path),
      imports.flatMap(({ target, typeOnly }) => (target && !typeOnly ? [target] : [])),
    ]),
  );
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    const mine = order.size;
    order.set(node, mine);
    low.set(node, mine);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!edges.has(next)) continue;
      const reached = !order.has(next) ? visit(next) : stack.includes(next) ? (order.get(next) ?? mine) : mine;
      low.set(node, Math.min(low.get(node) ?? mine, reached));
    }
    if (low.get(node) === mine) {
      const ring = stack.splice(stack.indexOf(node));
      if (ring.length > 1 || edges.get(node)?.includes(node)) found.push(ring);
    }
    return low.get(node) ?? mine;
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return found;
}

test("the finder of rings finds one, and none where only types close it", () => {
  const to = (target: string, typeOnly = false) => [{ specifier: target, target, typeOnly }];
  expect(
    rings([
      { path: "a.ts", imports: to("b") },
      { path: "b.ts", imports: to("c") },
      { path: "c.ts", imports: to("a") },
    ]),
  ).toHaveLength(1);
  expect(
    rings([
      { path: "a.ts", imports: to("b") },
      { path: "b.ts", imports: to("a", true) },
    ]),
  ).toEqual([]);
});

test.each(["server", "components"])("no files under %s import one another in a ring", (folder) => {
  expect(rings(sourceFiles().filter(({ path }) => path.startsWith(`${folder}/`) && !isTest(path)))).toEqual([]);
});
