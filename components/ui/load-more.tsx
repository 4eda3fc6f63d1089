"use client";

import { Button } from "@mantine/core";
import { errorWords } from "./error-words";

type Props = {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: unknown;
    fetchNextPage: () => unknown;
  };
};

/** The end of a list that is read page by page; nothing once all of it is there. */
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
