"use client";

import { Button } from "@mantine/core";
import { errorWords } from "@/components/ui/error-words";

type Props = {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: unknown;
    fetchNextPage: () => Promise<unknown>;
  };
};

/** Below a list of which there is more. */
export function LoadMore({ query }: Props) {
  if (!query.hasNextPage) return null;
  return (
    <div className="load-more">
      <Button onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
        Load more
      </Button>
      {query.isFetchNextPageError && <span className="t2 fs12">{errorWords(query.error).sentence}</span>}
    </div>
  );
}
