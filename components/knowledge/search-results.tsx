import { EmptyState } from "@/components/ui/empty-state";
import { Note } from "@/components/ui/note";
import type { EntryKind } from "@/server/knowledge/entry-schema";
import type { BaseDetail, RetrievalSettings, SearchResult } from "@/server/knowledge/schema";
import { ENTRY_WORDS } from "./entry-words";
import { SearchFunnel } from "./search-funnel";
import { SearchHits } from "./search-hits";

type Props = {
  base: BaseDetail;
  query: string;
  entryKind: EntryKind | null;
  result: SearchResult;
  settings: RetrievalSettings;
};

/** The way from all that was found to what is sent, then passage by passage. */
export function SearchResults({ base, query, entryKind, result, settings }: Props) {
  return (
    <>
      <SearchFunnel result={result} settings={settings} />
      {result.vectorProblem !== null && (
        <div className="play-note">
          <Note tone="warn">
            <span className="b">The vector side took no part.</span> {result.vectorProblem}
          </Note>
        </div>
      )}
      {result.hits.length > 0 ? (
        <SearchHits hits={result.hits} settings={settings} />
      ) : (
        <EmptyState title={`Nothing found for “${query}”`}>
          {base.chunks === 0
            ? "This base holds no passages yet: upload a document first."
            : entryKind !== null
              ? `No entry of this kind (${ENTRY_WORDS[entryKind].word.toLowerCase()}) shares a word with it or is similar enough. An agent would be told that nothing was found.`
              : "No passage shares a word with it or is similar enough. An agent would be told that nothing was found."}
        </EmptyState>
      )}
    </>
  );
}
