import { getDocumentProxy } from "unpdf";
import type { Extracted } from "./extract";
import { ExtractionFailure } from "./extraction-failure";
import { MOST_CHARACTERS } from "./extraction-limits";
import { type PdfItem, pageText } from "./pdf-page-text";

const MOST_PAGES = 10_000;
/** The text of each page, one after the other. Pages are read singly: a large document never lies in memory as a whole. */
export async function extractPdf(bytes: Uint8Array): Promise<Extracted> {
  const pdf = await open(bytes);
  try {
    if (pdf.numPages > MOST_PAGES) throw new ExtractionFailure("too_large");
    const pageStarts: number[] = [];
    const pages: string[] = [];
    let length = 0;
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      page.cleanup();
      const text = pageText(items.filter((item): item is PdfItem & typeof item => "str" in item));
      pageStarts.push(length);
      pages.push(text);
      length += text.length + 2;
      if (length > MOST_CHARACTERS) throw new ExtractionFailure("too_large");
    }
    return { text: pages.join("\n\n"), isMarkdown: false, pageStarts };
  } catch (error) {
    throw error instanceof ExtractionFailure ? error : new ExtractionFailure("broken_pdf", { cause: error });
  } finally {
    await pdf.destroy().catch(() => {});
  }
}

async function open(bytes: Uint8Array) {
  try {
    // A copy: the parser takes its bytes away from whoever gave them. No fonts are drawn and no code of the file is run.
    return await getDocumentProxy(Uint8Array.from(bytes), {
      isEvalSupported: false,
      useSystemFonts: false,
      verbosity: 0,
    });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new ExtractionFailure(isLocked ? "encrypted" : "broken_pdf", { cause: error });
  }
}
