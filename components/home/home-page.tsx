"use client";

import "./home.css";
import { useSuspenseQueries } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { PageHead } from "@/components/ui/page-head";
import { FirstSteps } from "./first-steps";
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
  const [active, finished] = useSuspenseQueries({
    queries: [trpc.runs.list.queryOptions(HOME_LISTS.active), trpc.runs.list.queryOptions(HOME_LISTS.finished)],
  });
  // The two lists arrive one after the other, so a run that ends is for a moment in neither: once used, always used.
  const [isUsed, setIsUsed] = useState(false);
  if (!isUsed && active.data.items.length + finished.data.items.length > 0) setIsUsed(true);
  if (!isUsed) return <FirstSteps />;
  return (
    <div className="page">
      <PageHead title={workspace.name} meta={<HomeNumbers />} />
      <div className="home">
        <StartBox />
        <WaitingForYou />
        <RunningNow runs={active.data.items} />
        <RecentRuns runs={finished.data.items} />
        <RecentFailures />
      </div>
    </div>
  );
}
