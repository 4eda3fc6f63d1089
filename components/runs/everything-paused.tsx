"use client";

import "./everything.css";
import { useSuspenseQuery } from "@tanstack/react-query";
import { ReasonButton } from "@/components/editor/reason-button";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import { useControlEverything } from "./use-control-everything";

type Props = {
  /** It was clicked away here: what was refused for it may be forgotten. */
  onResume?: (() => void) | undefined;
};

/** Says that everything is paused, by whom and since when, and leads out of it. Nothing while runs may start. */
export function EverythingPaused({ onResume }: Props) {
  return (
    <LoadBoundary pending={null} failed={null}>
      <Banner onResume={onResume} />
    </LoadBoundary>
  );
}

function Banner({ onResume }: Props) {
  const trpc = useTRPC();
  const { paused } = useSuspenseQuery(trpc.runs.summary.queryOptions()).data;
  const whyNot = useWhyNotAct();
  const everything = useControlEverything();
  if (!paused) return null;
  const resume = () => {
    onResume?.();
    everything.act("resumeAll");
  };
  return (
    <div className="everything-paused">
      <Note
        tone="held"
        aside={
          <ReasonButton whyNot={whyNot} onClick={resume} loading={everything.isBusy}>
            Resume everything
          </ReasonButton>
        }
      >
        {paused.by || "Somebody"} paused everything <RelativeTime at={paused.at} />. New runs are refused until somebody
        resumes it.
      </Note>
    </div>
  );
}
