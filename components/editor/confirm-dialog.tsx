"use client";

import "@/components/editor/editor.css";
import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { Note } from "@/components/ui/note";

type Props = {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What goes, in words. */
  children: ReactNode;
  action: string;
  /** Where "Cancel" would not say what happens then. */
  cancel?: string;
  onConfirm: () => void;
  isBusy?: boolean;
  refusal?: string | null;
};

/** Asks before something goes or ends for good. */
export function ConfirmDialog({
  opened,
  onClose,
  title,
  children,
  action,
  cancel = "Cancel",
  onConfirm,
  isBusy,
  refusal,
}: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={460}>
      <div className="col">
        {children}
        {refusal && (
          <Note tone="bad" role="alert">
            {refusal}
          </Note>
        )}
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose} data-autofocus>
          {cancel}
        </Button>
        <Button data-danger onClick={onConfirm} loading={isBusy}>
          {action}
        </Button>
      </div>
    </Modal>
  );
}
