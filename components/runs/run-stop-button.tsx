"use client";

import { Button, Modal, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerStop } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";

/** Stops a run after asking. What it has done stays; the tree shows the end when its event arrives. */
export function RunStopButton({ runId, running }: { runId: string; running: number }) {
  const [opened, dialog] = useDisclosure(false);
  const trpc = useTRPC();
  const whyNot = useWhyNotAct();
  const stop = useMutation(trpc.runs.stop.mutationOptions({ onSuccess: dialog.close }));
  return (
    <>
      <Tooltip label={whyNot} disabled={!whyNot}>
        <Button
          data-danger
          leftSection={<IconPlayerStop size={15} aria-hidden />}
          onClick={() => !whyNot && dialog.open()}
          data-disabled={whyNot ? true : undefined}
          aria-disabled={whyNot ? true : undefined}
        >
          Stop…
          {whyNot && <span className="sr">. {whyNot}</span>}
        </Button>
      </Tooltip>
      <Modal opened={opened} onClose={dialog.close} title="Stop this run?" size={440}>
        <div className="col" style={{ gap: 12 }}>
          <p className="t2">
            {running > 1 ? `Its ${running} working agents end` : "It ends"} now. Every step, decision and cost so far is
            kept. A stopped run cannot go on; you can run it again.
          </p>
          {stop.error && (
            <Note tone="bad" role="alert">
              {errorWords(stop.error).sentence}
            </Note>
          )}
          <div className="row" style={{ justifyContent: "flex-end" }}>
            <Button onClick={dialog.close} data-autofocus>
              Let it run
            </Button>
            <Button data-danger loading={stop.isPending} onClick={() => stop.mutate({ runId })}>
              Stop the run
            </Button>
          </div>
        </div>
      </Modal>
    </>
  );
}
