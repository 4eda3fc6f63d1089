import fc from "fast-check";
import { expect, test } from "vitest";
import { attachmentOf, confineName, extensionOf } from "./file-name";

test.each([
  ["report.pdf", "report.pdf"],
  ["../../etc/passwd", "passwd"],
  ["/etc/passwd", "passwd"],
  ["C:\\Windows\\system.ini", "system.ini"],
  ["..\\..\\x.txt", "x.txt"],
  ["a/b\0.pdf", "b.pdf"],
  ["..", null],
  ["...", null],
  ["", null],
  ["/", null],
  ["\u202egnp.exe", "gnp.exe"],
  ["a\u2215b\uff0fc.md", "c.md"],
  [".htaccess", "htaccess"],
  ["name. ", "name"],
  ["a\r\nSet-Cookie: x.txt", "aSet-Cookie_ x.txt"],
  ["  two   blanks .txt", "two blanks .txt"],
  ["Bericht für März.docx", "Bericht für März.docx"],
])("the name %j is kept as %j", (sent, kept) => {
  expect(confineName(sent)).toBe(kept);
});

test("a long name keeps its extension", () => {
  const kept = confineName(`${"a".repeat(400)}.pdf`) ?? "";
  expect(kept).toHaveLength(200);
  expect(extensionOf(kept)).toBe("pdf");
});

test("no name whatever leaves a path, an unseen character or a header behind", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (sent) => {
      const kept = confineName(sent);
      if (kept === null) return;
      expect(kept).not.toMatch(/[/\\\p{Cc}\p{Cf}]/u);
      expect(kept).not.toMatch(/^\./);
      expect(Array.from(kept).length).toBeLessThanOrEqual(200);
      expect(attachmentOf(kept)).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.!#$&+^`|~%-]*$/);
    }),
    { numRuns: 200 },
  );
}, 30_000);
