/** Why a policy let a call not be made (AGT-RES-12). None of these is a failure of the operation itself. */
const REJECTIONS = ["breaker_open", "bulkhead_full", "rate_exceeded"] as const;
export type RejectionCode = (typeof REJECTIONS)[number];

export function isRejection(code: string): boolean {
  return REJECTIONS.some((known) => known === code);
}

/** The call was not made: nothing happened on the far side. `retryAfterMs`: when it is worth asking again; null: nobody can say. */
export class Rejection extends Error {
  constructor(
    readonly code: RejectionCode,
    message: string,
    readonly retryAfterMs: number | null,
  ) {
    super(message);
    this.name = "Rejection";
  }
}
