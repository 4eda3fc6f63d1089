import { createHash } from "node:crypto";

/** Hash of a value's text, for content-addressed blobs and argument hashes. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * An id that a second execution derives again: UUIDv8 from its owner and its place there.
 * A child, decision or request that was already stored is thus found, not made twice.
 */
export function deriveId(owner: string, place: string): string {
  const hex = hashOf(`${owner}/${place}`);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Whether a value looks like a handle. A model may write anything, also what Postgres takes for no text at all. */
export function isHandle(value: unknown): value is string {
  return typeof value === "string" && /^agent_[a-z0-9-]*_[0-9a-f]{8}$/.test(value);
}

/** The short name models use for a child: agent_<name>_<8 hex> (LOK-SUP-04). */
export function handleOf(agentRunId: string, name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `agent_${slug}_${agentRunId.slice(0, 8)}`;
}

/** The short name models use for a question that is asked of them: esc_<8 hex> (LOK-ESC-08). */
export function escalationIdOf(requestId: string): string {
  return `esc_${requestId.slice(0, 8)}`;
}
