import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords } from "@/components/ui/error-words";

type Props<T> = {
  query: { data: T | undefined; error: unknown; isFetching: boolean; refetch: () => unknown };
  what: string;
  children: (data: T) => ReactNode;
};

/** Content that is loaded when it is opened: lines that hold the place, then the content or what went wrong. */
export function Loaded<T>({ query, what, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    return (
      <ErrorState
        title={`${what} could not be loaded`}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {errorWords(query.error).sentence} The run is not affected.
      </ErrorState>
    );
  }
  return <SkeletonLines label={`Loading ${what.toLowerCase()}`} />;
}

const WIDTHS = ["62%", "94%", "88%", "71%", "90%", "40%"];

function SkeletonLines({ label }: { label: string }) {
  return (
    <div className="skeleton-lines" role="status" aria-label={label}>
      {WIDTHS.map((width) => (
        <Skeleton key={width} height={10} radius="sm" width={width} />
      ))}
    </div>
  );
}
