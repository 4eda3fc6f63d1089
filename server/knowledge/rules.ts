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
