import { attachmentOf } from "./file-name";

/** Rows of a list that one file takes: the newest. */
export const MOST_LISTED = 50_000;

export type TableFormat = "csv" | "json";
export type TableRow = Readonly<Record<string, string | number | boolean | null>>;

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One value as a cell of RFC 4180. A text that a spreadsheet would calculate gets an apostrophe before it (A24); numbers are ours.
 */
export function csvCell(value: TableRow[string]): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvLine(values: readonly TableRow[string][]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

type TableFile = {
  format: TableFormat;
  /** Without its ending. */
  name: string;
  columns: readonly string[];
  /** Pages of rows, the newest first; the next is read when the reader has taken the one before. */
  pages: AsyncGenerator<TableRow[]>;
};

/** A list as a download: CSV, or JSON lines. Where it has more rows than one file takes, its last line says so. */
export function answerTable({ format, name, columns, pages }: TableFile): Response {
  const isCsv = format === "csv";
  return new Response(toStream(linesOf({ format, columns, pages })), {
    headers: {
      "content-type": isCsv ? "text/csv; charset=utf-8; header=present" : "application/x-ndjson; charset=utf-8",
      "content-disposition": attachmentOf(`${name}.${isCsv ? "csv" : "jsonl"}`),
      "content-security-policy": "sandbox; default-src 'none'",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    },
  });
}

async function* linesOf({ format, columns, pages }: Omit<TableFile, "name">): AsyncGenerator<string> {
  const lineOf = (row: TableRow) =>
    format === "csv"
      ? csvLine(columns.map((column) => row[column] ?? null))
      : `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column] ?? null])))}\n`;
  if (format === "csv") yield csvLine(columns);
  let rows = 0;
  for await (const page of pages) {
    const fitting = page.slice(0, MOST_LISTED - rows);
    rows += fitting.length;
    yield fitting.map(lineOf).join("");
    if (fitting.length < page.length) {
      const notice = `Only the newest ${MOST_LISTED.toLocaleString("en-US")} are in this file. Narrow the list and download the others apart.`;
      yield format === "csv"
        ? csvLine(columns.map((_, n) => (n === 0 ? notice : null)))
        : `${JSON.stringify({ isCut: true, notice })}\n`;
      return;
    }
  }
}

function toStream(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await lines.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
