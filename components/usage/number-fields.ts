import { z } from "zod";

/** Numbers as a form holds them: "" where there is none. */
export type Fields<T> = { [K in keyof T]: number | string };

export function fieldsOf<T extends Record<string, number | null>>(values: T): Fields<T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? ""])) as Fields<T>;
}

const readFields = (fields: Record<string, number | string>) =>
  Object.fromEntries(Object.entries(fields).map(([name, typed]) => [name, typed === "" ? null : Number(typed)]));

/** What the fields say, or null where the schema takes exception. */
export function parseFields<T>(schema: z.ZodType<T>, fields: Record<string, number | string>): T | null {
  return schema.safeParse(readFields(fields)).data ?? null;
}

/** The schema's own sentences, by field. */
export function validatedBy<T>(schema: z.ZodType<T>) {
  return (fields: Record<string, number | string>): Record<string, string> => {
    const { error } = schema.safeParse(readFields(fields));
    if (!error) return {};
    const { fieldErrors } = z.flattenError<Record<string, unknown>>(error as z.ZodError<Record<string, unknown>>);
    return Object.fromEntries(Object.entries(fieldErrors).map(([name, messages]) => [name, messages?.[0] ?? ""]));
  };
}
