import { logger } from "@/server/logger";
import { HTTP_STATUS, type PublicError, toAppError } from "@/server/trpc/error-mapping";

/** A refusal of the file doors: the shape every door uses, and `message`, which plain readers of JSON look for. */
export function refuseWith(status: number, code: PublicError["code"], message: string): Response {
  const error = { code, message, userMessage: message, fieldErrors: null };
  return Response.json({ error }, { status, headers: { "cache-control": "no-store" } });
}

/** An expected refusal in its own words; anything else is logged and told as what it is, an error of ours. */
export function answerRefusal(error: unknown, what: string): Response {
  const told = toAppError(error);
  if (told) return refuseWith(HTTP_STATUS[told.code], told.code, told.userMessage);
  logger.error({ err: error }, what);
  return refuseWith(500, "INTERNAL", "Something went wrong on the server. Its log says what.");
}

/** Next answers HEAD and OPTIONS by itself unless told otherwise. */
export function refuseOtherMethods(allow: "GET" | "POST"): () => Response {
  return () => {
    const response = refuseWith(405, "INVALID", `Use ${allow}.`);
    response.headers.set("allow", allow);
    return response;
  };
}
