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
export const keepAuthSecret = (directory: string) => keepSecret(directory, "auth-secret");

/** The key that seals stored secrets: lost, the keys of providers and tool servers must be entered again. */
export const keepSecretsKey = (directory: string) => keepSecret(directory, "secrets-key");

/** The kept key; undefined when none was made yet. Throws LauncherError. */
export const readSecretsKey = (directory: string) => readSecret(directory, "secrets-key");

function readSecret(directory: string, name: string): string | undefined {
  const file = join(directory, name);
  try {
    const kept = readFileSync(file, "utf8").trim();
    // A restored backup may have lost the mode.
    chmodSync(file, 0o600);
    return kept.length >= 32 ? kept : undefined;
  } catch (error) {
    if (codeOf(error) !== "ENOENT") {
      throw new LauncherError(
        `Cannot read ${file} (${codeOf(error) ?? reasonOf(error)}). Give this user access to it.`,
      );
    }
  }
  return undefined;
}

function keepSecret(directory: string, name: string): string {
  const kept = readSecret(directory, name);
  if (kept) return kept;
  const secret = randomBytes(32).toString("base64url");
  writeFileSync(join(directory, name), `${secret}\n`, { mode: 0o600 });
  return secret;
}
