type Refusal = { userMessage: string; fieldErrors: Record<string, string[]> | null };

/** Splits a refusal into what belongs beside a field of the form and what is said about the whole. */
export function toFormErrors(error: Refusal, fields: readonly string[]) {
  const beside: Record<string, string> = {};
  for (const [field, messages] of Object.entries(error.fieldErrors ?? {})) {
    if (fields.includes(field) && messages[0]) beside[field] = messages[0];
  }
  return { fields: beside, rest: Object.keys(beside).length > 0 ? null : error.userMessage };
}
