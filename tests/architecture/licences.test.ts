import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LICENCE_PAGE, licencePage, objectionTo, productionPackages } from "@/tests/release/licence-list";
import { ROOT } from "./source-files";

const packages = productionPackages();

test("every package the product needs is under a licence that lets it be used", () => {
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.flatMap((one) => objectionTo(one) ?? [])).toEqual([]);
});

test("the page of licences is what `npm run licences` writes", () => {
  expect(readFileSync(join(ROOT, LICENCE_PAGE), "utf8")).toBe(licencePage(packages));
});

test("copyleft and silence are objected to, an alternative is taken", () => {
  const objects = (licence: string | null) => objectionTo({ name: "some-package", version: "1.0.0", licence }) !== null;
  expect(
    [null, "GPL-3.0-only", "AGPL-3.0", "LGPL-3.0-or-later", "MIT AND GPL-2.0", "UNLICENSED"].map(objects),
  ).not.toContain(false);
  expect(["MIT", "(MIT OR GPL-3.0-or-later)", "(MIT AND Zlib)", "Apache-2.0"].map(objects)).not.toContain(true);
});
