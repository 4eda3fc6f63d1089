import { randomBytes } from "node:crypto";
import { accessSync, chmodSync, constants, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, LauncherError, reasonOf } from "./launcher-error";
import { makePrivateDirectory } from "./socket-directory";

/** Makes sure the data directory exists, is private and can be written. Throws LauncherError. */
export function prepareDataDirectory(directory: string): void {
  try {
    makePrivateDirectory(directory);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new LauncherError(
      `Cannot write to the data directory ${directory} (${codeOf(error) ?? reasonOf(error)}). Give this user access to it, or set DATA_DIR to another directory.`,
    );
  }
}

/** The secret that signs sessions: made on the first start, kept so that people stay signed in over restarts. */
export function keepAuthSecret(directory: string): string {
  const file = join(directory, "auth-secret");
  try {
    const kept = readFileSync(file, "utf8").trim();
    // A restored backup may have lost the mode.
    chmodSync(file, 0o600);
    if (kept.length >= 32) return kept;
  } catch (error) {
    if (codeOf(error) !== "ENOENT") {
      throw new LauncherError(
        `Cannot read ${file} (${codeOf(error) ?? reasonOf(error)}). Give this user access to it.`,
      );
    }
  }
  const secret = randomBytes(32).toString("base64url");
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}
