import { expect, test } from "vitest";
import { z } from "zod";
import { appRouter } from "@/server/trpc/root";

/** Every procedure with what it declares. tRPC keeps its declarations in `_def`, which its types do not promise. */
const declared = z.object({
  _def: z.object({
    type: z.enum(["query", "mutation", "subscription"]),
    inputs: z.array(z.unknown()),
    output: z.unknown().optional(),
  }),
});
const flat: Record<string, unknown> = appRouter._def.procedures;
const procedures = Object.entries(flat).map(([path, procedure]) => {
  // A procedure is a function with properties, and Zod takes only plain objects for one.
  const { _def } = declared.parse({ ...Object(procedure) });
  return { path, ..._def };
});

test("every query and mutation declares what it returns, so that nothing leaves by accident", () => {
  expect(procedures.length).toBeGreaterThan(10);
  // A subscription's messages are parsed one by one where they are made; tRPC would parse them as one stream.
  const open = procedures.filter(({ type, output }) => type !== "subscription" && !(output instanceof z.ZodType));
  expect(open.map(({ path }) => path)).toEqual([]);
});

test("every input refuses what it does not know", () => {
  const lax = procedures.filter(({ inputs }) => !inputs.every(refusesUnknown));
  expect(lax.map(({ path }) => path)).toEqual([]);
});

function refusesUnknown(input: unknown): boolean {
  if (!(input instanceof z.ZodType)) return false;
  return (
    input.safeParse({ "no-such-field": 1 }).error?.issues.some(({ code }) => code === "unrecognized_keys") ?? false
  );
}
