"use client";

import type { ReactNode } from "react";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords } from "@/components/ui/error-words";
import { Panel } from "@/components/ui/panel";
import { SkeletonRows } from "@/components/ui/skeleton-rows";

type Props = {
  title: string;
  count?: ReactNode;
  query: { isPending: boolean; isError: boolean; error: unknown; isFetching: boolean; refetch: () => unknown };
  isEmpty: boolean;
  /** One sentence in place of the rows. */
  empty: string;
  skeleton: { rows: number; columns: readonly string[] };
  actions?: ReactNode;
  children: ReactNode;
};

/** A panel of runs in its four states: loading, failed, empty, rows. */
export function RunPanel({ title, count, query, isEmpty, empty, skeleton, actions, children }: Props) {
  return (
    <Panel title={title} count={count} actions={actions} className="span2" flush>
      {query.isPending ? (
        <SkeletonRows label={`Loading: ${title}`} {...skeleton} />
      ) : query.isError && isEmpty ? (
        <ErrorState
          title="These runs could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {errorWords(query.error).sentence} Runs are not affected: they go on in the background.
        </ErrorState>
      ) : isEmpty ? (
        <p className="t3 panel-empty">{empty}</p>
      ) : (
        children
      )}
    </Panel>
  );
}
