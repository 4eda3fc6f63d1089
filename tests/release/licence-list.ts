import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@/server/launcher/settings";

export const LICENCE_PAGE = "docs/reference/licences.md";

/** Allow use, change and sale without a claim on the product's own code. */
const PERMISSIVE = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "OFL-1.1",
  "Unlicense",
  "Zlib",
];

/** What its package does not say in a way a program could read, and where it is said. */
const STATED_ELSEWHERE: Record<string, string> = {
  // Its LICENSE file.
  "seq-queue": "MIT",
  // "BSD", without a number; its LICENSE file has two clauses.
  duck: "BSD-2-Clause",
};

/** Copyleft that is let in, each with its reason. */
const LET_IN: { name: RegExp; licence: string; because: string }[] = [
  {
    name: /^@img\/sharp-/,
    licence: "LGPL-3.0-or-later",
    because:
      "libvips, a library of its own beside Next's optional image converter; unchanged, replaceable, and not used here",
  },
  {
    name: /^elkjs$/,
    licence: "EPL-2.0",
    because: "comes with the Prisma CLI for a screen of it; unchanged, and never loaded here",
  },
];

export type Package = { name: string; version: string; licence: string | null };

type Locked = { version: string; license?: string; dev?: boolean; link?: boolean };

/** What an installation without development tools can hold, on any system, by name. */
export function productionPackages(): Package[] {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  const found = new Map<string, Package>();
  for (const [path, { version, license, dev, link }] of Object.entries(lock.packages)) {
    if (path === "" || dev || link) continue;
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const licence = STATED_ELSEWHERE[name] ?? license ?? licenceIn(path);
    found.set(`${name} ${version}`, { name, version, licence });
  }
  return [...found.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

function licenceIn(path: string): string | null {
  const file = join(root, path, "package.json");
  if (!existsSync(file)) return null;
  const { license } = JSON.parse(readFileSync(file, "utf8")) as { license?: unknown };
  return typeof license === "string" ? license : null;
}

/** Why a package may not be used; null when it may. Of alternatives one that is allowed is enough. */
export function objectionTo({ name, licence }: Package): string | null {
  if (licence === null) return `${name} states no licence`;
  const isAllowed = (one: string) =>
    PERMISSIVE.includes(one) || LET_IN.some((exception) => exception.licence === one && exception.name.test(name));
  const alternatives = licence.replace(/[()]/g, "").split(/ or /i);
  return alternatives.some((all) => all.split(/ and /i).every(isAllowed)) ? null : `${name} is under ${licence}`;
}

/** The page of the documentation: every package under its licence. */
export function licencePage(packages: readonly Package[]): string {
  const byLicence = new Map<string, Package[]>();
  for (const one of packages) {
    const licence = one.licence ?? "unknown";
    byLicence.set(licence, [...(byLicence.get(licence) ?? []), one]);
  }
  const groups = [...byLicence].sort(([a, many], [b, others]) => others.length - many.length || (a < b ? -1 : 1));
  const sections = groups.map(([licence, members]) => {
    const reasons = LET_IN.filter(
      ({ name }) => members.some((member) => name.test(member.name)) && !PERMISSIVE.includes(licence),
    );
    const why = reasons.map(({ because }) => `\n\nLet in: ${because}.`).join("");
    return `## ${licence} (${members.length})${why}\n\n${members.map(({ name, version }) => `- ${name} ${version}`).join("\n")}\n`;
  });
  const head = `# Licences of what Troupe is made with

Made by \`npm run licences\` from the lock file: the ${packages.length} packages an installation without development tools can hold.
Some are for other systems than yours and are not installed there. A licence that is neither permissive nor let in below stops the check.
`;
  return [head, ...sections].join("\n");
}
