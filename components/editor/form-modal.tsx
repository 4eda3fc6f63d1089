"use client";

import { Modal, type ModalProps } from "@mantine/core";
import { useState } from "react";
import { Note } from "@/components/ui/note";

type Props = ModalProps & {
  /** Something was typed that closing would throw away. */
  isDirty: boolean;
};

/** A dialog with a form: a slip of the mouse or one Escape does not throw away what was typed; a second one does. */
export function FormModal({ isDirty, onClose, children, ...props }: Props) {
  const [asks, setAsks] = useState(false);
  const close = () => {
    if (isDirty && !asks) setAsks(true);
    else onClose();
  };
  return (
    <Modal {...props} onClose={close} closeOnClickOutside={!isDirty}>
      {asks && isDirty && (
        <Note tone="warn" role="alert">
          What you typed is not saved.{" "}
          <span className="row">
            <button type="button" className="linkbtn fs12" onClick={onClose}>
              Discard it
            </button>
            <button type="button" className="linkbtn fs12" onClick={() => setAsks(false)}>
              Keep it
            </button>
          </span>
        </Note>
      )}
      {children}
    </Modal>
  );
}
