"use client";

import "@/components/editor/editor.css";
import "./tracing.css";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { RedactionPart } from "./redaction-part";
import { TracePart } from "./trace-part";
import { TracingHead } from "./tracing-head";
import { TracingSkeleton } from "./tracing-skeleton";

/** What leaves this workspace about its runs, and what does not come in. */
export function TracingPage() {
  return (
    <div className="page">
      <TracingHead />
      <LoadBoundary pending={<TracingSkeleton />} failed="The settings could not be loaded">
        <TracePart />
        <RedactionPart />
      </LoadBoundary>
    </div>
  );
}
