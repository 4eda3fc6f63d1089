import { z } from "zod";

/** Events of their own that agents publish: a name, and data for whoever the event is for (AGT-EVT-05, AGT-EVT-07). */

/** Of one agent run: each is kept with the run and told to all who watch it. */
export const MOST_PUBLISHED = 100;
/** Of the data of one, written as JSON. */
export const MOST_DATA_CHARACTERS = 4_000;
/** Lists and objects within each other. */
const MOST_LEVELS = 20;

/** What carries data to a browser refuses these, and with them all that is told beside it. */
const REFUSED_FIELDS = new Set(["__proto__", "constructor", "prototype"]);

/** What Postgres takes for no text: a NUL, and half of a surrogate pair. */
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Why data cannot be kept and shown; null when it can. Its texts are seen to where they are stored, its fields here. */
function whyNotTellable(value: unknown, level = 0): string | null {
  if (typeof value !== "object" || value === null) return null;
  if (level >= MOST_LEVELS) return `At most ${MOST_LEVELS} lists and objects within each other.`;
  if (Array.isArray(value)) return firstReason(value, (part) => whyNotTellable(part, level + 1));
  return firstReason(Object.entries(value), ([field, part]) => {
    if (REFUSED_FIELDS.has(field)) return `A field cannot be called ${field}.`;
    if (UNSTORABLE.test(field)) return "The name of a field holds a character that is none.";
    return whyNotTellable(part, level + 1);
  });
}

function firstReason<T>(parts: readonly T[], why: (part: T) => string | null): string | null {
  for (const part of parts) {
    const reason = why(part);
    if (reason) return reason;
  }
  return null;
}

/** As it is stored and told: what was taken out of a text may have made it longer than it may be when it is published. */
export const publishedData = z
  .record(z.string(), z.unknown(), { error: "A JSON object, or leave it out." })
  .superRefine((data, check) => {
    const why = whyNotTellable(data);
    if (why) check.addIssue({ code: "custom", message: why });
  });

/** As it is published. */
export const dataToPublish = publishedData.refine(
  (data) => JSON.stringify(data).length <= MOST_DATA_CHARACTERS,
  `At most ${MOST_DATA_CHARACTERS.toLocaleString("en")} characters as JSON.`,
);
