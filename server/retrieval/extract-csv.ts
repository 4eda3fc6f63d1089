import { parse } from "csv-parse";
import { ExtractionFailure } from "./extraction-failure";
import { MOST_CHARACTERS } from "./extraction-limits";

const SEPARATORS = [",", ";", "\t", "|"];

/** One block for each record, with "header: value" lines, so that a record found by itself still says what its values are. */
export async function extractCsv(text: string): Promise<string> {
  const [firstLine = ""] = text.split("\n", 1);
  const parser = parse(text, {
    delimiter: separatorOf(firstLine),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  });
  const blocks: string[] = [];
  let headers: string[] | undefined;
  let length = 0;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (!headers) {
        headers = record;
        continue;
      }
      const block = blockOf(headers, record);
      if (!block) continue;
      length += block.length + 2;
      if (length > MOST_CHARACTERS) throw new ExtractionFailure("too_large");
      blocks.push(block);
    }
  } catch (error) {
    throw error instanceof ExtractionFailure ? error : new ExtractionFailure("broken_csv", { cause: error });
  }
  // Headers alone are all there is to find.
  return blocks.length > 0 ? blocks.join("\n\n") : (headers ?? []).join(", ");
}

function blockOf(headers: readonly string[], record: readonly string[]): string {
  return record
    .map((value, i) => (value === "" ? "" : `${headers[i] || `Column ${i + 1}`}: ${value.replace(/\s*\n\s*/g, " ")}`))
    .filter(Boolean)
    .join("\n");
}

/** The one that stands most often outside quotation marks in the first line. */
function separatorOf(line: string): string {
  const bare = line.replace(/"[^"]*"/g, "");
  const counts = SEPARATORS.map((separator) => bare.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ",";
}
