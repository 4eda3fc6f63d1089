"use client";

import { useDisclosure } from "@mantine/hooks";
import { IconArrowsSplit2 } from "@tabler/icons-react";
import { ReasonButton } from "@/components/editor/reason-button";
import { useWhyNotAct } from "@/components/layout/use-me";
import { askedIn, editsOf } from "@/components/runs/inspector/what-if-draft";
import { IMPORTED_REASON } from "@/components/runs/run-imported";
import type { RunState } from "@/components/runs/run-state";
import { laterDialog } from "@/components/ui/later";
import type { StepRow } from "@/server/engine/events";
import { isHeld, isTerminal } from "@/server/engine/state";

/** Loaded when it is asked for: the page of a run is the largest there is. */
const WhatIfDialog = laterDialog(() =>
  import("@/components/runs/inspector/what-if-dialog").then((it) => it.WhatIfDialog),
);

/** Starts a new run in which something is otherwise at a step. Offered once the run stands still. */
export function WhatIf({ state, step }: { state: RunState; step: StepRow }) {
  const [opened, dialog] = useDisclosure(false);
  const whyNotAct = useWhyNotAct();
  const kinds = editsOf(step, askedIn(state, step));
  if (kinds.length === 0) return null;
  const { run, agents } = state;
  const { agentRunId, position } = step;
  const stands = isTerminal(run.status) || isHeld(run.status);
  const whyNot =
    whyNotAct ?? (run.imported ? IMPORTED_REASON : stands ? null : "The run is still at work. Pause or stop it first.");
  return (
    <>
      <ReasonButton leftSection={<IconArrowsSplit2 size={15} aria-hidden />} whyNot={whyNot} onClick={dialog.open}>
        What if…
      </ReasonButton>
      {opened && (
        <WhatIfDialog
          place={{ runId: run.id, agentRunId, position }}
          kinds={kinds}
          task={agents.find(({ id }) => id === agentRunId)?.task ?? ""}
          onClose={dialog.close}
        />
      )}
    </>
  );
}
