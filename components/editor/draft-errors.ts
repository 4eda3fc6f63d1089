import { fieldErrorsOf } from "@/components/ui/error-words";

/** The code of a refusal, e.g. CONFLICT; null when the server did not answer. */
export function refusalCode(error: unknown): string | null {
  const code = (error as { data?: { code?: unknown } | null } | null)?.data?.code;
  return typeof code === "string" ? code : null;
}

/** The server's messages by field of the form: what it calls "config.purpose" or "draft.example" is one field here. */
export function draftFieldErrors(error: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fieldErrorsOf(error)).map(([field, message]) => [field.replace(/^(config|draft)\./, ""), message]),
  );
}
