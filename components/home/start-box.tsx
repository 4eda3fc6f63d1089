"use client";

import { useStartRunDraft } from "@/components/runs/start-run-draft";
import { StartRunForm } from "@/components/runs/start-run-form";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { Panel } from "@/components/ui/panel";

export function StartBox() {
  const draft = useStartRunDraft();
  return (
    <Panel title="Start a run">
      <LoadBoundary pending={<div className="start-skeleton" />} failed="The teams could not be loaded">
        <StartRunForm draft={draft} />
      </LoadBoundary>
    </Panel>
  );
}
