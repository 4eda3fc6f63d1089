import { type HrTime, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { CONVENTIONS_SCHEMA_URL } from "../constants";
import type { TraceSpan } from "../rules/agent-spans";

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };
const SAMPLED = 1;
const NONE_DROPPED = { droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 };

/** Spans as the body of an OTLP request, in protobuf. All of them are of one workspace. */
export function encodeSpans(spans: readonly TraceSpan[], workspaceId: string): Uint8Array {
  const attributes = { "service.name": "troupe", "troupe.workspace.id": workspaceId };
  // The serializer groups by identity of the resource.
  const resource = resourceFromAttributes(attributes, { schemaUrl: CONVENTIONS_SCHEMA_URL });
  const instrumentationScope = { name: "troupe", schemaUrl: CONVENTIONS_SCHEMA_URL };
  return (
    ProtobufTraceSerializer.serializeRequest(
      spans.map((span) => ({
        ...NONE_DROPPED,
        ...{ resource, instrumentationScope, links: [], ended: true },
        name: span.name,
        kind: KINDS[span.kind],
        spanContext: () => ({ traceId: span.traceId, spanId: span.spanId, traceFlags: SAMPLED }),
        ...(span.parentSpanId === null
          ? {}
          : { parentSpanContext: { traceId: span.traceId, spanId: span.parentSpanId, traceFlags: SAMPLED } }),
        startTime: timeOf(span.startMs),
        endTime: timeOf(span.endMs),
        duration: timeOf(Math.max(0, span.endMs - span.startMs)),
        status: span.error
          ? { code: SpanStatusCode.ERROR, ...(span.error.message === null ? {} : { message: span.error.message }) }
          : { code: SpanStatusCode.UNSET },
        attributes: span.attributes,
        events: span.events.map((event) => ({
          ...{ name: event.name, time: timeOf(event.atMs), attributes: event.attributes },
          droppedAttributesCount: 0,
        })),
      })),
    ) ?? new Uint8Array()
  );
}

/** What a receiver took only a part of: how many spans it left out, and its word on why. */
export function readPartialSuccess(body: Uint8Array): { rejected: number; message: string } {
  try {
    const { partialSuccess } = ProtobufTraceSerializer.deserializeResponse(body);
    return { rejected: Number(partialSuccess?.rejectedSpans ?? 0), message: partialSuccess?.errorMessage ?? "" };
  } catch {
    // Some receivers answer with something else altogether; the status said that it was taken.
    return { rejected: 0, message: "" };
  }
}

function timeOf(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1_000_000)];
}
