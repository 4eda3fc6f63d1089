import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import protobuf from "protobufjs";
import { z } from "zod";
import { root as repository } from "./migrated";

/** The official definitions, as published; see their folder for the licence. */
const DEFINITIONS = join(repository, "tests/support/opentelemetry-proto");

const scalar = z.union([z.string(), z.number(), z.boolean()]);
/** One of the kinds of a value, as protobufjs hands it out: 64-bit numbers as texts. */
const value = z.object({
  stringValue: z.string().optional(),
  boolValue: z.boolean().optional(),
  intValue: z.string().optional(),
  doubleValue: z.number().optional(),
  arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }).optional(),
});
const attributes = z.array(z.object({ key: z.string(), value })).default([]);
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().default(""),
  name: z.string(),
  kind: z.string(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes,
  events: z.array(z.object({ name: z.string(), timeUnixNano: z.string(), attributes })).default([]),
  status: z.object({ code: z.string().default("STATUS_CODE_UNSET"), message: z.string().default("") }),
});
const body = z.object({
  resourceSpans: z.array(
    z.object({
      schemaUrl: z.string(),
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({ scope: z.object({ name: z.string() }), schemaUrl: z.string(), spans: z.array(span) }),
      ),
    }),
  ),
});

export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: string;
  startNano: bigint;
  endNano: bigint;
  attributes: Record<string, z.infer<typeof scalar> | string[]>;
  events: { name: string; attributes: ReceivedSpan["attributes"] }[];
  status: { code: string; message: string };
  resource: ReceivedSpan["attributes"];
  schemaUrl: string;
};

type Answer = { status: number; headers?: Record<string, string>; body?: Uint8Array };

export type TraceReceiver = {
  url: string;
  /** What it took, in order. A span that came twice is there twice. */
  spans: ReceivedSpan[];
  requests: { headers: IncomingHttpHeaders; path: string; bytes: Buffer }[];
  /** What it answers from now on; null: it takes everything. */
  answer: Answer | null;
  /** Body of an answer that took only a part. */
  partial(rejectedSpans: number, errorMessage: string): Uint8Array;
  close(): Promise<void>;
};

/** A receiver of OTLP over real HTTP that decodes with the official definitions. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const definitions = new protobuf.Root();
  definitions.resolvePath = (_origin, target) => join(DEFINITIONS, target);
  await definitions.load("opentelemetry/proto/collector/trace/v1/trace_service.proto");
  const requestType = definitions.lookupType("opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest");
  const answerType = definitions.lookupType("opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse");
  const received: TraceReceiver = {
    url: "",
    spans: [],
    requests: [],
    answer: null,
    partial: (rejectedSpans, errorMessage) =>
      answerType.encode({ partialSuccess: { rejectedSpans, errorMessage } }).finish(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const bytes = Buffer.concat(pieces);
    received.requests.push({ headers: request.headers, path: request.url ?? "", bytes });
    const { status, headers, body: said } = received.answer ?? { status: 200 };
    if (status < 300) {
      const decoded = requestType.toObject(requestType.decode(bytes), { longs: String, enums: String, bytes: String });
      received.spans.push(...spansIn(decoded));
    }
    response.writeHead(status, { "content-type": "application/x-protobuf", ...headers });
    response.end(said ?? new Uint8Array());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  received.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  return received;
}

function spansIn(decoded: unknown): ReceivedSpan[] {
  return body.parse(decoded).resourceSpans.flatMap(({ schemaUrl, resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((one) => ({
        ...{ name: one.name, kind: one.kind, status: one.status, schemaUrl },
        traceId: hex(one.traceId),
        spanId: hex(one.spanId),
        parentSpanId: hex(one.parentSpanId),
        startNano: BigInt(one.startTimeUnixNano),
        endNano: BigInt(one.endTimeUnixNano),
        attributes: record(one.attributes),
        events: one.events.map((event) => ({ name: event.name, attributes: record(event.attributes) })),
        resource: record(resource.attributes),
      })),
    ),
  );
}

const hex = (base64: string) => Buffer.from(base64, "base64").toString("hex");

function record(pairs: z.infer<typeof attributes>): ReceivedSpan["attributes"] {
  return Object.fromEntries(
    pairs.map(({ key, value: of }) => {
      if (of.arrayValue) return [key, of.arrayValue.values.map(({ stringValue }) => stringValue)];
      if (of.intValue !== undefined) return [key, Number(of.intValue)];
      return [key, of.stringValue ?? of.boolValue ?? of.doubleValue ?? ""];
    }),
  );
}
