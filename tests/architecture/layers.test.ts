import { expect, test } from "vitest";
import { broken, type Import, importsOf, isTest, sourceFiles } from "./source-files";

/** Who may import whom. Each rule starts at zero violations: where it is in the way, change the layout, not the rule. */

const inside = (folder: string) => (path: string) => path.startsWith(folder) && !isTest(path);
const local = ({ target }: Import) => target !== null;
const isRouteHandler = (path: string) => path.startsWith("app/") && path.endsWith("/route.ts");
const from = (target: string | null, ...folders: string[]) =>
  target !== null && folders.some((folder) => target === folder || target.startsWith(`${folder}/`));

test("the reader of imports finds all kinds of them", () => {
  const text = `import a, { b } from "@/server/env"; import type { C } from "./source-files";
    export { d } from "x"; const e = await import("@/server/db"); type F = import("y").F; import { type G } from "z";
    import "./s.css";`;
  const found = importsOf("tests/architecture/some.ts", text);
  expect(found.map(({ specifier, typeOnly }) => `${typeOnly ? "type " : ""}${specifier}`)).toEqual([
    "@/server/env",
    "type ./source-files",
    "x",
    "@/server/db",
    "type y",
    "z",
    "./s.css",
  ]);
  expect(found[0]?.target).toBe("server/env");
  expect(found[1]?.target).toBe("tests/architecture/source-files");
  expect(found[2]?.target).toBeNull();
});

test("every import of ours leads to a file", () => {
  expect(sourceFiles().length).toBeGreaterThan(100);
  const known = new Set(sourceFiles().map(({ path }) => path.replace(/\.(ts|tsx|mts|mjs|js)$/, "")));
  const lost = broken(
    () => true,
    ({ target }) => target === null || known.has(target) || /\.(css|json|svg)$/.test(target) || from(target, "prisma"),
  );
  expect(lost).toEqual([]);
});

test("the engine knows nothing of the web, and of the product only models, tools and schemas", () => {
  const framework = /^(next|react|react-dom|server-only|@trpc|@tanstack|@mantine|@auth|@prisma)(\/|$)/;
  const ok = ({ specifier, target }: Import) =>
    target === null
      ? !framework.test(specifier)
      : from(
          target,
          "server/engine",
          "server/database-failure",
          "server/database-pool",
          "server/logger",
          "server/models/cost",
          "server/models/model",
          "server/tools/tool",
          "server/tools/tool-policy",
          "server/engine/resilience/policy",
        ) || /^server\/[a-z-]+\/(([a-z]+-)?schema|rules)$/.test(target);
  expect(broken(inside("server/engine/"), ok)).toEqual([]);
});

test("nothing of the server imports screens or routes", () => {
  // The one bridge: pages prefetch into the query client that the browser goes on with.
  const isBridge = ({ target }: Import, path: string) =>
    path === "server/trpc/rsc.tsx" && target === "components/trpc/query-client";
  const ok = (imported: Import, path: string) =>
    !from(imported.target, "app", "components") || isBridge(imported, path);
  expect(broken(inside("server/"), ok)).toEqual([]);
});

/** What engine and tools share with schemas and screens. */
const SHARED = [
  ...["server/engine/events", "server/engine/state", "server/engine/run-limits", "server/engine/pattern-settings"],
  ...["server/engine/run-context", "server/engine/published-event"],
  "server/tools/tool-policy",
  "server/engine/resilience/policy",
  "server/engine/resilience/error-details",
];

test("screens take from the server only schemas, the engine's events and states, and types", () => {
  const ok = ({ target, typeOnly }: Import) =>
    !from(target, "app") &&
    (!from(target, "server") ||
      typeOnly ||
      /^server\/[a-z-]+\/([a-z]+-)?schema$/.test(target ?? "") ||
      from(target, ...SHARED));
  expect(broken(inside("components/"), ok)).toEqual([]);
});

test("a schema can be sent to a browser: it imports only zod and other schemas", () => {
  const ok = ({ specifier, target }: Import) =>
    target === null
      ? specifier === "zod"
      : /^server\/[a-z-]+\/(([a-z]+-)?schema|rules|constants)$/.test(target) || from(target, ...SHARED);
  const isShared = (path: string) =>
    /^server\/[a-z-]+\/(([a-z]+-)?schema|rules)\.ts$/.test(path) || SHARED.includes(path.replace(/\.ts$/, ""));
  expect(broken(isShared, (imported) => imported.typeOnly || ok(imported))).toEqual([]);
});

test("primitives know no noun: they import only each other and the words for states", () => {
  const ok = ({ target }: Import) =>
    target === null || from(target, "components/ui", "server/engine/state", "server/engine/events");
  expect(broken(inside("components/ui/"), ok)).toEqual([]);
});

test("a page parses, prefetches and renders: it imports components, the prefetch door and the session", () => {
  const isPage = (path: string) => path.startsWith("app/") && !isRouteHandler(path);
  // Before somebody is signed in there is nothing to prefetch: these two ask directly whether anybody exists yet.
  const beforeSignIn = ["app/(auth)/setup/page.tsx", "app/(auth)/sign-in/page.tsx"];
  const ok = (imported: Import, path: string) =>
    !local(imported) ||
    imported.typeOnly ||
    from(imported.target, "app", "components", "server/trpc/rsc", "server/auth/gate", "server/auth/session") ||
    /^server\/[a-z-]+\/(([a-z]+-)?schema|rules)$/.test(imported.target ?? "") ||
    (beforeSignIn.includes(path) && from(imported.target, "server/users/queries", "server/env"));
  expect(broken(isPage, ok)).toEqual([]);
});

test("a route handler calls the server and nothing else", () => {
  const ok = (imported: Import) => !local(imported) || from(imported.target, "server");
  expect(broken(isRouteHandler, ok)).toEqual([]);
});

test("a router declares and calls: it never touches the database, the engine or another noun's insides", () => {
  const isRouter = (path: string) => /^server\/[a-z-]+\/([a-z]+-)?router\.ts$/.test(path);
  const ok = ({ specifier, target }: Import, path: string) =>
    target === null
      ? specifier === "zod"
      : from(target, path.split("/").slice(0, 2).join("/"), "server/trpc/procedures", "server/auth", "server/env") ||
        from(target, "server/models/configured-model") ||
        /^server\/[a-z-]+\/([a-z]+-)?schema$/.test(target);
  expect(broken(isRouter, ok)).toEqual([]);
});

test("only the list of nouns imports routers", () => {
  const ok = ({ target }: Import, path: string) =>
    !/^server\/[a-z-]+\/([a-z]+-)?router$/.test(target ?? "") || path === "server/trpc/root.ts";
  expect(broken((path) => !isTest(path), ok)).toEqual([]);
});

test("nothing but tests imports tests", () => {
  expect(
    broken(
      (path) => !isTest(path),
      ({ target }) => !from(target, "tests"),
    ),
  ).toEqual([]);
});
