/**
 * SQL of the present as a column keeps it: rounded to milliseconds, so that it may lie half of one ahead of `now()`. What was made due "now"
 * is compared with this, and is found by whoever is told of it at once.
 */
export const STORED_NOW = "now()::timestamptz(3)";
