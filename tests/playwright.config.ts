import { defineConfig } from "@playwright/test";
import { findBrowser } from "./support/browser";

export default defineConfig({
  testDir: "./e2e",
  outputDir: "./.results",
  timeout: 300_000,
  expect: { timeout: 20_000 },
  // Each file has an installation of its own.
  workers: 2,
  retries: 0,
  reporter: [["list"]],
  globalSetup: "./e2e/set-up.ts",
  // The longest file is begun first: at the end nothing would be left to do beside it.
  projects: [
    { name: "longest", testMatch: "states.spec.ts" },
    { name: "others", testIgnore: "states.spec.ts" },
  ],
  use: {
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath: findBrowser(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
    // Recording takes time in every test: TRACE=1 where a failure must be looked into.
    trace: process.env.TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
  },
});
