import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));
const alias = { "@": root.replace(/\/$/, "") };
// A zone far from UTC with a quarter-hour offset: a forgotten time zone fails loudly.
const env = { TZ: "Asia/Kathmandu", LOG_LEVEL: "silent" };

export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        resolve: { alias },
        test: {
          name: "unit",
          include: ["server/**/*.test.ts", "components/**/*.test.ts", "tests/architecture/**/*.test.ts"],
          env,
        },
      },
      {
        root,
        resolve: { alias },
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          env,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          globalSetup: ["tests/support/databases.ts"],
          fileParallelism: false,
        },
      },
    ],
  },
});
