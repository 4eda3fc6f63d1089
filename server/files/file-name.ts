const MOST_CHARACTERS = 200;

// Control characters, soft hyphens, and marks that are not seen or turn the reading order: a name must look like what it is.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Characters that look like the ones that part a path. */
const LIKE_SLASH = /[\u2044\u2215\u29f8\uff0f\u29f5\uff3c]/gu;

/**
 * The last part of whatever path a client sent as a file's name, as it can be shown, stored and downloaded (A22): no
 * folders, nothing unseen, at most 200 characters with the extension kept. Null when nothing is left to call it by.
 */
export function confineName(sent: string): string | null {
  const last = sent.normalize("NFC").replace(LIKE_SLASH, "/").split(/[/\\]/).at(-1) ?? "";
  const name = last
    .replace(UNSEEN, "")
    .replace(/[<>:"|?*]/g, "_")
    .replace(/\s+/gu, " ")
    // Windows drops dots and blanks at the end; at the beginning dots hide a file.
    .replace(/^[\s.]+|[\s.]+$/gu, "");
  if (name === "") return null;
  return shorten(name);
}

/** The extension in lower case without its dot; "" when there is none. */
export function extensionOf(name: string): string {
  return /\.([^.\s]{1,20})$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

function shorten(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MOST_CHARACTERS) return name;
  const extension = extensionOf(name);
  const tail = extension ? `.${extension}` : "";
  const kept = characters.slice(0, MOST_CHARACTERS - Array.from(tail).length).join("");
  return `${kept.trimEnd()}${tail}`;
}

/** `attachment` with the name for old readers (ASCII) and for new ones (RFC 6266). */
export function attachmentOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, "_").replace(/["\\%]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
