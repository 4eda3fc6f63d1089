/** An expected failure of the launcher: one sentence saying what is wrong and what to do. Shown without a stack. */
export class LauncherError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "LauncherError";
  }
}

/** The text of anything thrown, for use inside a sentence. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  // The WASM backend throws objects that are not Errors but carry a message.
  const hasMessage = typeof error === "object" && error !== null && "message" in error;
  return hasMessage ? String(error.message) : String(error);
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
