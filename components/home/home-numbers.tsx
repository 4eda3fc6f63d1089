"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/client";
import { formatMoney, formatPlural } from "@/components/ui/format";

/** The workspace in one line of facts. */
export function HomeNumbers() {
  const trpc = useTRPC();
  const { data } = useSuspenseQuery(trpc.runs.summary.queryOptions());
  return (
    <>
      {/* A phone shows them far below. */}
      <a className="fact" href="#waiting">
        {formatPlural(data.waiting, "request")} {data.waiting === 1 ? "waits" : "wait"} for you
      </a>
      <Link
        className="fact"
        href="/runs?status=active"
        title="Not ended: at work, waiting, paused, suspended or interrupted."
      >
        {formatPlural(data.active, "run")} {data.active === 1 ? "is" : "are"} active
      </Link>
      {data.failedLastDay > 0 && (
        <Link className="fact" href="/runs?status=failed">
          {formatPlural(data.failedLastDay, "run")} failed in the last 24 h
        </Link>
      )}
      <span title="Since midnight UTC. Calls whose price is unknown are not in it.">
        {formatMoney(data.spentTodayNanoUsd, 2)} spent today
      </span>
    </>
  );
}
