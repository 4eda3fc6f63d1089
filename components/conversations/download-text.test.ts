import { expect, test } from "vitest";
import { fileNameOf } from "./download-text";

test.each([
  ["How long is a return open?", "how-long-is-a-return-open.md"],
  ["../../etc/passwd", "etc-passwd.md"],
  ["Über die Küche: 100 %", "uber-die-kuche-100.md"],
  ["???", "answer.md"],
  ["日本語の質問", "日本語の質問.md"],
  ["x".repeat(200), `${"x".repeat(60)}.md`],
])("the file of “%s” is %s", (title, name) => {
  expect(fileNameOf(title)).toBe(name);
});
