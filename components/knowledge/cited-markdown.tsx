"use client";

import { useMemo, useState } from "react";
import { CitationDrawer } from "@/components/knowledge/citation-drawer";
import { RunMarkdown } from "@/components/runs/run-markdown";

type Props = {
  runId: string;
  text: string;
  /** Marks of the run whose passage is kept (runs.tree: run.citations). Others stay plain. */
  citations: readonly string[];
};

/** An answer whose citation marks open the passage the agent was shown. */
export function CitedMarkdown({ runId, text, citations }: Props) {
  const [opened, setOpened] = useState<string | null>(null);
  const openable = useMemo(() => ({ marks: citations, onOpen: setOpened }), [citations]);
  return (
    <>
      <RunMarkdown text={text} openable={openable} />
      <CitationDrawer runId={runId} mark={opened} onClose={() => setOpened(null)} />
    </>
  );
}
