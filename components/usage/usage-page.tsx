"use client";

import "@/components/editor/editor.css";
import "./usage.css";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { Usage } from "./usage";
import { UsageHead } from "./usage-head";
import { UsageSkeleton } from "./usage-skeleton";

/** What this workspace keeps, what it may keep, and for how long. */
export function UsagePage() {
  return (
    <div className="page">
      <UsageHead />
      <LoadBoundary pending={<UsageSkeleton />} failed="The usage could not be loaded">
        <Usage />
      </LoadBoundary>
    </div>
  );
}
