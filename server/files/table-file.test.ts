import { expect, test } from "vitest";
import { answerTable, csvCell, csvLine, MOST_LISTED, type TableRow } from "./table-file";

test("what a spreadsheet would calculate is kept from it, also behind a blank it cuts off", () => {
  expect(["=1+1", "+49", "-2+3", "@SUM(A1)", "\tx", "\r=x"].map(csvCell)).toEqual([
    ...["'=1+1", "'+49", "'-2+3", "'@SUM(A1)", "'\tx", '"\'\r=x"'],
  ]);
  // A number is one.
  expect([-2, 0.5, true, null, "a=b", "5-3"].map(csvCell)).toEqual(["-2", "0.5", "true", "", "a=b", "5-3"]);
});

test("commas, quotes and line breaks are quoted as in RFC 4180", () => {
  expect(csvLine(["a,b", 'say "hi"', "two\nlines", "Grüße", '="x"'])).toBe(
    '"a,b","say ""hi""","two\nlines",Grüße,"\'=""x"""\r\n',
  );
});

async function* pages(count: number): AsyncGenerator<TableRow[]> {
  for (let n = 0; n < count; n += 1_000) {
    yield Array.from({ length: Math.min(1_000, count - n) }, (_, at) => ({ id: n + at, name: "x" }));
  }
}

test("a file says in its last line that there is more than it takes", async () => {
  const file = (format: "csv" | "json", count: number) =>
    answerTable({ format, name: "runs", columns: ["id", "name"], pages: pages(count) }).text();
  const csv = (await file("csv", MOST_LISTED + 1)).split("\r\n");
  expect(csv).toHaveLength(MOST_LISTED + 3);
  expect(csv[0]).toBe("id,name");
  expect(csv.at(-2)).toMatch(/^"?Only the newest 50,000 .*,$/);
  expect((await file("csv", MOST_LISTED)).split("\r\n")).toHaveLength(MOST_LISTED + 2);
  expect(JSON.parse((await file("json", MOST_LISTED + 1)).trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    isCut: true,
  });
});
