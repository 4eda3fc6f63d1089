import { deflateRawSync } from "node:zlib";
import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun } from "docx";
import { zipSync } from "fflate";
import { PDFDocument, StandardFonts } from "pdf-lib";

/** Files as people upload them, good and bad, made when a test asks for them. */

type Bytes = Uint8Array<ArrayBuffer>;
const bytes = (from: Uint8Array): Bytes => Uint8Array.from(from);
export const textFile = (text: string): Bytes => bytes(Buffer.from(text));

const LINE_HEIGHT = 16;
const PAGE_HEIGHT = 842;

/** Each page is a list of paragraphs; the first line of a page that begins with "# " is set larger. */
export async function aPdf(pages: readonly (readonly string[])[]): Promise<Bytes> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const paragraphs of pages) {
    const page = pdf.addPage([595, PAGE_HEIGHT]);
    let y = PAGE_HEIGHT - 60;
    for (const paragraph of paragraphs) {
      const isHeading = paragraph.startsWith("# ");
      for (const line of wrap(isHeading ? paragraph.slice(2) : paragraph, isHeading ? 50 : 90)) {
        page.drawText(line, { x: 50, y, size: isHeading ? 18 : 11, font });
        y -= LINE_HEIGHT * (isHeading ? 1.5 : 1);
      }
      y -= LINE_HEIGHT;
    }
  }
  return bytes(await pdf.save());
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line && line.length + word.length >= width) {
      lines.push(line);
      line = "";
    }
    line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}

/** As a scanner makes it: a picture on each page and no letter. */
export async function aPdfWithoutText(pages = 2): Promise<Bytes> {
  const pdf = await PDFDocument.create();
  const picture = await pdf.embedPng(PIXEL);
  for (let i = 0; i < pages; i++)
    pdf.addPage([595, PAGE_HEIGHT]).drawImage(picture, { x: 0, y: 0, width: 595, height: 842 });
  return bytes(await pdf.save());
}

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
export const aPng = (): Bytes => bytes(Buffer.from(PIXEL, "base64"));

/** It begins and ends as a PDF does; what is between them is not one. */
export const aBrokenPdf = (): Bytes => textFile(`%PDF-1.7\n${"garbage ".repeat(200)}\n%%EOF\n`);

/**
 * Locked with a password nobody gives: the trailer says that it is encrypted, and no key fits.
 */
export async function aLockedPdf(): Promise<Bytes> {
  const pdf = await PDFDocument.create();
  pdf.addPage();
  const saved = Buffer.from(await pdf.save({ useObjectStreams: false })).toString("latin1");
  const key = `<${"ab".repeat(32)}>`;
  const encrypt = `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O ${key} /U ${key} >>`;
  return bytes(Buffer.from(saved.replace(/trailer\s*<</, `trailer\n<< /Encrypt ${encrypt} /ID [<00><00>]`), "latin1"));
}

type DocxBlock = string | { heading: string; level?: 1 | 2 } | { rows: string[][] };

export async function aDocx(blocks: readonly DocxBlock[]): Promise<Bytes> {
  const children = blocks.map((block) => {
    if (typeof block === "string") return new Paragraph({ children: [new TextRun(block)] });
    if ("heading" in block) {
      const heading = block.level === 2 ? HeadingLevel.HEADING_2 : HeadingLevel.HEADING_1;
      return new Paragraph({ text: block.heading, heading });
    }
    const rows = block.rows.map(
      (cells) => new TableRow({ children: cells.map((cell) => new TableCell({ children: [new Paragraph(cell)] })) }),
    );
    return new Table({ rows });
  });
  return bytes(await Packer.toBuffer(new Document({ sections: [{ children }] })));
}

/** A whole archive with the right names in it, whose text is no XML. */
export const aBrokenDocx = (): Bytes =>
  aZip({ "[Content_Types].xml": "<Types", "word/document.xml": "<w:document><w:body><w:p>", "_rels/.rels": "no" });

/** Cut off in its middle, as by a download that stopped. */
export async function aCutDocx(): Promise<Bytes> {
  const whole = await aDocx(["A paragraph that will not arrive."]);
  return whole.slice(0, Math.floor(whole.length / 2));
}

export function aZip(files: Record<string, string | Uint8Array>): Bytes {
  const entries = Object.entries(files).map(([name, content]) => [
    name,
    typeof content === "string" ? Buffer.from(content) : content,
  ]);
  return bytes(zipSync(Object.fromEntries(entries)));
}

/** A Word document of a few kilobytes whose text is as many megabytes as asked, all of them one letter. */
export function aDocxBomb(megabytes: number): Bytes {
  const zeros = Buffer.alloc(megabytes * 1024 * 1024, "a");
  return aZip({ "[Content_Types].xml": "<Types/>", "word/document.xml": zeros });
}

/** The same, with a directory that claims the text to be one kilobyte. */
export function aLyingDocxBomb(megabytes: number): Bytes {
  const packed = deflateRawSync(Buffer.alloc(megabytes * 1024 * 1024, "a"));
  const entry = (name: string, content: Buffer, claimed: number, at: number) => {
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(content.length, 18);
    head.writeUInt32LE(claimed, 22);
    head.writeUInt16LE(name.length, 26);
    const directory = Buffer.alloc(46);
    directory.writeUInt32LE(0x02014b50, 0);
    head.copy(directory, 6, 4, 30);
    directory.writeUInt32LE(at, 42);
    return {
      local: Buffer.concat([head, Buffer.from(name), content]),
      listed: Buffer.concat([directory, Buffer.from(name)]),
    };
  };
  const types = entry("[Content_Types].xml", deflateRawSync(Buffer.from("<Types/>")), 8, 0);
  const text = entry("word/document.xml", packed, 1024, types.local.length);
  const locals = Buffer.concat([types.local, text.local]);
  const listed = Buffer.concat([types.listed, text.listed]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(2, 8);
  end.writeUInt16LE(2, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(locals.length, 16);
  return bytes(Buffer.concat([locals, listed, end]));
}
