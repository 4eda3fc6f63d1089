"use client";

import { useDisclosure } from "@mantine/hooks";
import { IconGitBranch } from "@tabler/icons-react";
import { ReasonButton } from "@/components/editor/reason-button";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useOfferRunCommand } from "@/components/runs/run-commands";
import { IMPORTED_REASON } from "@/components/runs/run-imported";
import type { RunState } from "@/components/runs/run-state";
import { laterDialog } from "@/components/ui/later";
import { isHeld, isTerminal } from "@/server/engine/state";

/** Loaded when it is asked for. */
const RetryDialog = laterDialog(() => import("@/components/runs/inspector/retry-dialog").then((it) => it.RetryDialog));

type Props = { run: RunState["run"]; step: { agentRunId: string; position: number } };

/** Starts a new run that keeps what was before a step. Offered once the run stands still; until then the button says so. */
export function RetryFrom({ run, step: { agentRunId, position } }: Props) {
  const [opened, dialog] = useDisclosure(false);
  const whyNotAct = useWhyNotAct();
  const stands = isTerminal(run.status) || isHeld(run.status);
  const whyNot =
    whyNotAct ?? (run.imported ? IMPORTED_REASON : stands ? null : "The run is still at work. Pause or stop it first.");
  useOfferRunCommand(whyNot ? null : "retry", dialog.open);
  return (
    <>
      <ReasonButton leftSection={<IconGitBranch size={15} aria-hidden />} whyNot={whyNot} onClick={dialog.open}>
        Retry from here…
      </ReasonButton>
      {opened && <RetryDialog place={{ runId: run.id, agentRunId, position }} onClose={dialog.close} />}
    </>
  );
}
