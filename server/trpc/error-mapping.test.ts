import { initTRPC } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { AppError, type AppErrorCode } from "@/server/errors";
import { logger } from "@/server/logger";
import { formatError, logUnexpected, toTrpcError } from "./error-mapping";

const t = initTRPC.create({ errorFormatter: formatError });
const procedure = t.procedure.use(async ({ next, path, type }) => {
  const result = await next();
  if (result.ok) return result;
  logUnexpected({ error: result.error, path, type });
  throw toTrpcError(result.error);
});
const SECRET = "postgresql://ada:hunter2@db/troupe";
const router = t.router({
  fails: procedure.query(() => {
    throw new Error(SECRET);
  }),
  refuses: procedure.input(z.custom<AppErrorCode>()).query(({ input }) => {
    throw new AppError(input, "A sentence for the reader.", { message: SECRET });
  }),
  takes: procedure.input(z.strictObject({ name: z.string().min(1, "Write a name.") })).query(() => "taken"),
  answersWrongly: procedure.output(z.object({ id: z.uuid() })).query(() => ({ id: SECRET })),
});

async function call(path: string, input?: unknown) {
  const url = `http://here.test/trpc/${path}${input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`}`;
  const req = new Request(url);
  const response = await fetchRequestHandler({ endpoint: "/trpc", req, router, onError: logUnexpected });
  const text = await response.text();
  return { status: response.status, text, error: JSON.parse(text).error };
}

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  ["NOT_FOUND", 404],
  ["NOT_SIGNED_IN", 401],
  ["NOT_ALLOWED", 403],
  ["INVALID", 400],
  ["CONFLICT", 409],
  ["TOO_MANY_REQUESTS", 429],
  ["NOT_READY", 503],
] as const)("%s is HTTP %i and carries its sentence, not its log message", async (code, status) => {
  const write = vi.spyOn(logger, "error");
  const answer = await call("refuses", code);
  expect(answer.status).toBe(status);
  expect(answer.error.data).toEqual({
    code,
    userMessage: "A sentence for the reader.",
    fieldErrors: null,
    httpStatus: status,
  });
  expect(answer.text).not.toContain("hunter2");
  expect(write).not.toHaveBeenCalled();
});

test.each(["fails", "answersWrongly"])(
  "an error nobody foresaw (%s) is logged once and told to nobody",
  async (path) => {
    const write = vi.spyOn(logger, "error");
    const answer = await call(path);
    expect(answer.status).toBe(500);
    expect(answer.error.message).toBe("Something went wrong on the server. Its log says what.");
    expect(Object.keys(answer.error.data).sort()).toEqual(["code", "fieldErrors", "httpStatus", "userMessage"]);
    expect(answer.text).not.toMatch(/hunter2|\.ts|stack|uuid/);
    expect(write).toHaveBeenCalledTimes(1);
  },
);

test("input that does not fit is explained field by field", async () => {
  const { status, error } = await call("takes", { name: "", role: "owner" });
  expect(status).toBe(400);
  expect(error.data).toMatchObject({
    code: "INVALID",
    userMessage: "Write a name.",
    fieldErrors: { name: ["Write a name."], "": ['Unrecognized key: "role"'] },
  });
});

test("a procedure that does not exist is not found, without naming the others", async () => {
  const { status, error } = await call("does.not.exist");
  expect(status).toBe(404);
  expect(error.data).toMatchObject({ code: "NOT_FOUND", userMessage: "There is no such procedure." });
});
