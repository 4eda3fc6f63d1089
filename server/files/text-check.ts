export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** In a Latin text few letters are accented; more of them mean another alphabet in an old encoding, or no text. */
const MOST_ACCENTED = 0.25;

/**
 * Follows a file as it passes by and says whether it is text, and in which encoding. Each byte is looked at once. The first
 * piece must hold at least two bytes, if the file has them.
 */
export class TextCheck {
  private bytes = 0;
  private nul = 0;
  private controls = 0;
  private high = 0;
  private isUtf16: "utf-16le" | "utf-16be" | null = null;
  private decoder: TextDecoder | null = null;
  private told: { encoding: TextEncoding | null } | undefined;

  add(bytes: Uint8Array): void {
    if (this.bytes === 0) {
      this.isUtf16 = markedUtf16(bytes);
      this.decoder = new TextDecoder(this.isUtf16 ?? "utf-8", { fatal: true });
    }
    this.bytes += bytes.byteLength;
    for (const byte of bytes) {
      if (byte === 0) this.nul++;
      else if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127) this.controls++;
      else if (byte > 127) this.high++;
    }
    this.decode(bytes, true);
  }

  /** Null when it is no text. Nothing may be added afterwards. */
  encoding(): TextEncoding | null {
    this.told ??= { encoding: this.tell() };
    return this.told.encoding;
  }

  problem(): string {
    return this.nul === 0 && this.controls === 0
      ? "in an encoding that is not recognised; save it as UTF-8"
      : "neither a document nor a text";
  }

  private tell(): TextEncoding | null {
    // The end shows whether a character was cut off in its middle.
    this.decode(undefined, false);
    if (this.isUtf16) return this.decoder ? this.isUtf16 : null;
    if (this.nul > 0) return null;
    if (this.decoder) return "utf-8";
    const isLatin = this.controls === 0 && this.high <= this.bytes * MOST_ACCENTED;
    return isLatin ? "windows-1252" : null;
  }

  private decode(bytes: Uint8Array | undefined, stream: boolean): void {
    try {
      this.decoder?.decode(bytes, { stream });
    } catch {
      this.decoder = null;
    }
  }
}

function markedUtf16([first, second]: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
}

/** The text of a whole file that was found to be text, without its byte order mark. */
export function decodeText(bytes: Uint8Array): string | null {
  const check = new TextCheck();
  check.add(bytes);
  const encoding = check.encoding();
  return encoding && new TextDecoder(encoding).decode(bytes);
}
