"use client";

import { useDisclosure } from "@mantine/hooks";
import { IconPlayerStop } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { ReasonButton } from "@/components/editor/reason-button";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { useOfferRunCommand } from "./run-commands";

/** Stops a run after asking. What it has done stays; the tree shows the end when its event arrives. */
export function RunStopButton({ runId, running }: { runId: string; running: number }) {
  const [opened, dialog] = useDisclosure(false);
  const trpc = useTRPC();
  const whyNot = useWhyNotAct();
  useOfferRunCommand(whyNot ? null : "stop", dialog.open);
  const stop = useMutation(trpc.runs.stop.mutationOptions({ onSuccess: dialog.close }));
  return (
    <>
      <ReasonButton
        data-danger
        leftSection={<IconPlayerStop size={15} aria-hidden />}
        whyNot={whyNot}
        onClick={dialog.open}
      >
        Stop…
      </ReasonButton>
      <ConfirmDialog
        opened={opened}
        onClose={dialog.close}
        title="Stop this run?"
        cancel="Let it run"
        action="Stop the run"
        onConfirm={() => stop.mutate({ runId })}
        isBusy={stop.isPending}
        refusal={stop.error ? errorWords(stop.error).sentence : null}
      >
        <p className="t2">
          {running > 1 ? `Its ${running} working agents end` : "It ends"} now. Every step, decision and cost so far is
          kept. A stopped run cannot go on; you can run it again.
        </p>
      </ConfirmDialog>
    </>
  );
}
