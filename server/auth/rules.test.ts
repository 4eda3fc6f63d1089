import fc from "fast-check";
import { expect, test } from "vitest";
import { safeNext } from "./rules";

test.each([
  ["/runs", "/runs"],
  ["/runs/0190?step=3#answer", "/runs/0190?step=3#answer"],
  ["/", "/"],
])("%s is a place to go after signing in", (asked, next) => {
  expect(safeNext(asked)).toBe(next);
});

test.each([
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "javascript:alert(1)",
  "runs",
  "",
  undefined,
  ["/runs"],
  "/sign-in",
  "/setup",
  "/api/trpc/workspace.me",
])("%j leads home instead", (asked) => {
  expect(safeNext(asked)).toBe("/");
});

test("no text leads to another site", () => {
  const piece = fc.constantFrom("/", "\\", ".", "..", "@", ":", "evil.example", "\t", "\n", "%2f", "https:", "a");
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join("")),
      ),
      (asked) => {
        expect(new URL(safeNext(asked), "https://troupe.test").origin).toBe("https://troupe.test");
      },
    ),
    { numRuns: 2000 },
  );
});
