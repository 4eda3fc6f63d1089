import { STATUS_CODES } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { ReadableStream as NodeStream } from "node:stream/web";
import { constants, createBrotliDecompress, createGunzip } from "node:zlib";
import type { Dispatcher } from "undici";
import { OutgoingRefusedError, refusalIn } from "./refused";

/** What a server may pack its answer with. */
export const ACCEPT_ENCODING = "gzip, br";
// As browsers do: piece by piece, and what ends without its trailer has ended.
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants;
const gunzip = () => createGunzip({ flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH });
const UNPACK: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  ...{ gzip: gunzip, "x-gzip": gunzip },
  br: () => createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH }),
};
const JSON_BODY = /^application\/([\w.+-]+\+)?json\s*(;|$)/i;
/** Statuses whose answers have no body. */
const EMPTY = [101, 103, 204, 205, 304];

export type AnswerLimits = {
  maxBytes: number | undefined;
  signal: AbortSignal | undefined;
  /** Status and headers are all there is to know: whatever follows is not waited for. */
  withoutBody: boolean;
};

/**
 * An answer as fetch would give it. One in JSON is of use only as a whole, so it is read before this returns, without a
 * web stream. Anything else is a stream. Reading more than `maxBytes`, unpacked, fails with too-large.
 */
export async function toResponse(answer: Dispatcher.ResponseData, url: URL, limits: AnswerLimits): Promise<Response> {
  try {
    return await read(answer, url, limits);
  } catch (error) {
    discard(answer);
    throw error;
  }
}

async function read(answer: Dispatcher.ResponseData, url: URL, limits: AnswerLimits): Promise<Response> {
  const { statusCode: status, headers: told } = answer;
  const headers = new Headers();
  for (const [name, value] of Object.entries(told)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  if (
    !limits.withoutBody &&
    limits.maxBytes !== undefined &&
    Number(headers.get("content-length") ?? 0) > limits.maxBytes
  ) {
    throw new OutgoingRefusedError("too-large");
  }
  const init = { status, statusText: STATUS_CODES[status] ?? "", headers };
  const isEmpty = limits.withoutBody || EMPTY.includes(status);
  const body = isEmpty ? answer.body : unpacked(answer.body, headers);
  let response: Response;
  if (isEmpty) {
    discard(answer);
    response = new Response(null, init);
  } else if (JSON_BODY.test(headers.get("content-type") ?? ""))
    response = new Response(await whole(piecesOf(body, limits)), init);
  else response = new Response(streamOf(body, limits), init);
  // A response made by hand has no address; readers resolve relative links against it.
  Object.defineProperty(response, "url", { value: url.href });
  return response;
}

/** Ends an answer nobody reads. */
export function discard({ body }: { body: Readable }): void {
  body.on("error", () => {});
  body.destroy();
}

/** Read as it is asked for. One that is given up ends at once, also while it is silent. */
function streamOf(body: Readable, limits: AnswerLimits): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = piecesOf(body, limits);
  const stream = new NodeStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => discard({ body }),
    },
    { highWaterMark: 0 },
  );
  return stream as ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** A failure of the network in fetch's words: a TypeError with the reason as its cause; the caller's own where that ended it. */
export function failureOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  return refusalIn(error) ?? new TypeError("fetch failed", { cause: error });
}

function unpacked(body: Readable, headers: Headers): Readable {
  const unpack = UNPACK[headers.get("content-encoding")?.trim().toLowerCase() ?? ""];
  if (!unpack) return body;
  headers.delete("content-encoding");
  headers.delete("content-length");
  // An error of either end is one of the stream that is read.
  return pipeline(body, unpack(), () => {});
}

async function* piecesOf(body: Readable, { maxBytes, signal }: AnswerLimits): AsyncGenerator<Uint8Array> {
  let seen = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      seen += piece.byteLength;
      if (maxBytes !== undefined && seen > maxBytes) throw new OutgoingRefusedError("too-large");
      yield piece;
    }
  } catch (error) {
    throw failureOf(error, signal);
  }
}

async function whole(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
