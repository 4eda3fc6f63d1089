"use client";

import "./home.css";
import { useSuspenseQueries } from "@tanstack/react-query";
import { useState } from "react";
import { ExamplesCard } from "@/components/examples/examples-card";
import { useMe } from "@/components/layout/use-me";
import { EverythingMenu } from "@/components/runs/everything-menu";
import { EverythingPaused } from "@/components/runs/everything-paused";
import { useTRPC } from "@/components/trpc/client";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { PageHead } from "@/components/ui/page-head";
import { FirstSteps, FirstStepsPanel } from "./first-steps";
import { HOME_LISTS } from "./home-lists";
import { HomeNumbers } from "./home-numbers";
import { HomeSkeleton } from "./home-skeleton";
import { RecentFailures } from "./recent-failures";
import { RecentRuns } from "./recent-runs";
import { RunningNow } from "./running-now";
import { StartBox } from "./start-box";
import { WaitingForYou } from "./waiting-for-you";

/** Start something, answer what waits, see what runs and what went wrong. A fresh workspace gets its first steps. */
export function HomePage() {
  return (
    <LoadBoundary
      pending={<HomeSkeleton />}
      failed="Home could not be loaded"
      reassurance="Runs are not affected: they go on in the background."
    >
      <HomeContent />
    </LoadBoundary>
  );
}

function HomeContent() {
  const { workspace } = useMe();
  const trpc = useTRPC();
  const [active, finished, { data: examples }] = useSuspenseQueries({
    queries: [
      trpc.runs.list.queryOptions(HOME_LISTS.active),
      trpc.runs.list.queryOptions(HOME_LISTS.finished),
      trpc.examples.list.queryOptions(),
    ],
  });
  // The two lists arrive one after the other, so a run that ends is for a moment in neither: once used, always used.
  const [isUsed, setIsUsed] = useState(false);
  const isExample = new Set(examples.map(({ id }) => id));
  if (!isUsed && [...active.data.items, ...finished.data.items].some(({ id }) => !isExample.has(id))) setIsUsed(true);
  if (!isUsed && examples.length === 0) return <FirstSteps />;
  return (
    <div className="page">
      <PageHead title={workspace.name} meta={<HomeNumbers />} actions={<EverythingMenu />} />
      <EverythingPaused />
      <div className="home">
        {!isUsed && <FirstStepsPanel />}
        <ExamplesCard examples={examples} />
        <StartBox />
        <WaitingForYou />
        <RunningNow runs={active.data.items} />
        <RecentRuns runs={finished.data.items} />
        <RecentFailures />
      </div>
    </div>
  );
}
