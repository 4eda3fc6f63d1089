"use client";

import { IconLinkOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { RunSkeleton } from "@/components/runs/run-skeleton";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords, isMissing } from "@/components/ui/error-words";
import { LinkButton } from "@/components/ui/link-button";
import { writeRunLocation } from "./run-location";

/** Leads to what a link was made for. Its address is not kept: whoever goes back does not come here again. */
export function SharedRun({ token }: { token: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const query = useQuery(trpc.runShares.open.queryOptions({ token }));
  const { data, error } = query;
  useEffect(() => {
    if (data) router.replace(`/runs/${data.runId}${writeRunLocation("", { selected: data.place })}`);
  }, [data, router]);
  if (isMissing(error)) {
    return (
      <EmptyState
        icon={IconLinkOff}
        title="This link leads nowhere"
        action={<LinkButton href="/runs">All runs</LinkButton>}
      >
        It has expired, was taken back, or is mistyped. Ask whoever sent it for another.
      </EmptyState>
    );
  }
  if (error) {
    return (
      <ErrorState title="The link could not be opened" onRetry={() => void query.refetch()} retrying={query.isFetching}>
        {errorWords(error).sentence}
      </ErrorState>
    );
  }
  return <RunSkeleton />;
}
