import type { Metadata } from "next";
import { compareHref, readCompareLocation } from "@/components/compare/compare-location";
import { ComparePage } from "@/components/compare/compare-page";
import { runsToChoose } from "@/components/compare/runs-to-choose";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Compare runs" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function CompareRoute({ searchParams }: Props) {
  const given = await searchParams;
  const location = readCompareLocation((name) => (typeof given[name] === "string" ? given[name] : null));
  const { left, right } = location;
  await requireSignedIn(compareHref(location));
  const chosen = left ?? right;
  if (left && right) prefetch(trpc.runs.compare.queryOptions({ leftRunId: left, rightRunId: right }));
  else {
    if (chosen) prefetch(trpc.runs.facts.queryOptions({ runId: chosen }));
    prefetch(trpc.runs.list.queryOptions(runsToChoose()));
  }
  return (
    <HydrateClient>
      <ComparePage />
    </HydrateClient>
  );
}
