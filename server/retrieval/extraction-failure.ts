/** Why a document could not be read. Each has a sentence for people that says what to do. */
const SENTENCES = {
  no_text:
    "This PDF holds no text: its pages are scanned images. Run text recognition (OCR) over it and upload the result.",
  encrypted: "This file is locked with a password. Save it without one and upload it again.",
  broken_pdf: "This PDF is damaged and cannot be opened. Export it again and upload the new file.",
  broken_docx:
    "This Word document is damaged and cannot be opened. Open it in Word, save it again and upload the new file.",
  broken_csv: "This table cannot be read. Check its quotation marks and separators.",
  broken_text: "This text cannot be decoded. Save it as UTF-8 and upload it again.",
  broken_html: "This page cannot be read: its tags are nested too deeply.",
  too_large: "This document holds more than 20 million characters, or unpacks to more than 100 MB. Split it.",
  too_heavy: "Reading this document needs more memory than it may take. Split it, or save it in a simpler form.",
  timed_out: "Reading this document took longer than a minute. Split it, or save it in a simpler form.",
  empty: "There is no text in this document.",
  gone: "The uploaded file is no longer there. Upload it again.",
} as const;

export type ExtractionCode = keyof typeof SENTENCES;

/** What may pass with the load of the machine. The others lie in the file: reading it again ends the same way. */
const PASSING: readonly ExtractionCode[] = ["too_heavy", "timed_out"];
export const LASTING = (Object.keys(SENTENCES) as ExtractionCode[]).filter((code) => !PASSING.includes(code));

export class ExtractionFailure extends Error {
  readonly code: ExtractionCode;

  /** The message is the sentence that people see; the cause is for logs. */
  constructor(code: ExtractionCode, options: { cause?: unknown } = {}) {
    super(SENTENCES[code], options);
    this.name = "ExtractionFailure";
    this.code = code;
  }
}
