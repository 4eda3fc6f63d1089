import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

/** Characters of a result that are kept: about 50,000 tokens. */
const LONGEST_RESULT = 200_000;
/** More than a secret has: what is cut this far behind the kept part cannot leave half of one in it. */
const LONGEST_SECRET = 20_000;

const part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  data: z.string().optional(),
  mimeType: z.string().optional(),
  uri: z.string().optional(),
  name: z.string().optional(),
  resource: z
    .looseObject({
      uri: z.string().optional(),
      mimeType: z.string().optional(),
      text: z.string().optional(),
      blob: z.string().optional(),
    })
    .optional(),
});

/** What tools/call answers, as far as it is used here. Older servers have other shapes: what is missing is empty. */
export const callResult = z.looseObject({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().default(false),
});
export type CallResult = z.infer<typeof callResult>;

/**
 * The result as a model reads it: text as text, data as data, and of everything else what it is and how large; without secrets.
 * Of texts only what can be kept is described and looked through for secrets: a worker's other runs wait meanwhile (F36).
 */
export function flattenResult(
  { content, structuredContent }: CallResult,
  redact: <T>(value: T) => T = (value) => value,
): unknown {
  const described = describe(content);
  const { text } = described;
  const isWhole = !described.left;
  const keepText = () => cut(redact(text), described.left);
  if (structuredContent === undefined) return keepText();
  // Servers repeat one as the other, for clients that know only that; a model need not read it twice.
  const values = Object.values(structuredContent);
  if (values.length === 1 && values[0] === text) return keepText();
  const isSame = !text || (isWhole && isSameAsJson(text, structuredContent));
  const data = redact(structuredContent);
  const value = isSame ? data : { text: keepText(), structuredContent: data };
  const json = JSON.stringify(value);
  return json.length <= LONGEST_RESULT ? value : cut(json, 0);
}

const MOST_DESCRIBED = LONGEST_RESULT + LONGEST_SECRET;

/** `left`: how many characters were left out, zero if none; what is kept may still be too long. */
function describe(content: unknown[]): { text: string; left: number } {
  const lines: string[] = [];
  let length = -1;
  for (const part of content) {
    const line = describePart(part);
    lines.push(line);
    length += line.length + 1;
    if (length > MOST_DESCRIBED) break;
  }
  return { text: lines.join("\n").slice(0, MOST_DESCRIBED), left: Math.max(0, length - MOST_DESCRIBED) };
}

function describePart(given: unknown): string {
  const parsed = part.safeParse(given);
  if (!parsed.success) return "[something that is not MCP content]";
  const { type, text, data, mimeType, uri, name, resource } = parsed.data;
  switch (type) {
    case "text":
      return text ?? "";
    case "image":
    case "audio":
      return `[${mimeType ?? type}, ${sizeOf(data ?? "")}]`;
    case "resource_link":
      return `[link to ${name ? `${name}, ` : ""}${uri ?? "a resource"}]`;
    case "resource":
      if (resource?.text !== undefined) return resource.text;
      return `[${resource?.mimeType ?? "resource"}, ${sizeOf(resource?.blob ?? "")}, ${resource?.uri ?? "no address"}]`;
    default:
      return `[${type}]`;
  }
}

/** Of what base64 stands for. */
function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
  return bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`;
}

function isSameAsJson(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}

function cut(text: string, left: number): string {
  if (left === 0 && text.length <= LONGEST_RESULT) return text;
  // Blotting out makes texts shorter: of one that was cut before, the end may hold half a secret, however short it is now.
  const kept = Math.min(LONGEST_RESULT, left ? text.length - LONGEST_SECRET : text.length);
  const characters = left + text.length - kept;
  return `${text.slice(0, kept).toWellFormed()}\n[cut here: at least ${characters} more characters. Ask for less at once.]`;
}
