import pino from "pino";

/** JSON lines on stderr, so that stdout stays for what a command prints on purpose. */
export const logger = pino(
  {
    level: process.env.LOG_LEVEL || "info",
    redact: { paths: ["*.password", "*.apiKey", "*.authorization", "*.cookie"], censor: "[redacted]" },
  },
  pino.destination(2),
);
