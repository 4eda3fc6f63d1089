import type { Metadata } from "next";
import { DOCUMENTS_PER_PAGE, readBaseLocation, writeBaseLocation } from "@/components/knowledge/base-location";
import { BasePage } from "@/components/knowledge/base-page";
import { baseHref } from "@/components/knowledge/knowledge-links";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, prefetchInfinite, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Knowledge base" };

type Props = {
  params: Promise<{ baseId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function BaseRoute({ params, searchParams }: Props) {
  const { baseId } = await params;
  const given = await searchParams;
  const location = readBaseLocation((name) => (typeof given[name] === "string" ? given[name] : null));
  await requireSignedIn(`${baseHref(encodeURIComponent(baseId))}${writeBaseLocation(location)}`);
  prefetch(trpc.knowledge.base.queryOptions({ baseId }));
  const { tab, ...filters } = location;
  if (tab === "documents") {
    prefetchInfinite(
      trpc.knowledge.documents.infiniteQueryOptions(
        { baseId, ...filters, limit: DOCUMENTS_PER_PAGE },
        { getNextPageParam: (page) => page.nextCursor },
      ),
    );
  }
  return (
    <HydrateClient>
      <BasePage key={baseId} baseId={baseId} />
    </HydrateClient>
  );
}
