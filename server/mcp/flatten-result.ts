import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

/** Characters of a result that are kept: about 50,000 tokens. */
const LONGEST_RESULT = 200_000;

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

/** The result as a model reads it: text as text, data as data, and of everything else what it is and how large. */
export function flattenResult({ content, structuredContent }: CallResult): unknown {
  const text = content.map(describePart).join("\n");
  if (structuredContent === undefined) return cut(text);
  // Servers repeat one as the other, for clients that know only that; a model need not read it twice.
  const values = Object.values(structuredContent);
  if (values.length === 1 && values[0] === text) return cut(text);
  const value = !text || isSameAsJson(text, structuredContent) ? structuredContent : { text, structuredContent };
  const json = JSON.stringify(value);
  return json.length <= LONGEST_RESULT ? value : cut(json);
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

function cut(text: string): string {
  if (text.length <= LONGEST_RESULT) return text;
  const left = text.length - LONGEST_RESULT;
  return `${text.slice(0, LONGEST_RESULT).toWellFormed()}\n[cut here: ${left} more characters. Ask for less at once.]`;
}
