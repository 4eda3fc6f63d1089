import { fileURLToPath } from "node:url";
import { defineConfig } from "prisma/config";

// No version check at somebody else's server.
process.env.CHECKPOINT_DISABLE ??= "1";
// Prisma's own schema engine as WASM: every `prisma` command works offline (ADR 002).
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(
  new URL("./server/launcher/schema-engine.mjs", import.meta.url),
);

export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "postgresql://unset:unset@127.0.0.1:1/unset" },
});
