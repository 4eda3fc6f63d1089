import type { Role } from "@/server/workspaces/scope";
import { type RetrievalSettings, retrievalSettings } from "./schema";

/** Attachments belong to whoever may ask; other bases to whoever may change what agents use. */
export function canChangeDocuments(role: Role, base: { conversationId: string | null }): boolean {
  return role === "owner" || role === "editor" || (role === "operator" && base.conversationId !== null);
}

/**
 * Settings to begin with. The built-in vectors know words only, so BM25 leads (measured, docs/knowledge.md); vectors of a model
 * know meanings, and the sources' weights hold (RAG-HYB-01). Their cosines differ from model to model: no floor fits all.
 */
export function defaultSettings(embeddingModel: string): RetrievalSettings {
  const settings = retrievalSettings.parse({});
  return embeddingModel === "built-in"
    ? settings
    : { ...settings, keywordWeight: 0.6, vectorWeight: 0.4, similarityFloor: 0 };
}

/** After a change of model, settings nobody touched become those of the new one. */
export function settingsAfter(settings: RetrievalSettings, from: string, to: string): RetrievalSettings {
  const before = defaultSettings(from);
  const untouched = (["keywordWeight", "vectorWeight", "similarityFloor"] as const).every(
    (field) => settings[field] === before[field],
  );
  if (!untouched) return settings;
  const { keywordWeight, vectorWeight, similarityFloor } = defaultSettings(to);
  return { ...settings, keywordWeight, vectorWeight, similarityFloor };
}

type Written = { title: string; text: string };

/** An entry as its file holds it. The title is its heading, so that each of its passages is found by it. */
export function writtenEntry({ title, text }: Written): string {
  return `${headOf(title)}${text}\n`;
}

/** The text of an entry, from what its file holds. */
export function entryTextIn(written: string, title: string): string {
  const head = headOf(title);
  return (written.startsWith(head) ? written.slice(head.length) : written).trim();
}

const headOf = (title: string) => `# ${title}\n\n`;

/** The sentence for a title that another document of the base bears. */
export function titleTaken(title: string): string {
  return `There is already a document called “${title}” in this base. Choose another title.`;
}
