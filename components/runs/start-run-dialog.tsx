"use client";

import { Modal } from "@mantine/core";
import { useEffectEvent, useLayoutEffect } from "react";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { NO_CONTEXT } from "./context-draft";
import { EverythingPaused } from "./everything-paused";
import { targetKey } from "./run-targets";
import { useStartRunDraft } from "./start-run-draft";
import { StartRunForm } from "./start-run-form";
import type { StartRunPreset } from "./start-run-provider";

type Props = { preset: StartRunPreset; opened: boolean; onClose: () => void };

/** Stays when it is closed, and its draft with it: closing it loses nothing. */
export function StartRunDialog({ preset, opened, onClose }: Props) {
  const draft = useStartRunDraft(onClose);
  const { form } = draft;
  const take = useEffectEvent(({ target, input, rerunOf }: StartRunPreset) => {
    if (target) form.setFieldValue("target", targetKey(target));
    if (input) form.setFieldValue("input", input);
    form.setFieldValue("rerunOf", rerunOf ?? null);
    form.setFieldValue("version", null);
    form.setFieldValue("askBeforeWrites", true);
    // What another run was about is not what this one is about.
    if (form.values.contextOf !== null && form.values.contextOf !== rerunOf?.id) {
      form.setFieldValue("context", NO_CONTEXT);
      form.setFieldValue("contextOf", null);
    }
    form.clearErrors();
    draft.forgetRefusal();
  });
  // Before it is drawn: what it was opened with last must not be seen.
  useLayoutEffect(() => take(preset), [preset]);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={form.values.rerunOf === null ? "Start a run" : "Run again"}
      size={560}
    >
      <EverythingPaused onResume={draft.forgetRefusal} />
      <LoadBoundary pending={<div className="start-skeleton" />} failed="The teams and agents could not be loaded">
        <StartRunForm draft={draft} onCancel={onClose} autoFocus withModel />
      </LoadBoundary>
    </Modal>
  );
}
