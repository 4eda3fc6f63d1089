import { z } from "zod";

/** The only reader of process.env. Parsed once at start; a bad value stops the process with a sentence. */
const blank = (value: unknown) => (value === "" ? undefined : value);
const optional = <T extends z.ZodType>(type: T) => z.preprocess(blank, type.optional());

const schema = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  /** Set by the launcher for the embedded database. */
  DATABASE_URL: z.string().min(1, "DATABASE_URL is not set. Start with `npm start`, which sets it."),
  /** Signs sessions. Generated into the data directory by the launcher. */
  AUTH_SECRET: optional(z.string().min(32)),
  /** Seals stored keys of providers and tool servers. Generated into the data directory by the launcher. */
  SECRETS_KEY: optional(z.string().min(32)),
  /** Asked for when the first owner is created; set by the launcher when HOST is not loopback. */
  SETUP_TOKEN: optional(z.string()),
  /** An OpenAI-compatible endpoint, e.g. https://api.openai.com/v1. Without it the rehearsal model answers. */
  MODEL_BASE_URL: optional(z.url()),
  MODEL_API_KEY: optional(z.string()),
  MODEL_NAME: optional(z.string()),
  /** USD per million tokens. Without them the cost of a call is unknown. */
  MODEL_INPUT_USD_PER_MTOK: optional(z.coerce.number().min(0)),
  MODEL_OUTPUT_USD_PER_MTOK: optional(z.coerce.number().min(0)),
  /** Of cached input tokens and of reasoning. Without them they cost what others in and out do. */
  MODEL_CACHED_USD_PER_MTOK: optional(z.coerce.number().min(0)),
  MODEL_REASONING_USD_PER_MTOK: optional(z.coerce.number().min(0)),
  MODEL_CONTEXT_TOKENS: optional(z.coerce.number().int().min(1)),
  MODEL_TIMEOUT_MS: optional(z.coerce.number().int().min(1000)),
  /** Runs a worker carries on at once; the others wait their turn. 500 unless set. */
  RUNS_PER_WORKER: optional(z.coerce.number().int().min(1).max(100_000)),
  /** Names this worker process; must be unique among those alive. */
  WORKER_ID: optional(z.string()),
  /** Where backups and secrets are kept. Set by the launcher; without one there is no launcher to ask. */
  DATA_DIR: optional(z.string()),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
});

export type Env = z.infer<typeof schema>;

function read(): Env {
  const parsed = schema.safeParse(process.env);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
  throw new Error(`The environment is not usable: ${problems}`);
}

let cached: Env | undefined;
/** Parsed on first use, so that `next build` needs no database. */
export function env(): Env {
  cached ??= read();
  return cached;
}
