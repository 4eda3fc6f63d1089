import type pg from "pg";
import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { type Redact, redactPii } from "./pii";
import { type InPieces, redactor, redactorInPieces } from "./redactor";
import { openSealed, ownSecrets, readSealed } from "./workspace-secrets";

/** What is taken out of whatever comes into a workspace. */
export type Redaction = {
  /** What is kept secret, always; and personal data where the workspace wants that (LLM-PROV-16). */
  redact: Redact;
  /** Only what is kept secret: for what an owner wrote, and for names. */
  hide: Redact;
  /** The same of a text that arrives in pieces. */
  hideInPieces: InPieces;
  takesPii: boolean;
};

/** Of each workspace the one that was made last, and of what: nothing is opened again while nothing changed. */
const made = new Map<string, { of: string; redaction: Redaction }>();

/**
 * At a door, what nobody can open is left out: nothing here can use it either, and a run that has nothing to do with it goes on.
 * What leaves is judged more strictly (`workspaceRedactor`).
 */
export async function findRedaction(workspaceId: string, from: Pick<pg.Pool, "query"> = pool()): Promise<Redaction> {
  const { redactsPii, sealed } = await readSealed(workspaceId, from);
  const own = ownSecrets();
  const of = JSON.stringify([redactsPii, sealed, own]);
  const known = made.get(workspaceId);
  if (known?.of === of) return known.redaction;
  const opened = sealed.flatMap((one) => {
    try {
      return openSealed(workspaceId, one);
    } catch (error) {
      if (error instanceof AppError) return [];
      throw error;
    }
  });
  const redaction = redactionBy([...opened, ...own].filter(isTelling), redactsPii);
  made.set(workspaceId, { of, redaction });
  return redaction;
}

/** What is to be done with whatever people say and tools tell. */
export async function redactionOf(workspaceId: string): Promise<Redact> {
  return (await findRedaction(workspaceId)).redact;
}

/** What is to be done with names, titles and notes, which keep what is personal. */
export async function hidingOf(workspaceId: string): Promise<Redact> {
  return (await findRedaction(workspaceId)).hide;
}

function redactionBy(secrets: readonly string[], takesPii: boolean): Redaction {
  const hide = redactor(secrets);
  const redact: Redact = takesPii ? (value) => redactPii(hide(value)) : hide;
  return { redact, hide, hideInPieces: redactorInPieces(secrets), takesPii };
}

const SHORTEST = 8;
/** From here on also words alone are a secret, as in a passphrase. */
const SHORTEST_OF_WORDS = 16;

/**
 * Whether a stored value is one that nobody writes by chance. Values of tool servers may be "production" or "info", and the key of a model on
 * one's own machine is "ollama": taken out of what people say, they would change what runs do.
 */
export function isTelling(secret: string): boolean {
  if (secret.length < SHORTEST) return false;
  const isWords = /^\p{Lu}?[\p{Ll}\s._:/-]+$|^[\p{Lu}\s._:/-]+$/u.test(secret);
  return !isWords || secret.length >= SHORTEST_OF_WORDS;
}

export type FindRedaction = (workspaceId: string) => Promise<Redaction>;

/** How long a worker goes by what it read: so soon does a change count for runs under way, in milliseconds. */
const KEPT_MS = 2_000;

/** As `findRedaction`, for what is asked at each call of a model or tool. */
export function keptRedaction(from: Pick<pg.Pool, "query">, keptMs = KEPT_MS): FindRedaction {
  const kept = new Map<string, { until: number; found: Promise<Redaction> }>();
  return (workspaceId) => {
    const now = performance.now();
    const known = kept.get(workspaceId);
    if (known && known.until > now) return known.found;
    const found = findRedaction(workspaceId, from).catch((error: unknown) => {
      // While the database is away it is as it was. Never asked is not "nothing": then the call fails.
      if (known) return known.found;
      kept.delete(workspaceId);
      throw error;
    });
    kept.set(workspaceId, { until: now + keptMs, found });
    return found;
  };
}
