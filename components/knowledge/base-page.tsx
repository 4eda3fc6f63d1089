"use client";

import "./knowledge.css";
import { SegmentedControl } from "@mantine/core";
import { IconBook2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { usePageCrumbs } from "@/components/layout/crumbs";
import { useHydrated } from "@/components/runs/use-hydrated";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords, isMissing } from "@/components/ui/error-words";
import { LinkButton } from "@/components/ui/link-button";
import type { BaseDetail } from "@/server/knowledge/schema";
import { BaseHead } from "./base-head";
import { BASE_TABS, NO_FILTERS } from "./base-location";
import { BaseSettings } from "./base-settings";
import { BaseSkeleton } from "./base-skeleton";
import { DocumentFilterFields } from "./document-filter-fields";
import { DocumentsTab } from "./documents-tab";
import { SearchTab } from "./search-tab";
import { UploadArea } from "./upload-area";
import { useBaseLocation } from "./use-base-location";

/** One knowledge base: its documents, a search to try, its settings. */
export function BasePage({ baseId }: { baseId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.knowledge.base.queryOptions({ baseId }));
  const hydrated = useHydrated();
  if (hydrated && query.data) return <Base base={query.data} />;
  if (hydrated && isMissing(query.error)) {
    return (
      <EmptyState
        icon={IconBook2}
        title="There is no such knowledge base"
        action={<LinkButton href="/knowledge">All knowledge bases</LinkButton>}
      >
        It may have been deleted, or it belongs to another workspace.
      </EmptyState>
    );
  }
  if (hydrated && query.error) {
    return (
      <ErrorState
        title="The knowledge base could not be loaded"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {errorWords(query.error).sentence} Its documents are not affected.
      </ErrorState>
    );
  }
  return <BaseSkeleton />;
}

function Base({ base }: { base: BaseDetail }) {
  const [location, go] = useBaseLocation();
  usePageCrumbs([{ word: base.name }]);
  // What is new is at the top of everything.
  const showAll = () => go({ tab: "documents", ...NO_FILTERS });
  return (
    <UploadArea base={base} onAdd={showAll}>
      <BaseHead base={base} onWritten={showAll} />
      <div className="filterbar base-bar">
        <SegmentedControl
          aria-label="Part of the base"
          data={BASE_TABS.map((tab) => ({ ...tab }))}
          value={location.tab}
          onChange={(value) => go({ tab: BASE_TABS.find((tab) => tab.value === value)?.value })}
        />
        <span className="grow" />
        {location.tab === "documents" && (
          <DocumentFilterFields filters={location} hasEntries={base.entries > 0} onChange={go} />
        )}
      </div>
      {location.tab === "documents" && <DocumentsTab base={base} filters={location} onClear={() => go(NO_FILTERS)} />}
      {location.tab === "search" && <SearchTab key={base.id} base={base} />}
      {location.tab === "settings" && <BaseSettings key={base.id} base={base} />}
    </UploadArea>
  );
}
