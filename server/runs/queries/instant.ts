/** Timestamps leave the database as Date (a column) or as ISO text with an offset (inside JSON); views carry UTC text. */
export function toInstant(value: Date | string): string {
  return new Date(value).toISOString();
}

export function toInstantOrNull(value: Date | string | null): string | null {
  return value === null ? null : toInstant(value);
}
