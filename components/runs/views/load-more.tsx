import { Button } from "@mantine/core";
import { errorWords } from "@/components/ui/error-words";

type Props = {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: unknown;
    fetchNextPage: () => unknown;
  };
};

/** The way to the next page of a list, where there is one. */
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
