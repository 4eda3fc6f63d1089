import { TRPCError } from "@trpc/server";
import { type TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { z } from "zod";
import { describeDatabaseFailure } from "@/server/database-failure";
import { AppError, type AppErrorCode } from "@/server/errors";
import { logger } from "@/server/logger";

/** The one place where our error codes meet the transport's. */
const TRPC_CODES = {
  NOT_FOUND: "NOT_FOUND",
  NOT_SIGNED_IN: "UNAUTHORIZED",
  NOT_ALLOWED: "FORBIDDEN",
  INVALID: "BAD_REQUEST",
  CONFLICT: "CONFLICT",
  TOO_MANY_REQUESTS: "TOO_MANY_REQUESTS",
  NOT_READY: "SERVICE_UNAVAILABLE",
} as const satisfies Record<AppErrorCode, TRPC_ERROR_CODE_KEY>;

/** Refusals of the transport itself (unknown path, wrong method, unreadable body): never its own wording. */
const TRANSPORT_REFUSALS: Partial<Record<TRPC_ERROR_CODE_KEY, { code: AppErrorCode; userMessage: string }>> = {
  NOT_FOUND: { code: "NOT_FOUND", userMessage: "There is no such procedure." },
  UNAUTHORIZED: { code: "NOT_SIGNED_IN", userMessage: "Sign in first." },
  FORBIDDEN: { code: "NOT_ALLOWED", userMessage: "You may not do this." },
  BAD_REQUEST: { code: "INVALID", userMessage: "The request is not valid." },
  PARSE_ERROR: { code: "INVALID", userMessage: "The request could not be read." },
  METHOD_NOT_SUPPORTED: { code: "INVALID", userMessage: "This procedure does not answer that HTTP method." },
  UNSUPPORTED_MEDIA_TYPE: { code: "INVALID", userMessage: "Send JSON." },
  PAYLOAD_TOO_LARGE: { code: "INVALID", userMessage: "The request is too large." },
};

export type PublicError = {
  code: AppErrorCode | "INTERNAL";
  userMessage: string;
  /** Messages by input field, "a.b" for nested ones; null when the input was not the problem. */
  fieldErrors: Record<string, string[]> | null;
};

/** Everything a caller learns about an error. Whatever is not listed here stays on the server. */
export function toPublicError(error: TRPCError): PublicError {
  if (error.cause instanceof AppError) {
    return { code: error.cause.code, userMessage: error.cause.userMessage, fieldErrors: null };
  }
  if (error.code === "BAD_REQUEST" && error.cause instanceof z.ZodError) return toInvalidInput(error.cause);
  const refusal = TRANSPORT_REFUSALS[error.code];
  if (refusal) return { ...refusal, fieldErrors: null };
  return {
    code: "INTERNAL",
    userMessage: "Something went wrong on the server. Its log says what.",
    fieldErrors: null,
  };
}

/** What a caller learns about input that does not fit its schema. */
export function toInvalidInput(error: z.ZodError): PublicError {
  const fieldErrors = byField(error);
  const first = Object.values(fieldErrors)[0]?.[0];
  return { code: "INVALID", userMessage: first ?? "The request is not valid.", fieldErrors };
}

function byField(error: z.ZodError): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const field = issue.path.map(String).join(".");
    fields[field] = [...(fields[field] ?? []), issue.message];
  }
  return fields;
}

/**
 * An AppError thrown by a service, as the transport's error, and what the database refused of what was typed or cannot do
 * at the moment; any other error as it came.
 */
export function toTrpcError(error: TRPCError): TRPCError {
  const cause = toAppError(error.cause);
  if (!cause) return error;
  return new TRPCError({ code: TRPC_CODES[cause.code], message: cause.message, cause });
}

/** What a caller may be told of an error, if anything. */
export function toAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  if (isUnstorable(error)) return new AppError("INVALID", UNSTORABLE, { cause: error });
  const failure = describeDatabaseFailure(error);
  return failure === null ? null : new AppError("NOT_READY", failure, { cause: error });
}

const UNSTORABLE = "A text holds a character that cannot be stored, such as NUL. Type it anew instead of pasting it.";

/** Postgres takes neither NUL nor half a character, and says so by one of these; Prisma wraps the code. */
const REFUSED_TEXT = ["22021", "22P05"];
const refusedByPostgres = z.object({ code: z.enum(REFUSED_TEXT) });
const refusedThroughPrisma = z.object({
  meta: z.object({ driverAdapterError: z.object({ cause: refusedByPostgres }) }),
});

function isUnstorable(cause: unknown): boolean {
  return refusedByPostgres.safeParse(cause).success || refusedThroughPrisma.safeParse(cause).success;
}

/** The error formatter of the router. */
export function formatError({ error }: { error: TRPCError }) {
  const mapped = toTrpcError(error);
  const shown = toPublicError(mapped);
  return {
    message: shown.userMessage,
    code: TRPC_ERROR_CODES_BY_KEY[mapped.code],
    data: { ...shown, httpStatus: HTTP_STATUS[shown.code] },
  };
}

/** For doors that answer in plain HTTP. */
export const HTTP_STATUS = {
  NOT_FOUND: 404,
  NOT_SIGNED_IN: 401,
  NOT_ALLOWED: 403,
  INVALID: 400,
  CONFLICT: 409,
  TOO_MANY_REQUESTS: 429,
  NOT_READY: 503,
  INTERNAL: 500,
} as const satisfies Record<PublicError["code"], number>;

const logged = new WeakSet<Error>();

/**
 * Writes a line for an error nobody foresaw, once, however many edges see it: procedures called by server components
 * never reach the HTTP door, and a stream can fail after its procedure returned.
 */
export function logUnexpected({ error, path, type }: { error: TRPCError; path?: string; type: string }): void {
  const { code } = toPublicError(error);
  const cause = error.cause ?? error;
  if (logged.has(cause)) return;
  logged.add(cause);
  if (code === "NOT_READY") logger.warn({ err: cause, path, type }, "A procedure could not be carried out for now");
  if (code !== "INTERNAL" || error.code === "CLIENT_CLOSED_REQUEST") return;
  logger.error({ err: cause, path, type }, "A procedure failed");
}
