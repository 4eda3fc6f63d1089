import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SEGMENT_KINDS } from "@/components/runs/run-segments";
import { allFiles, isTest, ROOT, sourceFiles } from "./source-files";

/** Folders of server/ that are machinery rather than a noun of the product. */
const MACHINERY = [
  "auth",
  "backup",
  "engine",
  "files",
  "launcher",
  "mcp",
  "models",
  "outgoing",
  "retrieval",
  "secrets",
  "tools",
  "trpc",
];
/** What a file of server/<noun>/ may be called (docs/decisions/001-one-noun-five-places.md says what each may do). */
const VOCABULARY = ["router", "schema", "service", "queries", "rules", "events", "jobs", "constants"];
/** Further words, each with its reason. */
const FURTHER_WORDS: Record<string, RegExp> = {
  // Reads that last: the run page's subscription and the notifications that wake it. One write that whoever makes
  // runs without the service's checks (benches, fault tests) shares with it. And how two runs are set side by side, and a run as one file: rules of several files.
  runs: /^((follow|listener)(-[a-z-]+)?|store-run|compare|file)$/,
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
    return !VOCABULARY.includes(word) && !/^[a-z]+-(router|schema)$/.test(word) && !FURTHER_WORDS[noun]?.test(word);
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
  // In capitals: an agent's todo list is a thing of the product.
  const later = /\b((?<!LOK-)TODO|FIXME|XXX|HACK)\b|[Cc]oming soon|[Nn]ot implemented/;
  expect(
    sourceFiles()
      .filter(({ path, text }) => !path.startsWith("tests/architecture/") && later.test(text))
      .map(({ path }) => path),
  ).toEqual([]);
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
}

/** What a test changes for its whole process, and what puts it back; null: nothing does. */
const CHANGES: [change: RegExp, undone: RegExp | null][] = [
  [/\bvi\.(mock|doMock|resetModules|stubGlobal|useFakeTimers)\(|process\.chdir\(/, null],
  [/\bvi\.stubEnv\(/, /\bvi\.unstubAllEnvs\(/],
  [/\bvi\.spyOn\(/, /\bvi\.restoreAllMocks\(|\.mockRestore\(/],
];

test("integration tests share processes, and put back what they change of theirs", () => {
  const changing = allFiles(["tests/integration", "tests/support"]).filter((path) => {
    const text = readFileSync(join(ROOT, path), "utf8");
    return CHANGES.some(([change, undone]) => change.test(text) && !undone?.test(text));
  });
  expect(changing).toEqual([]);
});

test("nothing is dimmed: text keeps the contrast its colours were chosen for, also while something is under way", () => {
  const styles = allFiles(["app", "components"]).filter((path) => path.endsWith(".css"));
  const dimmed = styles.filter((path) => /opacity:\s*(0?\.\d|[1-9]\d?%)/.test(readFileSync(join(ROOT, path), "utf8")));
  expect(styles.length).toBeGreaterThan(10);
  expect(dimmed).toEqual([]);
});

test("no style is for the bare name of a kind of bar: it would reach the bars of every run", () => {
  const kinds = SEGMENT_KINDS.join("|");
  const bare = new RegExp(`(^|[\\s,}])\\.(${kinds})(?=[\\s,{:>.])`, "m");
  const styles = allFiles(["app", "components"]).filter((path) => path.endsWith(".css"));
  expect(bare.test(".seg.queued {\n}\n.queued > li {")).toBe(true);
  expect(styles.filter((path) => bare.test(readFileSync(join(ROOT, path), "utf8")))).toEqual([]);
});
