"use client";

import "@/components/runs/views/views.css";
import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import type { RunLook } from "@/components/runs/run-looks";
import type { RunState } from "@/components/runs/run-state";
import type { RunView } from "@/components/runs/use-run-view";

export type LookProps = {
  state: RunState;
  view: RunView;
  nowMs: number;
  /** Picks a row, so that its details are shown. */
  onOpen: (key: string) => void;
};

const loading = () => <LookLoading />;
// Each is loaded when it is looked at: most visits end with the steps.
const LOOKS = {
  conversation: dynamic(() => import("./conversation-look").then((it) => it.ConversationLook), { loading }),
  graph: dynamic(() => import("./graph-look").then((it) => it.GraphLook), { loading }),
  cost: dynamic(() => import("./cost-look").then((it) => it.CostLook), { loading }),
  knowledge: dynamic(() => import("./knowledge-look").then((it) => it.KnowledgeLook), { loading }),
  tasks: dynamic(() => import("./tasks-look").then((it) => it.TasksLook), { loading }),
  messages: dynamic(() => import("./messages-look").then((it) => it.MessagesLook), { loading }),
  files: dynamic(() => import("./files-look").then((it) => it.FilesLook), { loading }),
  state: dynamic(() => import("./state-look").then((it) => it.StateLook), { loading }),
};

/** The run, otherwise than as its steps. */
export function RunLookPanel({ look, ...props }: LookProps & { look: Exclude<RunLook, "steps"> }) {
  const Look = LOOKS[look];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="look scroll" tabIndex={0} aria-label="View of the run" key={look}>
      <Look {...props} />
    </section>
  );
}

function LookLoading() {
  return (
    <div className="look-body" role="status" aria-label="Loading the view">
      <Skeleton height={12} width="40%" />
      <Skeleton height={12} mt={12} width="80%" />
      <Skeleton height={12} mt={12} width="65%" />
    </div>
  );
}
