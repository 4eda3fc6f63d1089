import { insideJson } from "@/server/secrets/inside-json";
import type { Redaction } from "@/server/secrets/redaction";
import type { ModelMessage } from "./model";

/**
 * What a message says as it is sent: without what is kept secret, and in the workspaces that want it so without what is personal. The first
 * system message holds an agent's instructions: an owner's words, which keep what is personal.
 */
export function cleanContent(
  role: ModelMessage["role"],
  content: string,
  { redact, hide }: Redaction,
  isFirst: boolean,
): string {
  if (role === "tool") return insideJson(content, redact);
  return role === "system" && isFirst ? hide(content) : redact(content);
}

/** The same of the arguments of a call. */
export function cleanArguments(written: string, { redact }: Redaction): string {
  return insideJson(written, redact);
}
