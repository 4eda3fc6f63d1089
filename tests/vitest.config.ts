import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));
const alias = { "@": root.replace(/\/$/, "") };
// A zone far from UTC with a quarter-hour offset: a forgotten time zone fails loudly.
const env = { TZ: "Asia/Kathmandu", LOG_LEVEL: "silent", SECRETS_KEY: "a key for tests, which protects nothing" };

export default defineConfig({
  root,
  test: {
    // Each file has databases and processes of its own. More at once would starve the smallest machines CI runs on.
    maxWorkers: 3,
    projects: [
      {
        root,
        resolve: { alias },
        test: {
          name: "unit",
          include: ["server/**/*.test.ts", "components/**/*.test.ts", "tests/architecture/**/*.test.ts"],
          env,
          // Hashing a password is meant to take its time, and on a busy machine it takes many times that.
          testTimeout: 60_000,
        },
      },
      {
        root,
        resolve: { alias },
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          // Loading the product takes longer than most files' tests: a process loads it once, for all files it is given. None may
          // leave anything changed for the next (tests/architecture/conventions.test.ts).
          isolate: false,
          env,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          globalSetup: ["tests/support/databases.ts"],
        },
      },
    ],
  },
});
