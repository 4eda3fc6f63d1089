/**
 * What to tell a person about a failed call. The server's own sentence when it answered; else that it did not.
 * `answered` is false when it is unknown whether the call was carried out.
 */
export function errorWords(error: unknown): { sentence: string; answered: boolean } {
  const data = (error as { data?: { userMessage?: unknown } | null } | null)?.data;
  if (data && typeof data.userMessage === "string") return { sentence: data.userMessage, answered: true };
  return { sentence: "The server did not answer. Check that it runs and that you are connected.", answered: false };
}

/** Whether a read failed because there is no such thing. An id that is no id is none either. */
export function isMissing(error: unknown): boolean {
  const status = (error as { data?: { httpStatus?: unknown } | null } | null)?.data?.httpStatus;
  return status === 404 || status === 400;
}

/** The server's messages by input field; empty when the input was not the problem. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const data = (error as { data?: { fieldErrors?: Record<string, string[]> | null } | null } | null)?.data;
  return Object.fromEntries(
    Object.entries(data?.fieldErrors ?? {}).map(([field, messages]) => [field, messages[0] ?? ""]),
  );
}
