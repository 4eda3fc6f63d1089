import { access, constants, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Examined, type Finding, fact } from "./examined";

const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;

/** Whether the data directory is there, private and writable, and where the key of stored secrets is kept. */
export async function checkDataDirectory({ dataDirectory, secretsKey }: Examined): Promise<Finding> {
  if (!dataDirectory) {
    const advice = "Start with `npm start`, which sets it for what it starts.";
    return { state: "unknown", says: "This process was given no data directory.", advice };
  }
  const mode = await modeOf(dataDirectory);
  const facts = [fact("Path", dataDirectory)];
  if (mode === null) {
    const says = `There is no data directory at ${dataDirectory}.`;
    return { state: "problem", says, advice: "Start Troupe once, or set DATA_DIR to where yours is.", facts };
  }
  facts.push(fact("Mode", mode.toString(8)));
  if (!(await isWritable(dataDirectory))) {
    const advice = "Give the user that runs Troupe write access to it.";
    return { state: "problem", says: "The data directory cannot be written to.", advice, facts };
  }
  const key = await whereKeyIs({ dataDirectory, secretsKey });
  facts.push(fact("Secrets key", key.words));
  if (mode !== PRIVATE_DIRECTORY) {
    const says = "Others on this machine may look into the data directory.";
    return { state: "warning", says, advice: `Run chmod 700 ${dataDirectory}.`, facts };
  }
  if (!key.isThere) {
    return {
      state: "warning",
      says: "There is no secrets key: stored keys of providers and tool servers do not open.",
      advice: "Put back the file secrets-key, or set SECRETS_KEY to what it held.",
      facts,
    };
  }
  if (key.mode !== null && key.mode !== PRIVATE_FILE) {
    const advice = `Run chmod 600 ${join(dataDirectory, "secrets-key")}.`;
    return { state: "warning", says: "Others on this machine may read the secrets key.", advice, facts };
  }
  return { state: "ok", says: "It is private and can be written to; the secrets key is there.", facts };
}

/** The file that holds the secrets key; null when the key in use is not the one kept there. */
export async function findKeyFile({ dataDirectory, secretsKey }: KeyPlace): Promise<string | null> {
  const file = join(dataDirectory, "secrets-key");
  const kept = await readFile(file, "utf8").catch(() => null);
  return kept !== null && (secretsKey === undefined || kept.trim() === secretsKey) ? file : null;
}

type KeyPlace = { dataDirectory: string; secretsKey: string | undefined };

async function whereKeyIs(place: KeyPlace): Promise<{ words: string; isThere: boolean; mode: number | null }> {
  const file = await findKeyFile(place);
  if (file) {
    const mode = await modeOf(file);
    return { words: `in the file secrets-key, mode ${mode?.toString(8) ?? "unknown"}`, isThere: true, mode };
  }
  if (place.secretsKey) return { words: "from SECRETS_KEY", isThere: true, mode: null };
  return { words: "missing", isThere: false, mode: null };
}

async function modeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ mode }) => mode & 0o777,
    () => null,
  );
}

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}
