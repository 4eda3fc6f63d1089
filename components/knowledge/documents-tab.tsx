"use client";

import { Button } from "@mantine/core";
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { LoadBoundary } from "@/components/ui/load-boundary";
import type { BaseDetail } from "@/server/knowledge/schema";
import { DOCUMENTS_PER_PAGE, type DocumentFilters } from "./base-location";
import { DocumentsSkeleton } from "./documents-skeleton";
import { DocumentsTable } from "./documents-table";
import { NoDocuments } from "./no-documents";
import { ReembeddingNote } from "./reembedding-note";
import { SelectionBar } from "./selection-bar";
import { DropZone } from "./upload-area";
import { UploadList } from "./upload-list";

type Props = { base: BaseDetail; filters: DocumentFilters; onClear: () => void };

/** Where files go in, what is on its way, and what is there. */
export function DocumentsTab({ base, filters, onClear }: Props) {
  // The list stays until the next one is there.
  const shown = {
    status: useDeferredValue(filters.status),
    entryKind: useDeferredValue(filters.entryKind),
    search: useDeferredValue(filters.search),
  };
  return (
    <div className="base-body scroll">
      <DropZone />
      <ReembeddingNote base={base} />
      <UploadList baseId={base.id} />
      <LoadBoundary pending={<DocumentsSkeleton />} failed="The documents could not be loaded">
        <Documents base={base} filters={shown} onClear={onClear} />
      </LoadBoundary>
    </div>
  );
}

function Documents({ base, filters, onClear }: Props) {
  const trpc = useTRPC();
  const query = useSuspenseInfiniteQuery(
    trpc.knowledge.documents.infiniteQueryOptions(
      { baseId: base.id, ...filters, limit: DOCUMENTS_PER_PAGE },
      { getNextPageParam: (page) => page.nextCursor },
    ),
  );
  const documents = query.data.pages.flatMap(({ items }) => items);
  const total = query.data.pages[0]?.total ?? documents.length;
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  // What went from the list is picked no longer.
  const selected = documents.filter(({ id }) => picked.has(id));

  if (documents.length === 0) return <NoDocuments filters={filters} onClear={onClear} />;
  return (
    <>
      <SelectionBar base={base} selected={selected} onClear={() => setPicked(new Set())} />
      <DocumentsTable documents={documents} selected={new Set(selected.map(({ id }) => id))} onSelect={setPicked} />
      {query.hasNextPage && (
        <div className="doc-more">
          <Button onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
            Load more
          </Button>
          <span className="t3 fs12">
            {query.isFetchNextPageError
              ? errorWords(query.error).sentence
              : `${documents.length} of ${formatPlural(total, "document")}`}
          </span>
        </div>
      )}
    </>
  );
}
