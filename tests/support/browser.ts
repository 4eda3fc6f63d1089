import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const SYSTEM_BROWSERS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** A browser for the tests: CHROMIUM, the system's, else Playwright's own. Throws one line saying what to install. */
export function findBrowser(): string {
  const found = [process.env.CHROMIUM, ...SYSTEM_BROWSERS, chromium.executablePath()].find(
    (path) => path && existsSync(path),
  );
  if (found) return found;
  throw new Error(
    "The browser tests need Chromium or Chrome: install it (Debian: apt-get install chromium), or set CHROMIUM to its path.",
  );
}
