import type { Metadata } from "next";
import { RunPage } from "@/components/runs/run-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Run" };

export default async function RunRoute({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  await requireSignedIn(`/runs/${encodeURIComponent(runId)}`);
  prefetch(trpc.runs.tree.queryOptions({ runId }));
  prefetch(trpc.feedback.onRun.queryOptions({ runId }));
  return (
    <HydrateClient>
      <RunPage runId={runId} />
    </HydrateClient>
  );
}
