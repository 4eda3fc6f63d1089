/** The conventions the names follow: the last version published with the general ones, before they moved to a repository of their own. */
export const CONVENTIONS_SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.0";

/** What could not be sent for longer is given up: a receiver that was down for a week has other troubles. */
export const KEPT_DAYS = 7;

/** Spans a request carries, and characters of their texts, at about which it is sent. Receivers take 4 MB or more. */
export const SPANS_A_REQUEST = 400;
export const CHARACTERS_A_REQUEST = 2_000_000;

/** Characters of one attribute that carries content; the oldest messages of a conversation are left out first. */
export const MOST_CONTENT = 100_000;
