import { z } from "zod";
import { openSecret, sealSecret } from "@/server/secrets/seal";

const values = z.record(z.string(), z.string());
export type HeaderValues = z.infer<typeof values>;

const sealedFor = (workspaceId: string) => ({ workspaceId, purpose: "tracing" });

/** Null when there are none, so that a receiver without secrets needs no key. */
export function sealHeaders(workspaceId: string, headers: HeaderValues): string | null {
  return Object.keys(headers).length === 0 ? null : sealSecret(sealedFor(workspaceId), JSON.stringify(headers));
}

/** Throws AppError NOT_READY when they were sealed with another key. */
export function openHeaders(workspaceId: string, sealed: string | null): HeaderValues {
  return sealed === null ? {} : values.parse(JSON.parse(openSecret(sealedFor(workspaceId), sealed)));
}
