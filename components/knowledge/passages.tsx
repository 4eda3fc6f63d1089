"use client";

import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import type { DocumentView } from "@/server/knowledge/schema";
import { isBusy } from "./knowledge-words";
import { Passage } from "./passage";
import { usePassageAnchor } from "./use-passage-anchor";

const PER_PAGE = 50;
const SEARCH_AFTER_MS = 250;

/** The passages in the order of the text. One that the address names is shown at once, however far in it is. */
export function Passages({ document }: { document: DocumentView }) {
  const anchor = usePassageAnchor();
  const [typed, setTyped] = useState("");
  const [debounced] = useDebouncedValue(typed.trim(), SEARCH_AFTER_MS);
  const search = typed.trim() === "" ? "" : debounced;
  // Pages before the anchor's are fetched when somebody asks for them.
  const [earlier, setEarlier] = useState(0);
  const from = search || anchor === null ? 0 : Math.max(0, Math.floor(anchor / PER_PAGE) * PER_PAGE - earlier);
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.knowledge.chunks.infiniteQueryOptions(
      { documentId: document.id, search, limit: PER_PAGE },
      { initialCursor: from, getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData },
    ),
  );
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // What is found begins at the top, wherever in the document one was.
    if (search) list.current?.scrollIntoView({ block: "start" });
  }, [search]);
  const passages = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section ref={list} aria-label="Passages" className="passages">
      <div className="filterbar">
        <h2 className="passages-title">Passages</h2>
        <span className="t3 fs12" role="status">
          {search && query.data && !query.isPlaceholderData
            ? `${passages.length}${query.hasNextPage ? " or more" : ""} of ${document.chunks}`
            : ""}
        </span>
        <span className="grow" />
        <TextInput
          className="doc-filter-name"
          aria-label="Search in this document"
          placeholder="Search in this document"
          type="search"
          maxLength={200}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={typed}
          data-page-search
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      {from > 0 && (
        <div className="doc-more">
          <Button onClick={() => setEarlier((given) => given + PER_PAGE)} loading={query.isFetching}>
            Show {formatPlural(Math.min(PER_PAGE, from), "earlier passage")}
          </Button>
        </div>
      )}
      {query.isPending && <SkeletonRows rows={5} columns={["1fr"]} rowHeight={72} label="Loading passages" />}
      {query.error && !query.data && (
        <ErrorState
          title="The passages could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {errorWords(query.error).sentence}
        </ErrorState>
      )}
      {query.data && passages.length === 0 && <NoPassages document={document} search={search} />}
      <ol aria-busy={query.isPlaceholderData}>
        {passages.map((chunk) => (
          <Passage
            key={chunk.id}
            chunk={chunk}
            document={document}
            search={search}
            isTarget={chunk.position === anchor}
          />
        ))}
      </ol>
      {query.hasNextPage && (
        <div className="doc-more">
          <Button onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
            Load more
          </Button>
          {query.isFetchNextPageError && <span className="t2 fs12">{errorWords(query.error).sentence}</span>}
        </div>
      )}
    </section>
  );
}

function NoPassages({ document, search }: { document: DocumentView; search: string }) {
  if (search) {
    return (
      <EmptyState title={`No passage holds “${search}”`}>These very words, in any case, were looked for.</EmptyState>
    );
  }
  if (isBusy(document)) {
    return <EmptyState title="No passages yet">They appear here as the document is indexed.</EmptyState>;
  }
  if (document.status === "failed") {
    return <EmptyState title="No passages">There is nothing to find until it could be indexed.</EmptyState>;
  }
  return <EmptyState title="No passages">The document holds no text that could be split.</EmptyState>;
}
