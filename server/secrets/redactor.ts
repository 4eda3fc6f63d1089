const HIDDEN = "[hidden]";
/** Shorter "secrets" would blot out ordinary words; nothing that protects anything is that short. */
const SHORTEST = 4;
/** Below this the encoded forms are so short that they turn up by chance. */
const SHORTEST_ENCODED = 8;

/**
 * Makes a function that blots secrets out of a text, or out of every text and key inside arrays and plain objects, also
 * where they are escaped for JSON or a URL, or written in base64 or hexadecimal. The value given is not changed; one that holds
 * no secret is given back as it is.
 */
export function redactor(secrets: readonly string[]): <T>(value: T) => T {
  const forms = allForms(secrets);
  if (forms.length === 0) return (value) => value;
  const shortest = forms.at(-1)?.length ?? 0;
  // Answers of tools may hold a million texts, most of them too short for a secret: those cost nothing.
  const scrubText = (text: string) =>
    text.length < shortest ? text : forms.reduce((clean, form) => clean.replaceAll(form, HIDDEN), text);
  const scrub = (value: unknown): unknown => {
    if (typeof value === "string") return scrubText(value);
    if (Array.isArray(value)) {
      const items = value.map(scrub);
      return items.every((item, i) => item === value[i]) ? value : items;
    }
    if (!isPlainObject(value)) return value;
    let isSame = true;
    const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
      const [cleanKey, clean] = [scrubText(key), scrub(inner)];
      if (cleanKey !== key || clean !== inner) isSame = false;
      return [cleanKey, clean];
    });
    return isSame ? value : Object.fromEntries(entries);
  };
  return <T>(value: T) => scrub(value) as T;
}

/** Takes pieces of a text; `end` gives what was held back. */
export type InPieces = (tell: (piece: string) => void) => { add: (piece: string) => void; end: () => void };

/** As `redactor`, of a text that arrives in pieces: what may be the beginning of a secret waits for what follows it. */
export function redactorInPieces(secrets: readonly string[]): InPieces {
  const forms = allForms(secrets);
  const scrub = redactor(secrets);
  const longest = forms[0]?.length ?? 0;
  const firsts = new Set(forms.map((form) => form[0]));
  const isBegun = (text: string, at: number) =>
    firsts.has(text[at]) && forms.some((form) => form.length > text.length - at && form.startsWith(text.slice(at)));

  /** Up to where it can be told; a secret that is whole goes whole. */
  const tellable = (text: string) => {
    let end = Math.max(0, text.length - longest + 1);
    while (end < text.length && !isBegun(text, end)) end += 1;
    for (let before = -1; before !== end; ) {
      before = end;
      for (const form of forms) {
        const at = text.lastIndexOf(form, end - 1);
        if (at >= 0 && at < end && at + form.length > end) end = at;
      }
    }
    return end;
  };

  return (tell) => {
    let held = "";
    return {
      add(piece) {
        held += piece;
        const end = tellable(held);
        if (end > 0) tell(scrub(held.slice(0, end)));
        held = held.slice(end);
      },
      end() {
        if (held) tell(scrub(held));
        held = "";
      },
    };
  };
}

/** Longest first: a form that holds another one must go as a whole. */
function allForms(secrets: readonly string[]): string[] {
  return [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
}

function formsOf(secret: string): string[] {
  if (secret.length < SHORTEST) return [];
  const written = [secret, JSON.stringify(secret).slice(1, -1)];
  const inUrl = [encodeURIComponent(secret), new URLSearchParams({ s: secret }).toString().slice(2), encodeURI(secret)];
  if (secret.length < SHORTEST_ENCODED) return [...written, ...inUrl];
  const hex = Buffer.from(secret).toString("hex");
  return [...written, ...inUrl, ...base64Forms(secret), hex, hex.toUpperCase()];
}

/** As it looks in base64 when it begins at the first, second or third byte of a group, as in "user:secret". */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // The first and last characters also hold bits of what stands beside the secret.
    const begin = before === 0 ? 0 : before + 1;
    const end = (before + bytes.length) % 3 === 0 ? encoded.length : encoded.length - 1;
    const inner = encoded.slice(begin, end);
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
