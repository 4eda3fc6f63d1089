import { FILE_TYPES } from "@/server/knowledge/schema";
import { extensionOf } from "./file-name";
import { TextCheck } from "./text-check";
import { listZipEntries } from "./zip-entries";

export type MediaType = (typeof FILE_TYPES)[number]["mediaType"];
export type Told = { mediaType: MediaType } | { problem: string };

const PDF = "application/pdf";
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const TAKEN = "PDF, Word (DOCX), Markdown, text, HTML and CSV files can be read here.";
/** Enough for every signature, and for the doctype of a page after a long comment. */
const HEAD_BYTES = 4096;
/** A ZIP's directory must lie within the last bytes that are kept. */
const TAIL_BYTES = 1024 * 1024;

/** First bytes of what people upload by mistake, so that the refusal can say what it is. */
const SIGNATURES: [number[] | string, string][] = [
  [[0x89, 0x50, 0x4e, 0x47], "a PNG picture"],
  [[0xff, 0xd8, 0xff], "a JPEG picture"],
  ["GIF8", "a GIF picture"],
  ["BM", "a bitmap picture"],
  ["II*\0", "a TIFF picture"],
  ["MM\0*", "a TIFF picture"],
  ["RIFF", "a media file"],
  ["OggS", "a media file"],
  ["ID3", "a sound file"],
  ["fLaC", "a sound file"],
  [[0x1f, 0x8b], "a GZIP archive"],
  ["BZh", "a BZIP2 archive"],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], "an XZ archive"],
  [[0x28, 0xb5, 0x2f, 0xfd], "a Zstandard archive"],
  ["7z\xbc\xaf", "a 7-Zip archive"],
  ["Rar!", "a RAR archive"],
  [[0xd0, 0xcf, 0x11, 0xe0], "an old Office document; save it as DOCX first"],
  ["{\\rtf", "an RTF document; save it as DOCX first"],
  ["%!PS", "a PostScript file; save it as PDF first"],
  ["\x7fELF", "a program"],
  ["MZ", "a program"],
  ["SQLite format 3\0", "an SQLite database"],
];

/** Extensions that promise something other than text: a text that bears one is not what it says. */
const NOT_TEXT = new Set(
  "png jpg jpeg gif bmp webp tif tiff ico svg heic avif zip gz tgz bz2 xz 7z rar tar jar doc xls ppt xlsx pptx odt ods odp rtf epub exe dll so dmg iso bin mp3 mp4 m4a wav ogg flac mov avi mkv webm woff woff2 ttf otf".split(
    " ",
  ),
);

const DAMAGED_ZIP = "a ZIP archive that is damaged";

/** Reads a file as it passes by and says at its end what it is (A24): by its bytes, never by what the sender said. */
export class MediaTypeCheck {
  private head: Buffer = Buffer.alloc(0);
  private tail: Buffer = Buffer.alloc(0);
  private sizeBytes = 0;
  private readonly text = new TextCheck();

  add(bytes: Uint8Array): void {
    if (this.head.length < HEAD_BYTES) this.head = Buffer.concat([this.head, bytes]).subarray(0, HEAD_BYTES);
    this.tail = Buffer.concat([this.tail, bytes]).subarray(-TAIL_BYTES);
    this.sizeBytes += bytes.byteLength;
    this.text.add(bytes);
  }

  /** The type, or a sentence that says what the file really is. Only the extension tells one kind of text from another. */
  end(name: string): Told {
    const extension = extensionOf(name);
    const promised = FILE_TYPES.find(({ extensions }) => extensions.some((known) => known === extension));
    const found = this.find();
    if ("what" in found) {
      // What is cut off has lost the list of what is in it: nobody who chose a Word document knows it as an archive.
      if (found.what === DAMAGED_ZIP && promised?.mediaType === DOCX) {
        return {
          problem: `“${name}” is damaged or incomplete. Open it in Word, save it again and upload the new file; if Word cannot open it either, get it once more from where it came from.`,
        };
      }
      return { problem: `“${name}” is ${found.what}. ${TAKEN}` };
    }

    if (found.mediaType !== "text") {
      if (!promised || promised.mediaType === found.mediaType) return { mediaType: found.mediaType };
      const [real, ending] = found.mediaType === PDF ? ["a PDF", "pdf"] : ["a Word document", "docx"];
      return {
        problem: `“${name}” is ${real}, although its name ends in .${extension}. Rename it to end in .${ending}.`,
      };
    }
    const textual = this.nameOfText();
    if (promised?.mediaType === PDF || promised?.mediaType === DOCX || NOT_TEXT.has(extension)) {
      return { problem: `“${name}” is ${textual}, although its name ends in .${extension}. ${TAKEN}` };
    }
    return { mediaType: promised?.mediaType ?? "text/plain" };
  }

  private find(): { mediaType: typeof PDF | typeof DOCX | "text" } | { what: string } {
    if (this.head.subarray(0, 5).toString("latin1") === "%PDF-") return { mediaType: PDF };
    if (startsWith(this.head, "PK\x03\x04") || startsWith(this.head, "PK\x05\x06")) return this.findInZip();
    const known = SIGNATURES.find(([signature]) => startsWith(this.head, signature));
    // Two letters also begin texts.
    const isCertain = known && (known[0].length > 2 || this.text.encoding() === null);
    if (isCertain) return { what: known[1] };
    return this.text.encoding() !== null ? { mediaType: "text" } : { what: this.text.problem() };
  }

  private findInZip(): { mediaType: typeof DOCX } | { what: string } {
    const names = new Set(listZipEntries(this.tail, this.sizeBytes)?.map(({ name }) => name));
    if (names.has("word/document.xml") && names.has("[Content_Types].xml")) return { mediaType: DOCX };
    if (names.has("xl/workbook.xml")) return { what: "an Excel workbook; save its sheets as CSV first" };
    if (names.has("ppt/presentation.xml")) return { what: "a PowerPoint presentation; save it as PDF first" };
    if (names.has("content.xml") && names.has("mimetype"))
      return { what: "an OpenDocument file; save it as DOCX first" };
    return { what: names.size > 0 ? "a ZIP archive; unpack it first" : DAMAGED_ZIP };
  }

  private nameOfText(): string {
    const start = this.head.toString("latin1").replace(/^(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*)*/, "");
    if (/^<(!doctype\s+svg|svg[\s>])/i.test(start)) return "an SVG picture";
    if (/^<(!doctype\s+html|html|head|body|script|title|meta|div|p)[\s>]/i.test(start)) return "an HTML page";
    return "a text";
  }
}

function startsWith(head: Buffer, signature: number[] | string): boolean {
  const bytes = typeof signature === "string" ? Buffer.from(signature, "latin1") : Buffer.from(signature);
  return head.subarray(0, bytes.length).equals(bytes);
}
