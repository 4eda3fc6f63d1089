"use client";

import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { stopQuestion } from "./everything-words";

type Props = { opened: boolean; onClose: () => void; runs: number; onConfirm: () => void };

/** Asks before every run of the workspace ends, and says how many that are. */
export function StopEverythingDialog({ opened, onClose, runs, onConfirm }: Props) {
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Stop everything?"
      cancel="Let them run"
      action="Stop everything"
      onConfirm={onConfirm}
    >
      <p className="t2">{stopQuestion(runs)}</p>
    </ConfirmDialog>
  );
}
