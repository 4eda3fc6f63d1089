import { z } from "zod";

const instant = z.iso.datetime();

const isWebAddress = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** Line breaks and NUL would end a header early; what is not Latin-1 cannot be sent in one. */
const headerValue = z
  .string()
  .max(10_000)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "One line of ordinary characters, please.");

const headerName = z
  .string()
  .trim()
  .min(1, "Name the header.")
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "A header name, e.g. Authorization.")
  .refine((name) => !SET_BY_US.includes(name.toLowerCase()), "This header is set by Troupe.");

/** Headers the protocol and the connection need for themselves. */
const SET_BY_US = [
  ...["accept", "accept-encoding", "content-type", "content-length", "content-encoding", "host", "connection"],
  ...["transfer-encoding", "upgrade", "te", "trailer", "expect", "keep-alive"],
];

export const saveTracingInput = z
  .strictObject({
    /** The whole address. */
    endpoint: z
      .string()
      .trim()
      .max(1000)
      .refine(isWebAddress, "A web address, e.g. https://otel.example.com/v1/traces.")
      .refine(
        (url) => !/^https?:\/\/[^/?#]*@/i.test(url),
        "Put the user name and password into a header, not into the address.",
      ),
    /** A value of null keeps the stored one. */
    headers: z
      .array(z.strictObject({ name: headerName, value: headerValue.nullable() }))
      .max(20, "At most 20 headers."),
    enabled: z.boolean(),
    withContent: z.boolean(),
    allowPrivateHost: z.boolean().default(false),
  })
  .superRefine(({ headers }, context) => {
    const seen = new Set<string>();
    for (const [i, { name }] of headers.entries()) {
      if (seen.has(name.toLowerCase()))
        context.addIssue({ code: "custom", path: ["headers", i, "name"], message: `${name} is there twice.` });
      seen.add(name.toLowerCase());
    }
  });
export type SaveTracingInput = z.infer<typeof saveTracingInput>;

/** Where traces go, and how that goes. Never a header's value. */
export const traceSink = z.object({
  url: z.string(),
  headerNames: z.array(z.string()),
  enabled: z.boolean(),
  withContent: z.boolean(),
  /** An owner allowed calls to this host and port although it may be private. */
  privateHostAllowed: z.boolean(),
  /** Failed attempts in a row; 0: the last one went well, or there was none. */
  failures: z.int(),
  failingSince: instant.nullable(),
  problem: z.string().nullable(),
  nextTryAt: instant.nullable(),
  sentAt: instant.nullable(),
  /** Agent runs. */
  sent: z.int(),
  dropped: z.int(),
  /** Agent runs that have ended and wait to be sent; counted up to `MOST_COUNTED`. */
  waiting: z.int(),
});
export type TraceSinkView = z.infer<typeof traceSink>;
export const MOST_COUNTED = 10_000;

/** Null: traces are sent nowhere. */
export const tracingView = z.object({ sink: traceSink.nullable() });

/** What came back for a test span. */
export const sinkTest = z.object({
  ok: z.boolean(),
  code: z.enum(["ok", "partial", "private-host", "refused", "unauthorized", "unreachable"]),
  /** One sentence. */
  says: z.string(),
  /** HTTP status; null: no answer. */
  status: z.int().nullable(),
  tookMs: z.int(),
  /** Of the span that was sent, to look for it there. */
  traceId: z.string(),
});
export type SinkTest = z.infer<typeof sinkTest>;
