import { expect, test } from "vitest";
import type { Check, Report } from "@/server/system/schema";
import { headline, toMarkdown } from "./report-text";

const check = (state: Check["state"], extra: Partial<Check> = {}): Check => ({
  id: "disk",
  title: "Disk",
  state,
  says: "3.0 GB free.",
  advice: null,
  facts: [],
  ...extra,
});
const reportOf = (...checks: Check[]): Report => ({ at: "2026-11-22T06:00:00.000Z", state: "ok", checks });

test("the headline counts what is wrong and nothing else", () => {
  expect(headline(reportOf(check("ok"), check("unknown")))).toBe("Nothing is wrong.");
  expect(headline(reportOf(check("problem"), check("warning"), check("warning")))).toBe("1 problem, 2 warnings.");
});

test("the copied report says each check with its advice and facts", () => {
  const text = toMarkdown(
    reportOf(check("warning", { advice: "Free some space.", facts: [{ label: "Free", value: "3.0 GB of 40.0 GB" }] })),
  );
  expect(text).toContain("- **Disk**: Warning. 3.0 GB free. Free some space.\n  - Free: 3.0 GB of 40.0 GB\n");
});
