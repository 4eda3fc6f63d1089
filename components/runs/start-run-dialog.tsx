"use client";

import { Modal } from "@mantine/core";
import { createContext, type ReactNode, useContext, useState } from "react";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { EverythingPaused } from "./everything-paused";
import { type TargetRef, targetKey } from "./run-targets";
import { type Rerun, useStartRunDraft } from "./start-run-draft";
import { StartRunForm } from "./start-run-form";

type Preset = { target?: TargetRef; input?: string; rerunOf?: Rerun };
const StartRunContext = createContext<{ open: (preset?: Preset) => void } | null>(null);

/** Opens the dialog from anywhere in the console, with a team or agent and a task filled in. */
export function useStartRun() {
  const context = useContext(StartRunContext);
  if (!context) throw new Error("useStartRun is used outside StartRunProvider");
  return context;
}

/** The dialog lives above the pages, and its draft above the dialog: closing it loses nothing. */
export function StartRunProvider({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  const draft = useStartRunDraft(close);
  const open = (preset?: Preset) => {
    if (preset?.target) draft.form.setFieldValue("target", targetKey(preset.target));
    if (preset?.input) draft.form.setFieldValue("input", preset.input);
    draft.form.setFieldValue("rerunOf", preset?.rerunOf ?? null);
    draft.form.setFieldValue("version", null);
    draft.form.setFieldValue("askBeforeWrites", true);
    draft.form.clearErrors();
    draft.forgetRefusal();
    setOpened(true);
  };
  const isRerun = draft.form.values.rerunOf !== null;
  return (
    <StartRunContext value={{ open }}>
      {children}
      <Modal opened={opened} onClose={close} title={isRerun ? "Run again" : "Start a run"} size={560}>
        <EverythingPaused onResume={draft.forgetRefusal} />
        <LoadBoundary pending={<div className="start-skeleton" />} failed="The teams and agents could not be loaded">
          <StartRunForm draft={draft} onCancel={close} autoFocus withModel />
        </LoadBoundary>
      </Modal>
    </StartRunContext>
  );
}
