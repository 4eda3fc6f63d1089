import type { Metadata } from "next";
import {
  DEAD_LETTERS_PER_PAGE,
  deadLettersHref,
  readDeadLetterFilters,
} from "@/components/dead-letters/dead-letter-filters";
import { DeadLettersPage } from "@/components/dead-letters/dead-letters-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetchInfinite, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Dead letters" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function DeadLettersRoute({ searchParams }: Props) {
  const given = await searchParams;
  const filters = readDeadLetterFilters((name) => (typeof given[name] === "string" ? given[name] : null));
  await requireSignedIn(deadLettersHref(filters));
  prefetchInfinite(
    trpc.deadLetters.list.infiniteQueryOptions(
      { ...filters, limit: DEAD_LETTERS_PER_PAGE },
      { getNextPageParam: (page) => page.nextCursor },
    ),
  );
  return (
    <HydrateClient>
      <DeadLettersPage />
    </HydrateClient>
  );
}
