"use client";

import "./knowledge.css";
import { IconFileOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { usePageCrumbs } from "@/components/layout/crumbs";
import { useHydrated } from "@/components/runs/use-hydrated";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords, isMissing } from "@/components/ui/error-words";
import { LinkButton } from "@/components/ui/link-button";
import type { DocumentView } from "@/server/knowledge/schema";
import { BaseSkeleton } from "./base-skeleton";
import { DocumentHead } from "./document-head";
import { DocumentState } from "./document-state";
import { baseHref } from "./knowledge-links";
import { Passages } from "./passages";

/** One document: what it is, and every passage it was split into. */
export function DocumentPage({ baseId, documentId }: { baseId: string; documentId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.knowledge.document.queryOptions({ documentId }));
  const hydrated = useHydrated();
  if (hydrated && isMissing(query.error)) {
    return (
      <EmptyState
        icon={IconFileOff}
        title="There is no such document"
        action={<LinkButton href={baseHref(baseId)}>All documents of the base</LinkButton>}
      >
        It may have been removed. Answers that cite it keep their quotes.
      </EmptyState>
    );
  }
  if (hydrated && query.data) return <Document document={query.data} />;
  if (hydrated && query.error) {
    return (
      <ErrorState
        title="The document could not be loaded"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {errorWords(query.error).sentence} The document itself is not affected.
      </ErrorState>
    );
  }
  return <BaseSkeleton />;
}

function Document({ document }: { document: DocumentView }) {
  const trpc = useTRPC();
  const base = useQuery(trpc.knowledge.base.queryOptions({ baseId: document.baseId }));
  usePageCrumbs([{ word: base.data?.name ?? "", href: baseHref(document.baseId) }, { word: document.name }]);
  return (
    <div className="page">
      <DocumentHead document={document} baseName={base.data?.name ?? "this base"} />
      <DocumentState document={document} />
      <Passages key={document.id} document={document} />
    </div>
  );
}
