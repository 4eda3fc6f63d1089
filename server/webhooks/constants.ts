/** Calls that got through to nobody for longer are given up: whoever was away for three days has other troubles. */
export const TRIED_DAYS = 3;

/** How long what was called is remembered. */
export const KEPT_DAYS = 30;

/** Characters of one text that was said; longer ones are cut, for receivers take little. */
export const MOST_SAID = 20_000;

/** Of a workspace. Each is asked for at every event of a run. */
export const MOST_WEBHOOKS = 20;
