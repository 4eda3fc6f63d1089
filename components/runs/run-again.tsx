"use client";

import { IconRefresh } from "@tabler/icons-react";
import { ReasonButton } from "@/components/editor/reason-button";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useOfferRunCommand } from "@/components/runs/run-commands";
import { IMPORTED_REASON } from "@/components/runs/run-imported";
import type { RunState } from "@/components/runs/run-state";
import { useStartRun } from "@/components/runs/start-run-provider";

/** Opens the dialog with what the run was given; `whyNot` where that may not be. */
export function useRunAgain(run: RunState["run"]) {
  const startRun = useStartRun();
  const whyNotAct = useWhyNotAct();
  const whyNot = whyNotAct ?? (run.imported ? IMPORTED_REASON : null);
  const runAgain = () => startRun.open({ target: run.target, input: run.input, rerunOf: run });
  useOfferRunCommand(whyNot ? null : "again", runAgain);
  return { runAgain, whyNot };
}

export function RunAgainButton({ runAgain, whyNot }: ReturnType<typeof useRunAgain>) {
  return (
    <ReasonButton leftSection={<IconRefresh size={15} aria-hidden />} whyNot={whyNot} onClick={runAgain}>
      Run again…
    </ReasonButton>
  );
}
