import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allFiles, isTest, ROOT, sourceFiles } from "./source-files";

/** Folders of server/ that are machinery rather than a noun of the product. */
const MACHINERY = ["auth", "engine", "launcher", "models", "tools", "trpc"];
/** What a file of server/<noun>/ may be called (docs/decisions/001-one-noun-five-places.md says what each may do). */
const VOCABULARY = ["router", "schema", "service", "queries", "rules", "events", "jobs", "constants"];
/** Further words, each with its reason. */
const FURTHER_WORDS: Record<string, RegExp> = {
  // Reads that last: the run page's subscription and the notifications that wake it. And one write that whoever makes
  // runs without the service's checks (benches, fault tests) shares with it.
  runs: /^((follow|listener)(-[a-z-]+)?|store-run)$/,
  // The proof of a workspace that every query takes.
  workspaces: /^scope$/,
};

test("files and folders are named in kebab-case", () => {
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/;
  const ours = allFiles(["components", "server", "prisma/seed", "tests"]);
  // Next's own names: (console), [runId].
  const app = allFiles(["app"]).map((path) => path.replace(/[()[\]]/g, "").replace("...", ""));
  const route = /^([a-z0-9]+(-[a-z0-9]+)*|[a-z]+[A-Za-z]*)$/;
  const odd = (path: string) => path.split("/").some((part) => !kebab.test(part) && part !== "README.md");
  expect(ours.filter(odd)).toEqual([]);
  expect(
    app.filter((path) =>
      path
        .split("/")
        .slice(0, -1)
        .some((part) => !route.test(part)),
    ),
  ).toEqual([]);
});

test("a file of server/<noun>/ bears a word of the vocabulary", () => {
  const odd = allFiles(["server"]).filter((path) => {
    if (path.endsWith(".md")) return false;
    const [, noun, name = ""] = path.split("/");
    if (!noun || !path.slice("server/".length).includes("/") || MACHINERY.includes(noun)) return false;
    const word = name.replace(/(\.test)?\.tsx?$/, "");
    return !VOCABULARY.includes(word) && !/^[a-z]+-router$/.test(word) && !FURTHER_WORDS[noun]?.test(word);
  });
  expect(odd).toEqual([]);
});

test("no drawer collects what has no name", () => {
  const drawer = /(^|\/)(utils?|helpers?|common|misc|shared|lib|types|index)(\/|\.tsx?$)/;
  expect(allFiles().filter((path) => drawer.test(path))).toEqual([]);
});

test("the environment is read in one place", () => {
  const mayRead = (path: string) =>
    isTest(path) ||
    path === "server/env.ts" ||
    // The log must work before the environment was found to be usable.
    path === "server/logger.ts" ||
    // The launcher makes the environment of the processes it starts.
    path.startsWith("server/launcher/");
  expect(
    sourceFiles()
      .filter(({ path, text }) => !mayRead(path) && /\bprocess\s*\.\s*env\b|\bprocess\[/.test(withoutComments(text)))
      .map(({ path }) => path),
  ).toEqual([]);
});

test("there are no server actions: the browser speaks tRPC only", () => {
  expect(
    sourceFiles()
      .filter(({ path, text }) => !isTest(path) && /^\s*["']use server["']/m.test(text))
      .map(({ path }) => path),
  ).toEqual([]);
});

test("whatever is silenced says why", () => {
  const silenced = allFiles()
    .filter((path) => /\.(ts|tsx|mts|mjs|js|css)$/.test(path) && !path.startsWith("tests/architecture/"))
    .flatMap((path) =>
      readFileSync(join(ROOT, path), "utf8")
        .split("\n")
        .map((line, i) => ({ at: `${path}:${i + 1}`, line })),
    );
  const bare = silenced.filter(
    ({ line }) => /biome-ignore/.test(line) && !/biome-ignore(-all|-start|-end)? [\w/]+: \S.{8,}/.test(line),
  );
  const forbidden = silenced.filter(({ line }) => /@ts-(ignore|nocheck|expect-error)|eslint-disable/.test(line));
  expect([...bare, ...forbidden].map(({ at }) => at)).toEqual([]);
});

test("nothing is left for later", () => {
  const later = /\b(TODO|FIXME|XXX|HACK)\b|coming soon|not implemented/i;
  expect(
    sourceFiles()
      .filter(({ path, text }) => !path.startsWith("tests/architecture/") && later.test(text))
      .map(({ path }) => path),
  ).toEqual([]);
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
}
