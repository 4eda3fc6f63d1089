export type OutgoingRefusal =
  | "private-host"
  | "bad-url"
  | "insecure-redirect"
  | "too-many-redirects"
  | "too-large"
  | "unsupported-body";

const SENTENCES: Record<OutgoingRefusal, string> = {
  "private-host": "The address is on a private network. Calls there need an owner to allow its host and port first.",
  "bad-url": "Only web addresses (http or https) without a user name or password can be called.",
  "insecure-redirect": "The server redirects from https to http, which is not followed.",
  "too-many-redirects": "The server redirects too often.",
  "too-large": "The answer is larger than allowed.",
  "unsupported-body": "The server redirects a request whose body cannot be sent again.",
};

/**
 * A call that was not made, or not gone on with, for its own sake. One sentence for each code, the same for all private
 * addresses and however they were reached: nobody learns from it what is there (`message` may be shown).
 */
export class OutgoingRefusedError extends Error {
  readonly code: OutgoingRefusal;

  constructor(code: OutgoingRefusal) {
    super(SENTENCES[code]);
    this.name = "OutgoingRefusedError";
    this.code = code;
  }
}

/** The refusal inside an error, however deeply a client has wrapped it. */
export function refusalIn(error: unknown): OutgoingRefusedError | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if (at instanceof OutgoingRefusedError) return at;
  }
  return undefined;
}
