/** Errors a caller may see. `message` is for logs; `userMessage` says what was wrong and what to do. */
export type AppErrorCode =
  | "NOT_FOUND"
  | "NOT_SIGNED_IN"
  | "NOT_ALLOWED"
  | "INVALID"
  | "CONFLICT"
  | "TOO_MANY_REQUESTS"
  | "NOT_READY";

export class AppError extends Error {
  readonly code: AppErrorCode;
  readonly userMessage: string;

  constructor(code: AppErrorCode, userMessage: string, options: { message?: string; cause?: unknown } = {}) {
    super(options.message ?? userMessage, { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.userMessage = userMessage;
  }
}
