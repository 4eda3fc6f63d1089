"use client";

import "./home.css";
import { useQuery } from "@tanstack/react-query";
import { useMe } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { PageHead } from "@/components/ui/page-head";
import { FirstSteps } from "./first-steps";
import { HOME_LISTS } from "./home-lists";
import { HomeNumbers } from "./home-numbers";
import { RecentFailures } from "./recent-failures";
import { RecentRuns } from "./recent-runs";
import { RunningNow } from "./running-now";
import { StartBox } from "./start-box";
import { WaitingForYou } from "./waiting-for-you";

/** Start something, answer what waits, see what runs and what went wrong. A fresh workspace gets its first steps. */
export function HomePage() {
  const { workspace } = useMe();
  const trpc = useTRPC();
  const active = useQuery(trpc.runs.list.queryOptions(HOME_LISTS.active));
  const finished = useQuery(trpc.runs.list.queryOptions(HOME_LISTS.finished));
  const isFresh = active.data?.items.length === 0 && finished.data?.items.length === 0;
  if (isFresh) return <FirstSteps />;
  return (
    <div className="page">
      <PageHead title={workspace.name} meta={<HomeNumbers />} />
      <div className="home">
        <StartBox />
        <WaitingForYou />
        <RunningNow />
        <RecentRuns />
        <RecentFailures />
      </div>
    </div>
  );
}
