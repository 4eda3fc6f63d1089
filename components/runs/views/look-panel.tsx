"use client";

import "@/components/runs/views/views.css";
import { Skeleton } from "@mantine/core";
import type { RunLook } from "@/components/runs/run-looks";
import type { RunState } from "@/components/runs/run-state";
import type { RunView } from "@/components/runs/use-run-view";
import { later } from "@/components/ui/later";

export type LookProps = {
  state: RunState;
  view: RunView;
  nowMs: number;
  /** Picks a row, so that its details are shown. */
  onOpen: (key: string) => void;
};

const pending = <LookLoading />;
// Each is loaded when it is looked at: most visits end with the steps.
const LOOKS = {
  conversation: later(() => import("./conversation-look").then((it) => it.ConversationLook), { pending }),
  graph: later(() => import("./graph-look").then((it) => it.GraphLook), { pending }),
  cost: later(() => import("./cost-look").then((it) => it.CostLook), { pending }),
  knowledge: later(() => import("./knowledge-look").then((it) => it.KnowledgeLook), { pending }),
  tasks: later(() => import("./tasks-look").then((it) => it.TasksLook), { pending }),
  messages: later(() => import("./messages-look").then((it) => it.MessagesLook), { pending }),
  files: later(() => import("./files-look").then((it) => it.FilesLook), { pending }),
  state: later(() => import("./state-look").then((it) => it.StateLook), { pending }),
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
