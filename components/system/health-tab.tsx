"use client";

import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy-button";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Check, Report } from "@/server/system/schema";
import { CheckRow } from "./check-row";
import { headline, toMarkdown } from "./report-text";
import { SystemSkeleton } from "./system-skeleton";

/** Nothing tells that a problem is over: while there is one, it is looked at again and again. */
const LOOK_AGAIN_MS = 10_000;

/** What `npm run doctor` says, looked at anew each time it is shown. */
export function HealthTab() {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.system.health.queryOptions(undefined, {
      staleTime: 0,
      refetchInterval: ({ state: { data } }) => (data && mayPass(data) ? LOOK_AGAIN_MS : false),
    }),
  );
  if (query.data)
    return <Checks report={query.data} isLooking={query.isFetching} onLook={() => void query.refetch()} />;
  if (query.error) {
    return (
      <ErrorState
        title="The installation could not be looked at"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {errorWords(query.error).sentence} On the server, npm run doctor says more.
      </ErrorState>
    );
  }
  return <SystemSkeleton label="Looking at the installation" />;
}

function mayPass({ state, checks }: Report): boolean {
  return state === "problem" || checks.some((check) => check.id === "workers" && check.state !== "ok");
}

type ChecksProps = { report: Report; isLooking: boolean; onLook: () => void };

function Checks({ report, isLooking, onLook }: ChecksProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const test = useMutation(
    trpc.system.test.mutationOptions({
      onSuccess: (data) => queryClient.setQueryData(trpc.system.health.queryKey(), data),
    }),
  );
  const testable = (id: Check["id"]) => id === "providers" || id === "tool-servers";
  return (
    <section aria-label="Health">
      <div className="system-bar">
        <p className="grow" role="status">
          <span className="b">{headline(report)}</span>{" "}
          <span className="t3">
            Looked at <RelativeTime at={report.at} />
          </span>
        </p>
        <CopyButton text={() => toMarkdown(report)} what="report" />
        <Button leftSection={<IconRefresh size={15} aria-hidden />} onClick={onLook} loading={isLooking}>
          Look again
        </Button>
      </div>
      {test.error && (
        <div className="system-note">
          <Note tone="bad" role="alert">
            {errorWords(test.error).sentence}
          </Note>
        </div>
      )}
      <ul className="checks">
        {report.checks.map((check) => (
          <CheckRow
            key={check.id}
            check={check}
            isTesting={test.isPending && test.variables.what === check.id}
            onTest={
              testable(check.id) && check.facts.length > 0
                ? () => test.mutate({ what: check.id === "providers" ? "providers" : "tool-servers" })
                : undefined
            }
          />
        ))}
      </ul>
    </section>
  );
}
